/** Requirements: B02, X31. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { ServiceLoadBalancer } from "../service-load-balancer";
import type { ServiceLoadBalancerArgs } from "../service-load-balancer-args";

type Inputs = Record<string, unknown>;

const registered = new Map<string, Inputs>();

beforeAll(async () => {
    await pulumi.runtime.setMocks(
        {
            newResource: ({ type, name, inputs }) => {
                registered.set(`${type.split(":").at(-1)} ${name}`, inputs as Inputs);
                const service = {
                    metadata: { uid: "5e4dbfc9-c2ae-4642-b033-5607860aef6a" },
                    spec: {
                        ports: [
                            { port: 80, nodePort: 30080 },
                            { port: 443, nodePort: 30443 },
                        ],
                    },
                };
                // As a check would answer: the VPC is found.
                const found = type.endsWith(":ZoneCheck") ? { vpc: "vpc-found" } : {};
                return {
                    id: `${name}-id`,
                    state: {
                        ...inputs,
                        ...(type.startsWith("kubernetes:") ? service : {}),
                        ...found,
                        dnsName: "nlb-1.example",
                    },
                };
            },
            call: () => ({}),
        },
        "project",
        "stack",
        false,
    );
});

afterAll(() => pulumi.runtime.disconnect());

/** Cluster of two nodes, without an API server. */
const node = (name: string) => ({
    metadata: { name },
    spec: { providerID: `cn-hangzhou.i-${name}` },
    status: { conditions: [{ type: "Ready", status: "True" }] },
});
const pods = [
    {
        metadata: { name: "s" },
        addressType: "IPv4",
        ports: [],
        endpoints: [{ addresses: ["10.0.0.1"], conditions: { ready: true }, nodeName: "a" }],
    },
];
const view = { predicted: true, nodes: [node("a"), node("b")], endpointSlices: pods };
const cluster = {
    facts: { clusterId: "c1" },
    ids: { clusterId: "c1" },
    connection: { kubeconfig: undefined, context: undefined, explicit: false },
    reads: {
        identity: () => Promise.resolve({ server: "https://api" }),
        view: () => Promise.resolve(view),
        edgeView: () => Promise.resolve(view),
        service: () => Promise.resolve(undefined),
    },
} as unknown as ServiceLoadBalancerArgs["cluster"];

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const ZONES = "cn-hangzhou-b:vsw-b,cn-hangzhou-a:vsw-a:10.0.0.9";

function manifest(annotations: Record<string, string>, spec: object = {}): object {
    const prefixed = Object.entries(annotations).map(([key, value]) => [key.includes("/") ? key : PREFIX + key, value]);
    const ports = [
        { name: "http", port: 80, protocol: "TCP", targetPort: 8080 },
        { name: "https", port: 443, protocol: "TCP", targetPort: 8443 },
    ];
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web", namespace: "shop", annotations: Object.fromEntries(prefixed) },
        spec: {
            type: "LoadBalancer",
            loadBalancerClass: "alibabacloud.com/nlb",
            selector: { app: "web" },
            ports,
            ...spec,
        },
    };
}

/** The inputs of a resource of `shop/web`, by its type and what follows the Service's name. */
async function register(
    args: Omit<ServiceLoadBalancerArgs, "cluster">,
): Promise<(type: string, key?: string) => Inputs | undefined> {
    registered.clear();
    const component = new ServiceLoadBalancer("web", { ...args, cluster });
    await Promise.all(
        [component.status, component.release as pulumi.Resource, ...Object.values(component.listeners)].map(
            (resource) => new Promise((resolve) => resource.urn.apply(resolve)),
        ),
    );
    const address = await new Promise((resolve) => component.address.apply(resolve));
    expect(address).toBe("nlb-1.example");
    return (type, key) => registered.get(`${type} web${key === undefined ? "" : `/${key}`}`);
}

const OWNER = "a5e4dbfc9c2ae4642b0335607860aef6";
const tags = { "kubernetes.do.not.delete": OWNER, "ack.aliyun.com": "c1" };

test("a Service with an NLB becomes an instance with a listener and server group for each port", async () => {
    const made = await register({
        manifest: manifest({ "zone-maps": ZONES, "protocol-port": "tcpssl:443", "cert-id": "cert-1" }),
    });
    expect([...registered.keys()].sort()).toStrictEqual([
        "Backends web",
        "Listener web/tcp-443",
        "Listener web/tcp-80",
        "LoadBalancer web",
        "LoadBalancerRemnant web",
        "LoadBalancerZones web",
        "NlbCertificateCheck web",
        "ServerGroup web/tcp-443",
        "ServerGroup web/tcp-80",
        "Service web",
        "ServiceContract web",
        "ServiceLoadBalancer web",
        "ServiceStatus web",
        "ZoneCheck web",
    ]);
    const instance = made("LoadBalancer");
    expect([
        instance?.["loadBalancerName"],
        instance?.["vpcId"],
        instance?.["tags"],
        instance?.["crossZoneEnabled"],
    ]).toStrictEqual([OWNER, "vpc-found", tags, true]);
    expect(instance?.["zoneMappings"]).toStrictEqual([
        { zoneId: "cn-hangzhou-a", vswitchId: "vsw-a", privateIpv4Address: "10.0.0.9" },
        { zoneId: "cn-hangzhou-b", vswitchId: "vsw-b" },
    ]);
    expect(made("LoadBalancerZones")?.["zones"]).toStrictEqual({
        "cn-hangzhou-a": { vswitchId: "vsw-a", privateIpv4: "10.0.0.9" },
        "cn-hangzhou-b": { vswitchId: "vsw-b" },
    });
    const group = made("ServerGroup", "tcp-443");
    expect([
        group?.["serverGroupName"],
        group?.["protocol"],
        group?.["preserveClientIpEnabled"],
        group?.["tags"],
    ]).toStrictEqual(["k8s.30443.TCPSSL.web.shop.c1", "TCPSSL", false, tags]);
    expect(made("Backends")?.["groups"]).toMatchObject({
        "tcp-443": {
            backends: { "i-a": { weight: 100 }, "i-b": { weight: 100 } },
            port: 30443,
            groupType: "Instance",
            description: "k8s.30443.TCPSSL.web.shop.c1",
        },
    });
    const listener = made("Listener", "tcp-443");
    expect([
        listener?.["certificateIds"],
        listener?.["securityPolicyId"],
        listener?.["listenerDescription"],
    ]).toStrictEqual([["cert-1"], "tls_cipher_policy_1_0", "k8s.443.TCPSSL.web.shop.c1"]);
    expect(made("Listener", "tcp-80")?.["certificateIds"]).toBeUndefined();
    expect(made("NlbCertificateCheck")?.["listeners"]).toStrictEqual({ "tcpssl:443": ["cert-1"] });
    expect(made("ServiceStatus")?.["ingress"]).toStrictEqual([{ hostname: "nlb-1.example" }]);
    expect((made("Service")?.["spec"] as Inputs)["loadBalancerClass"]).toBe("ack-loadbalancer.io/nlb");
    expect(made("ServiceContract")?.["requested"]).toStrictEqual({
        loadBalancerType: "nlb",
        clusterId: "c1",
        ipVersion: "ipv4",
        vpcId: "vpc-found",
    });
});

test("NLB settings that the plugin lacks are set next to the plugin's resources", async () => {
    const made = await register({
        manifest: manifest(
            {
                "zone-maps": ZONES,
                "service.beta.kubernetes.io/backend-type": "eni",
                "listener-port-range": "8000-8100:80",
                "connection-drain": "on",
                "connection-drain-timeout": "5",
                "protocol-port": "tcpssl:443",
                "cert-id": "cert-1",
                "additional-cert-ids": "cert-3,cert-2",
                "ip-version": "DualStack",
                "backend-ip-version": "dualstack",
                "bandwidth-package-id": "cbwp-1",
            },
            { loadBalancerSourceRanges: ["10.0.0.0/8", "2001:db8::/32"] },
        ),
    });
    const listener = made("Listener", "tcp-80");
    expect([
        listener?.["listenerPort"],
        listener?.["startPort"],
        listener?.["endPort"],
        listener?.["listenerDescription"],
    ]).toStrictEqual([0, 8000, 8100, "k8s.8000_8100.TCP.web.shop.c1"]);
    const group = made("ServerGroup", "tcp-80");
    expect([
        group?.["anyPortEnabled"],
        group?.["addressIpVersion"],
        group?.["connectionDrainEnabled"],
        group?.["connectionDrainTimeout"],
    ]).toStrictEqual([true, "DualStack", true, undefined]);
    expect(made("ServerGroupOptions", "tcp-80")?.["options"]).toStrictEqual({
        ConnectionDrainTimeout: "5",
        IpVersionAffinityMode: "Affinity",
    });
    expect(made("Backends")?.["groups"]).toMatchObject({
        "tcp-80": { backends: { "10.0.0.1": { weight: 100 } }, port: 0 },
    });
    expect(made("AdditionalCertificates", "tcp-443")?.["certificates"]).toStrictEqual(["cert-2", "cert-3"]);
    const guard = made("SourceSecurityGroup");
    expect([guard?.["name"], guard?.["description"], guard?.["rules"]]).toStrictEqual([
        `k8s-nlb-${OWNER}`,
        "k8s.shop.web.c1",
        { "10.0.0.0/8": "accept", "2001:db8::/32": "accept", "0.0.0.0/0": "drop", "::/0": "drop" },
    ]);
    expect(made("LoadBalancer")?.["securityGroupIds"]).toStrictEqual(["web-id"]);
    expect(made("LoadbalancerCommonBandwidthPackageAttachment")?.["bandwidthPackageId"]).toBe("cbwp-1");
});

test("references may be outputs of other resources, and a program may set the type", async () => {
    const made = await register({
        service: { namespace: "shop", name: "web", selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
        loadBalancerType: "nlb",
        references: {
            zoneVswitches: {
                "cn-hangzhou-a": pulumi.output("vsw-later-a"),
                "cn-hangzhou-b": pulumi.output("vsw-later-b"),
            },
            securityGroupIds: [pulumi.output("sg-later")],
            bandwidthPackageId: pulumi.output("cbwp-later"),
        },
    });
    const zones = [
        { zoneId: "cn-hangzhou-a", vswitchId: "vsw-later-a" },
        { zoneId: "cn-hangzhou-b", vswitchId: "vsw-later-b" },
    ];
    expect([made("LoadBalancer")?.["zoneMappings"], made("LoadBalancer")?.["securityGroupIds"]]).toStrictEqual([
        zones,
        ["sg-later"],
    ]);
    expect(made("ZoneCheck")?.["vswitches"]).toStrictEqual({
        "cn-hangzhou-a": "vsw-later-a",
        "cn-hangzhou-b": "vsw-later-b",
    });
    expect(made("LoadbalancerCommonBandwidthPackageAttachment")?.["bandwidthPackageId"]).toBe("cbwp-later");
});

test("class and program must not contradict each other", async () => {
    await expect(register({ manifest: manifest({ "zone-maps": ZONES }), loadBalancerType: "clb" })).rejects.toThrow(
        /error\[service-class\].*asks for an NLB, but the program for a CLB/,
    );
});

test("the stored text of each dynamic provider only loads its handler", async () => {
    await register({
        manifest: manifest(
            {
                "zone-maps": ZONES,
                "connection-drain": "on",
                "connection-drain-timeout": "5",
                "protocol-port": "tcpssl:443",
                "cert-id": "c",
                "additional-cert-ids": "d",
            },
            { loadBalancerSourceRanges: ["10.0.0.0/8"] },
        ),
    });
    const dynamic = [...registered].filter(([, inputs]) => inputs["__provider"] !== undefined);
    expect(new Set(dynamic.map(([key]) => key.split(" ")[0])).size).toBe(10);
    for (const [key, inputs] of dynamic) {
        expect([key, inputs["__provider"]]).toStrictEqual([
            key,
            expect.stringMatching(/^exports\.handler = \(\) => require\("ack-loadbalancer\/dynamic\/[\w/-]+"\);$/),
        ]);
    }
});
