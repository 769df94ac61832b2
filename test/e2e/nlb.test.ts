/**
 * A Service behind an NLB, from `pulumi up` to `pulumi destroy`, and what each step costs in API calls.
 * Only a run shows which calls the plugins and the hooks make together.
 *
 * Requirements: A62, B02, D33, F04, F05, F23, I54, X01, X02, X03, X20, X21, X23, X26, X30, X36,
 * X37, X38.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { applyYaml, scaleDeployment, type Session, waitForDeployment, waitForEndpoints } from "../../lab";
import { found } from "../support/found";
import { pattern } from "../support/pattern";
import {
    assertEmpty,
    callsOf,
    type CloudState,
    deploymentYaml,
    type ServiceSpec,
    Stack,
    startWorld,
    stateOf,
} from "../support/world";

const ZONES = "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b";

/** A certificate id of the lab's cloud. */
const CERTIFICATES = ["cert-one", "cert-two", "cert-three"];

const WEB: ServiceSpec = {
    name: "web",
    loadBalancerClass: "alibabacloud.com/nlb",
    annotations: {
        "zone-maps": ZONES,
        "protocol-port": "TCPSSL:443",
        "cert-id": "cert-one",
        "additional-cert-ids": "cert-two",
    },
    ports: [{ port: 80 }, { port: 53, protocol: "UDP" }, { port: 443 }],
};

/** The same Service with more annotations. */
const webWith = (annotations: Readonly<Record<string, string>>, more: Partial<ServiceSpec> = {}): ServiceSpec => ({
    ...WEB,
    ...more,
    annotations: { ...WEB.annotations, ...annotations },
});

let session: Session;
let stack: Stack;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_seed", {
        vSwitches: [
            { id: "vsw-lab-a2", vpcId: "vpc-lab", zoneId: "cn-hangzhou-a", cidr: "10.2.0.0/16" },
            { id: "vsw-lab-c", vpcId: "vpc-lab", zoneId: "cn-hangzhou-c", cidr: "10.3.0.0/16" },
        ],
        certificates: [
            ...CERTIFICATES.map((id) => ({ id })),
            { id: "77-cn-hangzhou", expiresAt: "2020-01-01T00:00:00Z" },
        ],
        securityGroups: [{ id: "sg-one" }, { id: "sg-two" }],
        bandwidthPackages: [{ id: "cbwp-one" }],
        eips: [{ id: "eip-one" }],
    });
    stack = await Stack.create(session, "nlb", [WEB]);
});

afterAll(async () => {
    await session.lab.stop();
});

/** Actions that changed something, in their order. */
async function writesOf(operation: () => Promise<unknown>): Promise<string[]> {
    const since = await session.lastCall();
    await operation();
    return (await session.calls(since)).filter((call) => call.mutating).map(({ action }) => action);
}

const up = async (...services: readonly ServiceSpec[]): Promise<string> => {
    stack.write(services);
    return stack.succeed(await stack.up());
};

async function cloudOf(name: string): Promise<{
    instance: CloudState["nlb"]["loadBalancers"][number];
    listener: (protocol: string) => CloudState["nlb"]["listeners"][number];
    group: (protocol: string) => CloudState["nlb"]["serverGroups"][number];
}> {
    const { nlb } = await stateOf(session);
    const own = nlb.listeners.filter(({ description }) => description.includes(`.${name}.`));
    const listener = (protocol: string) =>
        found(
            own.find((one) => one.protocol === protocol),
            `${protocol} listener`,
        );
    const instance = found(
        nlb.loadBalancers.find(({ id }) => id === own[0]?.loadBalancerId),
        `instance of ${name}`,
    );
    return {
        instance,
        listener,
        group: (protocol) =>
            found(
                nlb.serverGroups.find(({ id }) => id === listener(protocol).serverGroupId),
                `${protocol} group`,
            ),
    };
}

test("preview refuses invalid values with their places, and a vSwitch outside its zone", async () => {
    const calls = await callsOf(session, async () => {
        stack.write([
            webWith({
                "zone-maps": "cn-hangzhou-a:vsw-lab-a",
                "idle-timeout": "5000",
                scheduler: "random",
                "ipv6-address-type": "internet",
            }),
        ]);
        const text = stack.fail(await stack.up());
        for (const expected of [
            /services\.yaml:\d+:\d+: error\[annotation-value\].*zone-maps/,
            /idle-timeout/,
            /"random"/,
            /error\[annotation-companion\].*ipv6-address-type/,
            /remedy:/,
        ]) {
            expect(text).toMatch(expected);
        }
    });
    expect(calls).toStrictEqual({});
    stack.write([webWith({ "zone-maps": "cn-hangzhou-b:vsw-lab-a,cn-hangzhou-a:vsw-none" })]);
    const since = await session.lastCall();
    const text = stack.fail(await stack.up());
    expect(text).toMatch(/vSwitch "vsw-lab-a" is in zone cn-hangzhou-a, not in cn-hangzhou-b/);
    expect(text).toMatch(/there is no vSwitch "vsw-none".*Remedy: /);
    expect((await session.calls(since)).every((call) => !call.mutating)).toBeTruthy();
});

test("preview shows the result of a dry run of the creation", async () => {
    const taken = webWith({ "zone-maps": "cn-hangzhou-a:vsw-lab-a:10.0.0.200,cn-hangzhou-b:vsw-lab-b::eip-none" });
    stack.write([taken]);
    const since = await session.lastCall();
    const text = stack.fail(await stack.preview());
    expect(text).toMatch(
        /Service default\/web: the cloud would not make the load balancer\. CreateLoadBalancer failed: /,
    );
    const asked = (await session.calls(since)).filter(({ action }) => action === "CreateLoadBalancer");
    expect(asked.map(({ params, mutating }) => [params["DryRun"], mutating])).toStrictEqual([["true", false]]);
    stack.write([WEB]);
    expect(stack.succeed(await stack.preview("--diff"))).toMatch(/dryRun *: "CreateLoadBalancer: passed"/);
    await session.cloud("/_faults", [
        { product: "Nlb", action: "CreateLoadBalancer", code: "Forbidden.RAM", status: 403, times: 1 },
    ]);
    expect(stack.succeed(await stack.preview("--diff"))).toMatch(
        /dryRun *: "CreateLoadBalancer: the cloud could not be asked \(Forbidden.RAM\)"/,
    );
    expect((await stateOf(session)).nlb.loadBalancers).toStrictEqual([]);
});

test("preview refuses a missing or expired certificate with its listener", async () => {
    stack.write([webWith({ "cert-id": "12315790-cn-hangzhou", "additional-cert-ids": "cert-two,77-cn-hangzhou" })]);
    const writes = await writesOf(async () => {
        const text = stack.fail(await stack.preview());
        expect(text).toMatch(
            pattern(
                /Service default\/web: listener tcpssl:443: .*/,
                / has no certificate "12315790-cn-hangzhou"\. Remedy: upload it/,
            ),
        );
        expect(text).toMatch(/listener tcpssl:443: certificate "77-cn-hangzhou" has expired\. Remedy: /);
        expect(text).not.toContain('"cert-two"');
    });
    expect(writes).toStrictEqual([]);
});

test("up creates an instance, and a listener and a server group for each port", async () => {
    stack.write([WEB]);
    const calls = await callsOf(session, async () => stack.succeed(await stack.up()));
    const {
        CreateLoadBalancer,
        CreateServerGroup,
        CreateListener,
        AddServersToServerGroup,
        AssociateAdditionalCertificatesWithListener,
        GetJobStatus,
    } = calls;
    expect({
        CreateLoadBalancer,
        CreateServerGroup,
        CreateListener,
        AddServersToServerGroup,
        AssociateAdditionalCertificatesWithListener,
        GetJobStatus,
    }).toStrictEqual({
        CreateLoadBalancer: 1,
        CreateServerGroup: 3,
        CreateListener: 3,
        AddServersToServerGroup: 3,
        AssociateAdditionalCertificatesWithListener: 1,
        GetJobStatus: 4,
    });
    const { instance, listener, group } = await cloudOf("web");
    expect([
        instance.addressType,
        instance.deletionProtection.enabled,
        instance.modificationProtection.status,
    ]).toStrictEqual(["Internet", true, "ConsoleProtection"]);
    expect(instance.tags).toStrictEqual({ "ack.aliyun.com": "c-test", "kubernetes.do.not.delete": instance.name });
    expect(instance.zones.map(({ zoneId, vSwitchId }) => `${zoneId}:${vSwitchId}`).sort()).toStrictEqual(
        ZONES.split(","),
    );
    expect([listener("TCPSSL").certificateIds, listener("TCPSSL").additionalCertificateIds]).toStrictEqual([
        ["cert-one"],
        ["cert-two"],
    ]);
    for (const protocol of ["TCP", "UDP", "TCPSSL"]) {
        const { name, servers, protocol: spoken, preserveClientIpEnabled, tags } = group(protocol);
        expect(name).toMatch(new RegExp(`^k8s\\.3\\d{4}\\.${protocol}\\.web\\.default\\.c-test$`));
        expect([spoken, preserveClientIpEnabled, tags]).toStrictEqual([protocol, protocol !== "TCPSSL", instance.tags]);
        expect(servers).toHaveLength(3);
        for (const { serverType, weight, description, port } of servers) {
            expect([serverType, weight, description, `k8s.${port}`]).toStrictEqual([
                "Ecs",
                100,
                name,
                name.split(".").slice(0, 2).join("."),
            ]);
        }
    }
});

test("kubectl shows the DNS name, and the Service has the package's class", async () => {
    const { text } = await session.run("kubectl", [
        "get",
        "service",
        "web",
        "-o",
        "jsonpath={.status.loadBalancer.ingress} {.spec.loadBalancerClass}",
    ]);
    expect(text.trim()).toBe(`[{"hostname":"${(await cloudOf("web")).instance.dnsName}"}] ack-loadbalancer.io/nlb`);
});

test("a run without changes makes no call", async () => {
    expect(await callsOf(session, async () => stack.succeed(await stack.up("--expect-no-changes")))).toStrictEqual({});
});

test("annotations are updated in place, and return to their defaults when removed", async () => {
    const before = await cloudOf("web");
    const changed = {
        scheduler: "wlc",
        "idle-timeout": "60",
        cps: "500",
        "proxy-protocol": "on",
        "connection-drain": "on",
        "connection-drain-timeout": "5",
        "tls-cipher-policy": "tls_cipher_policy_1_2",
        alpn: "on",
        "alpn-policy": "HTTP2Preferred",
        "additional-cert-ids": "cert-three",
        "health-check-type": "http",
        "health-check-uri": "/ready",
        "cross-zone-enabled": "off",
        name: "web-lb",
        "additional-resource-tags": "team=a",
        "bandwidth-package-id": "cbwp-one",
        "security-group-ids": "sg-one,sg-two",
    };
    const writes = await writesOf(() => up(webWith(changed)));
    expect(writes.filter((action) => /^(Create|Delete)/.test(action))).toStrictEqual([]);
    const { instance, listener, group } = await cloudOf("web");
    expect([instance.id, listener("TCP").id, group("TCP").id]).toStrictEqual([
        before.instance.id,
        before.listener("TCP").id,
        before.group("TCP").id,
    ]);
    expect([
        instance.name,
        instance.crossZoneEnabled,
        instance.bandwidthPackageId,
        [...instance.securityGroupIds].sort(),
        instance.tags["team"],
    ]).toStrictEqual(["web-lb", false, "cbwp-one", ["sg-one", "sg-two"], "a"]);
    const tls = listener("TCPSSL");
    expect([tls.securityPolicyId, tls.alpnPolicy, tls.additionalCertificateIds, tls.cps]).toStrictEqual([
        "tls_cipher_policy_1_2",
        "HTTP2Preferred",
        ["cert-three"],
        500,
    ]);
    expect([
        listener("UDP").idleTimeout,
        listener("TCP").idleTimeout,
        listener("TCP").proxyProtocolEnabled,
    ]).toStrictEqual([60, 60, true]);
    const { scheduler, connectionDrainEnabled, connectionDrainTimeout, healthCheck } = group("TCP");
    expect([
        scheduler,
        connectionDrainEnabled,
        connectionDrainTimeout,
        healthCheck["HealthCheckType"],
        healthCheck["HealthCheckUrl"],
    ]).toStrictEqual(["Wlc", true, 5, "HTTP", "/ready"]);

    await up(WEB);
    const after = await cloudOf("web");
    expect([
        after.instance.name,
        after.instance.crossZoneEnabled,
        after.instance.bandwidthPackageId,
        after.instance.securityGroupIds,
        after.instance.tags["team"],
    ]).toStrictEqual([before.instance.name, true, "", [], undefined]);
    expect([
        after.listener("TCP").idleTimeout,
        after.listener("TCP").proxyProtocolEnabled,
        after.listener("TCPSSL").securityPolicyId,
        after.listener("TCPSSL").alpnPolicy,
    ]).toStrictEqual([900, false, "tls_cipher_policy_1_0", ""]);
    expect([after.listener("TCPSSL").additionalCertificateIds, after.listener("TCP").cps ?? 0]).toStrictEqual([
        ["cert-two"],
        0,
    ]);
    expect([
        after.group("TCP").scheduler,
        after.group("TCP").connectionDrainEnabled,
        after.group("TCP").healthCheck["HealthCheckType"],
    ]).toStrictEqual(["Wrr", false, "TCP"]);
});

/** A Service whose first port is replaced in the course of the next tests. */
const first = (ports: ServiceSpec["ports"], protocolPort: string): ServiceSpec => ({
    name: "first",
    loadBalancerClass: "alibabacloud.com/nlb",
    policy: "Local",
    annotations: { "zone-maps": ZONES, "protocol-port": protocolPort, "cert-id": "cert-one" },
    ...(ports && { ports }),
});

const zonesNow = async () =>
    (await cloudOf("web")).instance.zones.map(({ zoneId, vSwitchId }) => `${zoneId}:${vSwitchId}`).sort();

test("a zone's vSwitch or address, which the plugin does not compare, changes in place", async () => {
    const changed = (eip: string) =>
        webWith({ "zone-maps": `cn-hangzhou-a:vsw-lab-a2:10.2.0.77:${eip},cn-hangzhou-b:vsw-lab-b` });
    stack.write([changed("eip-none")]);
    expect(stack.fail(await stack.preview())).toMatch(
        /the cloud would not change the zones of nlb-\w+\. UpdateLoadBalancerZones failed: /,
    );
    stack.write([changed("eip-one")]);
    const writes = await writesOf(async () => expect(stack.succeed(await stack.up("--diff"))).toMatch(/vsw-lab-a2/));
    expect(writes).toStrictEqual(["UpdateLoadBalancerZones"]);
    const zone = (await cloudOf("web")).instance.zones.find(({ zoneId }) => zoneId === "cn-hangzhou-a");
    expect([zone?.vSwitchId, zone?.privateAddress, zone?.allocationId]).toStrictEqual([
        "vsw-lab-a2",
        "10.2.0.77",
        "eip-one",
    ]);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

test("zones are added and changed in place, and so is the address type", async () => {
    const { instance } = await cloudOf("web");
    await up(
        webWith({
            "zone-maps": "cn-hangzhou-a:vsw-lab-a2,cn-hangzhou-b:vsw-lab-b,cn-hangzhou-c:vsw-lab-c",
            "address-type": "intranet",
        }),
        first([{ port: 53 }, { port: 8080 }], "tcpssl:53"),
    );
    const after = (await cloudOf("web")).instance;
    expect([after.id, after.addressType]).toStrictEqual([instance.id, "Intranet"]);
    expect(await zonesNow()).toStrictEqual([
        "cn-hangzhou-a:vsw-lab-a2",
        "cn-hangzhou-b:vsw-lab-b",
        "cn-hangzhou-c:vsw-lab-c",
    ]);
});

const LATER = first([{ port: 8080 }, { port: 53 }], "tcpssl:8080,tcpssl:53");

test("zones and address type change back, and backends stay while the first port is replaced", async () => {
    const { instance } = await cloudOf("web");
    const since = await session.lastCall();
    await up(WEB, LATER);
    const calls = (await session.calls(since)).map(({ action }) => action);
    expect(calls).not.toContain("RemoveServersFromServerGroup");
    const { serverGroups } = (await stateOf(session)).nlb;
    const own = serverGroups.filter(({ name }) => name.includes(".first."));
    expect(own.map(({ servers }) => servers.length > 0)).toStrictEqual([true, true]);
    expect(await zonesNow()).toStrictEqual(ZONES.split(","));
    const after = (await cloudOf("web")).instance;
    expect([after.id, after.addressType]).toStrictEqual([instance.id, "Internet"]);
});

test("source ranges become a managed security group, whose rules exist before the instance joins", async () => {
    const guarded: ServiceSpec = webWith(
        { "security-group-ids": "sg-one" },
        { sourceRanges: ["10.0.0.0/8", "192.168.0.0/16"] },
    );
    const writes = await writesOf(() => up(guarded, LATER));
    expect(writes).toStrictEqual(["CreateSecurityGroup", "AuthorizeSecurityGroup", "LoadBalancerJoinSecurityGroup"]);
    const rules = async () => {
        const group = (await stateOf(session)).ecs.securityGroups.find(({ name }) => name.startsWith("k8s-nlb-"));
        return (
            group && {
                id: group.id,
                rules: group.permissions
                    .map(({ policy, priority, sourceCidrIp }) => `${policy} ${sourceCidrIp} ${priority}`)
                    .sort(),
            }
        );
    };
    const made = await rules();
    expect(made?.rules).toStrictEqual(["accept 10.0.0.0/8 1", "accept 192.168.0.0/16 1", "drop 0.0.0.0/0 100"]);
    expect([...(await cloudOf("web")).instance.securityGroupIds].sort()).toStrictEqual([made?.id, "sg-one"].sort());
    expect(
        await writesOf(() => up({ ...guarded, sourceRanges: ["172.16.0.0/12", "192.168.0.0/16"] }, LATER)),
    ).toStrictEqual(["AuthorizeSecurityGroup", "RevokeSecurityGroup"]);
    expect((await rules())?.rules).toStrictEqual([
        "accept 172.16.0.0/12 1",
        "accept 192.168.0.0/16 1",
        "drop 0.0.0.0/0 100",
    ]);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));

    // Without source ranges, and with a port less that speaks TLS.
    const before = await cloudOf("web");
    await up({ ...WEB, annotations: { "zone-maps": ZONES } });
    expect([await rules(), (await cloudOf("web")).instance.securityGroupIds]).toStrictEqual([undefined, []]);
    const { nlb } = await stateOf(session);
    expect(nlb.listeners.map(({ protocol, port }) => `${protocol}:${port}`).sort()).toStrictEqual([
        "TCP:443",
        "TCP:80",
        "UDP:53",
    ]);
    // A change of protocol replaces only the listener and server group of that port.
    expect(nlb.listeners.some(({ id }) => id === before.listener("UDP").id)).toBeTruthy();
    expect(nlb.serverGroups).toHaveLength(3);
});

test("changes of IP version, resource group and load balancer type are refused", async () => {
    const since = await session.lastCall();
    stack.write([webWith({ "ip-version": "DualStack", "resource-group-id": "rg-other" })]);
    const refused = stack.fail(await stack.preview());
    expect(refused).toMatch(/ipVersion cannot change from "ipv4" to "DualStack".*Remedy: /);
    expect(refused).toMatch(/resourceGroupId cannot change from .* to "rg-other".*Remedy: /);
    stack.write([{ name: "web", ports: WEB.ports ?? [] }]);
    expect(stack.fail(await stack.preview())).toMatch(
        /spec\.loadBalancerClass cannot change from an NLB to a CLB.*Remedy: /,
    );
    expect((await session.calls(since)).every((call) => !call.mutating)).toBeTruthy();
    stack.write([WEB]);
});

/** The Service once its IP version has changed. */
const DUAL = webWith({ "ip-version": "DualStack" });

test("a permitted change of the IP version replaces the instance and keeps its server groups", async () => {
    const before = await cloudOf("web");
    await stack.config("allowReplacement", '{"default/web": ["ipVersion"]}');
    await up(DUAL);
    const { nlb } = await stateOf(session);
    expect([nlb.loadBalancers.length, nlb.listeners.length, nlb.loadBalancers[0]?.addressIpVersion]).toStrictEqual([
        1,
        3,
        "DualStack",
    ]);
    expect(nlb.loadBalancers[0]?.id).not.toBe(before.instance.id);
    expect((await cloudOf("web")).group("TCP").id).toBe(before.group("TCP").id);
    await stack.config("allowReplacement", "{}");
});

/** The Service once the IP version of its server groups has changed, too. */
const DUAL_GROUPS = webWith({ "ip-version": "DualStack", "backend-ip-version": "dualstack" });

test("server groups whose IP version changes are made again, and no listener is lost", async () => {
    const before = (await stateOf(session)).nlb;
    const writes = await writesOf(() => up(DUAL_GROUPS));
    expect(writes.filter((action) => /^(?:Create|Delete)Listener$/.test(action))).toStrictEqual([]);
    const { nlb } = await stateOf(session);
    expect(nlb.serverGroups.map((group) => group.addressIpVersion)).toStrictEqual(
        before.serverGroups.map(() => "DualStack"),
    );
    expect(nlb.listeners.map(({ id }) => id)).toStrictEqual(before.listeners.map(({ id }) => id));
    const groups = new Set(nlb.serverGroups.map(({ id }) => id));
    expect(nlb.listeners.every(({ serverGroupId }) => groups.has(serverGroupId))).toBeTruthy();
});

test("a permitted change of the resource group replaces the instance and moves its groups", async () => {
    const guarded: ServiceSpec = { ...DUAL_GROUPS, sourceRanges: ["10.0.0.0/8"] };
    await up(guarded);
    await stack.config("allowReplacement", '{"default/web": ["resourceGroupId"]}');
    await up({ ...guarded, annotations: { ...DUAL_GROUPS.annotations, "resource-group-id": "rg-other" } });
    const { nlb, ecs } = await stateOf(session);
    const own = ecs.securityGroups.filter(({ name }) => name.startsWith("k8s-nlb-"));
    const groups = [nlb.loadBalancers, nlb.serverGroups, own].map((all) => all.map((one) => one.resourceGroupId));
    expect(groups).toStrictEqual([["rg-other"], ["rg-other", "rg-other", "rg-other"], ["rg-other"]]);
    // The objects stay in the group when the annotation goes.
    await up(DUAL_GROUPS);
    await stack.config("allowReplacement", "{}");
});

test("a range of ports goes from a port of the Service to another in a run", async () => {
    const ranged = (range: string, ...ports: readonly number[]): ServiceSpec => ({
        name: "ranged",
        loadBalancerClass: "ack-loadbalancer.io/nlb",
        annotations: {
            "zone-maps": ZONES,
            "service.beta.kubernetes.io/backend-type": "eni",
            "server-group-type": "Ip",
            "listener-port-range": range,
        },
        ports: ports.map((port) => ({ port })),
    });
    const listeners = async (): Promise<string[]> => {
        const { nlb } = await stateOf(session);
        const { id } = (await cloudOf("ranged")).instance;
        return nlb.listeners
            .filter(({ loadBalancerId }) => loadBalancerId === id)
            .map(({ port, startPort, endPort }) => `${startPort ?? port}-${endPort ?? port}`)
            .sort();
    };
    for (const [spec, expected] of [
        [ranged("20000-20020:80", 80, 443), ["20000-20020", "443-443"]],
        // A port that stays and has no range any more, and a port that goes.
        [ranged("20000-20010:443", 80, 443), ["20000-20010", "80-80"]],
        [ranged("20005-20015:8080", 80, 8080), ["20005-20015", "80-80"]],
    ] as const) {
        await up(DUAL_GROUPS, spec);
        expect(await listeners()).toStrictEqual(expected);
    }
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    await up(DUAL_GROUPS);
});

test("81 pods need three batches of servers, and one more pod one write", async () => {
    await applyYaml(session.lab.cluster, deploymentYaml("many", 81));
    await waitForDeployment(session.lab.cluster, "default", "many");
    const many: ServiceSpec = {
        name: "many",
        selector: "many",
        loadBalancerClass: "ack-loadbalancer.io/nlb",
        annotations: {
            "zone-maps": ZONES,
            "service.beta.kubernetes.io/backend-type": "eni",
            "server-group-type": "Ip",
            hostname: "a.example",
        },
    };
    stack.write([DUAL_GROUPS, many]);
    const calls = await callsOf(session, async () => {
        const text = stack.succeed(await stack.up());
        expect(text).toMatch(/warning: (\S+: )?\[annotation-scope\] Service .*hostname.*applies to a CLB only/);
    });
    expect([calls["AddServersToServerGroup"], calls["GetJobStatus"]]).toStrictEqual([3, 3]);
    const { servers, type } = (await cloudOf("many")).group("TCP");
    expect([
        type,
        servers.length,
        new Set(servers.map(({ serverType, port }) => `${serverType} ${port}`)),
    ]).toStrictEqual(["Ip", 81, new Set(["Ip 8080"])]);
    expect(servers.every(({ serverId, serverIp }) => serverId === serverIp)).toBeTruthy();
    await waitForEndpoints(session.lab.cluster, "default", "many", 81);
    await scaleDeployment(session.lab.cluster, "default", "many", 82);
    await waitForDeployment(session.lab.cluster, "default", "many");
    await waitForEndpoints(session.lab.cluster, "default", "many", 82);
    expect(await callsOf(session, async () => stack.succeed(await stack.up()))).toStrictEqual({
        AddServersToServerGroup: 1,
        GetJobStatus: 1,
    });
});

test("a failed job fails the run, and the next run completes the change", async () => {
    const wanted = { ...DUAL_GROUPS, annotations: { ...DUAL_GROUPS.annotations, "default-weight": "40" } };
    await session.cloud("/_faults", [{ action: "UpdateServerGroupServersAttribute", jobFails: true, times: 6 }]);
    stack.write([wanted]);
    expect(stack.fail(await stack.up())).toMatch(/UpdateServerGroupServersAttribute failed.*job-/s);
    await session.cloud("/_faults", undefined, "DELETE");
    stack.succeed(await stack.up());
    expect((await cloudOf("web")).group("TCP").servers.map(({ weight }) => weight)).toStrictEqual([40, 40, 40]);
});

test("a user-managed server in the group stays, and a listener that was stopped is started", async () => {
    const { group, listener } = await cloudOf("web");
    await session.cloud("/_seed", { instances: [{ id: "i-user", privateIp: "10.9.9.9" }] });
    const Servers = [
        { ServerId: "i-user", ServerType: "Ecs", Port: 9000, Weight: 10, Description: "put here by hand" },
    ];
    for (const [action, params] of [
        ["AddServersToServerGroup", { ServerGroupId: group("TCP").id, Servers }],
        ["StopListener", { ListenerId: listener("TCP").id }],
    ] as const)
        await session.cloud("/_console", { product: "Nlb", action, params, as: "other" });
    expect(await writesOf(async () => stack.succeed(await stack.up("--refresh")))).toStrictEqual(["StartListener"]);
    expect((await cloudOf("web")).group("TCP").servers.some(({ serverId }) => serverId === "i-user")).toBeTruthy();
});

test("destroy makes one delete for the instance and one for each server group, as CCM does", async () => {
    const writes = await writesOf(async () => stack.succeed(await stack.destroy()));
    expect(writes).toStrictEqual([
        "UpdateLoadBalancerProtection",
        "DeleteLoadBalancer",
        "DeleteServerGroup",
        "DeleteServerGroup",
        "DeleteServerGroup",
    ]);
    assertEmpty(await stateOf(session));
});

test("a creation with a lost response is repeated and creates nothing twice", async () => {
    const versions = { "ip-version": "DualStack", "backend-ip-version": "dualstack", "ipv6-address-type": "internet" };
    stack.write([webWith({ ...versions, "preserve-lb-on-delete": "true" }, { sourceRanges: ["10.0.0.0/8"] })]);
    // Each call has an idempotency token, by which the cloud recognises a retry of the plugin.
    for (const action of ["CreateServerGroup", "CreateLoadBalancer", "CreateListener"]) {
        await session.cloud("/_faults", [{ product: "Nlb", action, dropAfterEffect: true, times: 1 }]);
    }
    stack.succeed(await stack.up());
    const { nlb } = await stateOf(session);
    expect([nlb.loadBalancers.length, nlb.listeners.length, nlb.serverGroups.length]).toStrictEqual([1, 3, 3]);
    expect([nlb.loadBalancers[0]?.addressIpVersion, nlb.loadBalancers[0]?.ipv6AddressType]).toStrictEqual([
        "DualStack",
        "Internet",
    ]);
    expect(new Set(nlb.serverGroups.map(({ ipVersionAffinityMode }) => ipVersionAffinityMode))).toStrictEqual(
        new Set(["Affinity"]),
    );
});

test("a preserved instance keeps listeners, groups and servers, without protections and tags", async () => {
    await stack.remove();
    const { nlb, ecs } = await stateOf(session);
    const [instance] = nlb.loadBalancers;
    expect([
        instance?.deletionProtection.enabled,
        instance?.modificationProtection.status,
        instance?.tags,
    ]).toStrictEqual([false, "NonProtection", {}]);
    expect([nlb.listeners.length, nlb.serverGroups.length]).toStrictEqual([3, 3]);
    for (const { tags, servers } of nlb.serverGroups) {
        expect([tags, servers.length]).toStrictEqual([{}, 3]);
    }
    expect(ecs.securityGroups.some(({ id }) => instance?.securityGroupIds.includes(id))).toBeTruthy();
});
