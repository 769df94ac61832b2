/** Requirements: A26, A35, A37, A38, A40, A41, A55, B02, C01, I07, I10, I14, I37, X11, X12, X17, X31. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
const { output } = pulumi;
import type { ClusterArgs } from "./cluster/args";
import { ServiceLoadBalancer } from "./service-load-balancer";
import type { ServiceLoadBalancerArgs } from "./service-load-balancer-args";

type Registered = { type: string; name: string; inputs: Record<string, unknown> };

const registered: Registered[] = [];

beforeAll(async () => {
    await pulumi.runtime.setMocks(
        {
            newResource: ({ type, name, inputs }) => {
                registered.push({ type, name, inputs: inputs as Record<string, unknown> });
                const kubernetes =
                    type === "kubernetes:core/v1:Service"
                        ? {
                              metadata: { uid: "5e4dbfc9-c2ae-4642-b033-5607860aef6a" },
                              spec: withNodePorts(inputs["spec"] as Spec),
                          }
                        : {};
                return { id: `${name}-id`, state: { ...inputs, ...kubernetes, address: "203.0.113.7" } };
            },
            call: () => ({}),
        },
        "project",
        "stack",
        false,
    );
});

afterAll(() => pulumi.runtime.disconnect());

interface Spec {
    ports: { port: number; protocol?: string }[];
}
const withNodePorts = (spec: Spec) => ({
    ...spec,
    ports: spec.ports.map((port) => ({ ...port, nodePort: 30000 + port.port })),
});

/** Makes a cluster of three nodes and three pods, without an API server. */
function cluster(facts: ClusterArgs, live?: object) {
    const node = (name: string) => ({
        metadata: { name },
        spec: { providerID: `cn-hangzhou.i-${name}` },
        status: { conditions: [{ type: "Ready", status: "True" }] },
    });
    const endpoint = (ip: string, nodeName: string) => ({ addresses: [ip], conditions: { ready: true }, nodeName });
    const view = {
        ...(live === undefined ? {} : { live }),
        predicted: live === undefined,
        nodes: [node("a"), node("b"), node("c")],
        endpointSlices: [
            {
                metadata: { name: "s" },
                addressType: "IPv4",
                ports: [{ name: "http", port: 8080, protocol: "TCP" }],
                endpoints: [endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b"), endpoint("10.0.0.3", "b")],
            },
        ],
    };
    return {
        facts,
        ids: { clusterId: facts.clusterId },
        known: pulumi.output(facts),
        connection: { kubeconfig: undefined, context: undefined, explicit: false },
        reads: {
            identity: () => Promise.resolve({ server: "https://api" }),
            view: () => Promise.resolve(view),
            edgeView: () => Promise.resolve(view),
            service: () => Promise.resolve(live),
        },
    };
}

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";

function manifest(name: string, more: { annotations?: Record<string, string>; spec?: object } = {}): object {
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: {
            name,
            namespace: "shop",
            annotations: Object.fromEntries(
                Object.entries(more.annotations ?? {}).map(([key, value]) => [PREFIX + key, value]),
            ),
        },
        spec: {
            type: "LoadBalancer",
            selector: { app: "web" },
            ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 8080 }],
            ...more.spec,
        },
    };
}

async function register(
    name: string,
    args: Omit<ServiceLoadBalancerArgs, "cluster">,
    live?: object,
): Promise<Map<string, Record<string, unknown>>> {
    registered.length = 0;
    const component = new ServiceLoadBalancer(name, {
        ...args,
        cluster: cluster({ clusterId: "c1" }, live) as unknown as ServiceLoadBalancerArgs["cluster"],
    });
    const children = [
        component.status,
        ...(component.release === undefined ? [] : [component.release]),
        ...(component.listenerOptions === undefined ? [] : [component.listenerOptions]),
        ...Object.values(component.listeners),
    ];
    await Promise.all(children.map((resource) => new Promise((resolve) => resource.urn.apply(resolve))));
    return new Map(registered.map((resource) => [`${resource.type} ${resource.name}`, resource.inputs]));
}

test("a Service becomes an instance with a listener, vServer group and backends for each port", async () => {
    const made = await register("web", {
        manifest: manifest("web", {
            spec: { externalTrafficPolicy: "Local" },
            annotations: { scheduler: "wrr", name: "web-lb" },
        }),
    });
    expect([...made.keys()].sort()).toStrictEqual([
        "ack-loadbalancer:index:ServiceLoadBalancer web",
        "alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer web",
        "alicloud:slb/listener:Listener web/tcp-80",
        "alicloud:slb/serverGroup:ServerGroup web/tcp-80",
        "kubernetes:core/v1:Service web",
        "pulumi-nodejs:dynamic/ack-loadbalancer:Backends web",
        "pulumi-nodejs:dynamic/ack-loadbalancer:ListenerOptions web",
        "pulumi-nodejs:dynamic/ack-loadbalancer:LoadBalancerRelease web",
        "pulumi-nodejs:dynamic/ack-loadbalancer:LoadBalancerRemnant web",
        "pulumi-nodejs:dynamic/ack-loadbalancer:ServiceContract web",
        "pulumi-nodejs:dynamic/ack-loadbalancer:ServiceStatus web",
    ]);
    const instance = made.get("alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer web");
    expect(instance?.["loadBalancerName"]).toBe("web-lb");
    expect(instance?.["deleteProtection"]).toBe("on");
    expect(instance?.["modificationProtectionReason"]).toBe("managed.by.ack.a5e4dbfc9c2ae4642b0335607860aef6");
    expect(instance?.["tags"]).toStrictEqual({
        "kubernetes.do.not.delete": "a5e4dbfc9c2ae4642b0335607860aef6",
        "ack.aliyun.com": "c1",
    });
    const backends = made.get("pulumi-nodejs:dynamic/ack-loadbalancer:Backends web");
    expect(backends?.["groups"]).toStrictEqual({
        "tcp-80": {
            serverGroupId: "web/tcp-80-id",
            description: "k8s/30080/web/shop/c1",
            port: 30080,
            backends: { "i-a": { weight: 1 }, "i-b": { weight: 2 } },
        },
    });
    expect(made.get("alicloud:slb/listener:Listener web/tcp-80")?.["description"]).toBe("k8s/80/web/shop/c1");
});

test("the Service carries our class and is not waited for", async () => {
    const made = await register("web2", { manifest: manifest("web2") });
    const service = made.get("kubernetes:core/v1:Service web2") as {
        metadata: { annotations: object };
        spec: { loadBalancerClass: string };
    };
    expect(service.spec.loadBalancerClass).toBe("ack-loadbalancer.io/clb");
    expect(service.metadata.annotations).toStrictEqual({
        "pulumi.com/skipAwait": "true",
        "ack-loadbalancer.io/stack": "project/stack",
    });
});

test("what the API server has written into a copied manifest is not applied", async () => {
    const copied = {
        ...manifest("web7"),
        status: { loadBalancer: { ingress: [{ ip: "203.0.113.1" }] } },
    } as unknown as { metadata: Record<string, unknown> };
    copied.metadata = { ...copied.metadata, uid: "u", resourceVersion: "7", managedFields: [], labels: { team: "a" } };
    const service = (await register("web7", { manifest: copied })).get("kubernetes:core/v1:Service web7");
    expect(Object.keys(service ?? {}).sort()).toStrictEqual(["apiVersion", "kind", "metadata", "spec"]);
    expect(Object.keys(service?.["metadata"] as object).sort()).toStrictEqual([
        "annotations",
        "labels",
        "name",
        "namespace",
    ]);
});

test("a followed Service is not applied, and its nodePort and uid are those of the cluster", async () => {
    const live = {
        ...manifest("web3"),
        metadata: { name: "web3", namespace: "shop", uid: "11111111-2222-3333-4444-555555555555" },
        spec: withNodePorts({ ports: [{ port: 80, protocol: "TCP" }] }),
    };
    const made = await register("web3", { manifest: manifest("web3"), follow: true }, live);
    expect([...made.keys()].some((key) => key.startsWith("kubernetes:"))).toBeFalsy();
    expect(made.get("pulumi-nodejs:dynamic/ack-loadbalancer:Backends web3")?.["groups"]).toMatchObject({
        "tcp-80": { port: 30080 },
    });
    expect(made.get("alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer web3")?.["loadBalancerName"]).toBe(
        "a11111111222233334444555555555555".slice(0, 32),
    );
});

test("a followed Service that the cluster lacks is a refusal of the contract", async () => {
    const made = await register("gone", { manifest: manifest("gone"), follow: true });
    expect(made.get("pulumi-nodejs:dynamic/ack-loadbalancer:ServiceContract gone")?.["problems"]).toStrictEqual([
        "Service shop/gone is not in the cluster. Remedy: apply it first, or let this stack apply it (without follow).",
    ]);
});

test("described in code with typed settings, a Service gives the same resources as its manifest", async () => {
    const fromManifest = await register("web4", {
        manifest: manifest("web4", { annotations: { scheduler: "wrr", "health-check-switch": "off" } }),
    });
    const fromCode = await register("web4", {
        service: {
            namespace: "shop",
            name: "web4",
            selector: { app: "web" },
            ports: [{ name: "http", port: 80, targetPort: 8080 }],
        },
        settings: { scheduler: "wrr", healthCheckSwitch: "off" },
    });
    for (const key of [
        "alicloud:slb/listener:Listener web4/tcp-80",
        "pulumi-nodejs:dynamic/ack-loadbalancer:ListenerOptions web4",
    ]) {
        expect([key, fromCode.has(key)]).toStrictEqual([key, true]);
        expect(fromCode.get(key)).toStrictEqual(fromManifest.get(key));
    }
});

test("every mistake is reported at once, with cause and remedy, and nothing is registered", async () => {
    const broken = manifest("web5", {
        annotations: { "address-type": "Internet", shceduler: "wrr", "protocol-port": "http:81" },
    });
    const error: unknown = await register("web5", { manifest: broken }).catch((reason: unknown) => reason);
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    for (const expected of [/address-type/, /"internet"/, /scheduler/, /81/, /remedy/i]) {
        expect((error as Error).message).toMatch(expected);
    }
    expect(registered).toStrictEqual([]);
});

test("the stored text of each dynamic provider only loads its handler", async () => {
    const made = await register("web6", {
        manifest: manifest("web6", { annotations: { "health-check-switch": "off" } }),
    });
    const dynamic = [...made].filter(([key]) => key.startsWith("pulumi-nodejs:"));
    expect(dynamic).toHaveLength(6);
    for (const [key, inputs] of dynamic) {
        expect([key, inputs["__provider"]]).toStrictEqual([
            key,
            expect.stringMatching(/^exports\.handler = \(\) => require\("ack-loadbalancer\/dynamic\/[\w/-]+"\);$/),
        ]);
    }
});

const LISTENER = "alicloud:slb/listener:Listener";

/** Inputs of a listener's options. */
function optionsOf(made: Map<string, Record<string, unknown>>, name: string, key = "tcp-80") {
    const { listeners } = made.get(`pulumi-nodejs:dynamic/ack-loadbalancer:ListenerOptions ${name}`) as {
        listeners: Record<string, { options: object; revision?: string }>;
    };
    return listeners[key];
}

const INSTANCE = "alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer";

test("what the plugin cannot say stands beside it, by the API's names", async () => {
    const l4 = await register("opt4", {
        manifest: manifest("opt4", {
            annotations: {
                "connection-drain": "on",
                "connection-drain-timeout": "30",
                "health-check-type": "http",
                "health-check-uri": "/",
                "health-check-method": "get",
            },
        }),
    });
    expect(optionsOf(l4, "opt4")?.options).toStrictEqual({
        ConnectionDrain: "on",
        ConnectionDrainTimeout: "30",
        HealthCheckSwitch: "on",
        HealthCheckMethod: "get",
        HealthCheckDomain: "$_ip",
        HealthCheckConnectPort: "-520",
    });
    const l7 = await register("opt7", {
        manifest: manifest("opt7", {
            annotations: {
                "protocol-port": "http:80",
                "xforwardedfor-slbport": "on",
                "xforwardedfor-clientsrcport": "on",
            },
        }),
    });
    expect(optionsOf(l7, "opt7")?.options).toStrictEqual({
        XForwardedFor_SLBPORT: "on",
        XForwardedFor_ClientSrcPort: "on",
    });
    const plain = await register("opt0", { manifest: manifest("opt0") });
    expect(optionsOf(plain, "opt0")?.options).toStrictEqual({
        HealthCheckSwitch: "on",
        ConnectionDrain: "off",
        HealthCheckConnectPort: "-520",
    });
});

test("listener options are read again only after the plugin writes a health check with a domain", async () => {
    const checked = { "protocol-port": "http:80", "health-check-flag": "on", "health-check-uri": "/" };
    const revision = async (annotations: Record<string, string>) =>
        optionsOf(await register("rev", { manifest: manifest("rev", { annotations }) }), "rev")?.revision;
    const first = await revision(checked);
    expect(String(first)).toMatch(/^[0-9a-f]{12}$/);
    expect(await revision(checked)).toBe(first);
    expect(await revision({ ...checked, "idle-timeout": "20" })).not.toBe(first);
    expect(await revision({ "protocol-port": "http:80", "xforwardedfor-slbport": "on" })).toBeUndefined();
});

test("every default of a listener is written out", async () => {
    const made = await register("defaults", {
        manifest: manifest("defaults", { annotations: { "protocol-port": "http:80" } }),
    });
    const inputs = made.get(`${LISTENER} defaults/tcp-80`) ?? {};
    const {
        frontendPort: _p,
        description: _d,
        loadBalancerId: _l,
        serverGroupId: _g,
        protocol: _q,
        ...settings
    } = inputs;
    expect(settings).toStrictEqual({
        scheduler: "rr",
        aclStatus: "off",
        listenerForward: "off",
        stickySession: "off",
        healthCheck: "off",
        idleTimeout: 15,
        requestTimeout: 60,
        xForwardedFor: { retriveSlbProto: false, retriveSlbIp: false, retriveSlbId: false },
    });
});

test("access control lists that the Service names are read, those that the program makes are not", async () => {
    const annotations = { "acl-status": "on", "acl-type": "white" };
    const check = "pulumi-nodejs:dynamic/ack-loadbalancer:AclCheck lists";
    const named = { ...annotations, "acl-id": "acl-two,acl-one" };
    const made = await register("lists", { manifest: manifest("lists", { annotations: named }) });
    expect(made.get(check)?.["lists"]).toStrictEqual(["acl-one", "acl-two"]);
    const off = await register("lists", {
        manifest: manifest("lists", { annotations: { ...named, "acl-status": "off" } }),
    });
    const own = await register("lists", {
        manifest: manifest("lists", { annotations }),
        references: { aclId: output("acl-later") },
    });
    expect([off.has(check), own.has(check)]).toStrictEqual([false, false]);
});

test("references may be outputs of other resources", async () => {
    const made = await register("refs", {
        manifest: manifest("refs", {
            annotations: { "protocol-port": "https:80", "acl-status": "on", "acl-type": "white" },
        }),
        references: { certId: output("cert-later"), aclId: output("acl-later"), resourceGroupId: output("rg-later") },
    });
    const listener = made.get(`${LISTENER} refs/tcp-80`);
    expect([listener?.["serverCertificateId"], listener?.["aclIds"]]).toStrictEqual(["cert-later", ["acl-later"]]);
    expect(made.get(`${INSTANCE} refs`)?.["resourceGroupId"]).toBe("rg-later");
    expect(made.get("pulumi-nodejs:dynamic/ack-loadbalancer:CertificateCheck refs")?.["certificates"]).toStrictEqual([
        "cert-later",
    ]);
    expect(
        (
            made.get("pulumi-nodejs:dynamic/ack-loadbalancer:ServiceContract refs")?.["requested"] as Record<
                string,
                string
            >
        )["resourceGroupId"],
    ).toBe("rg-later");
});
