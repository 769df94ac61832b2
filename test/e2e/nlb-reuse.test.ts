/**
 * Services on user-managed NLB instances: what is refused, what is managed, and what stays when they are detached.
 * Only a run shows in which order the engine writes to an instance that others use.
 *
 * Requirements: A07, A08, A59, A60, E01, E02, E03, E04, E05, E06, E07, E09, E13, E16, E17, E18, E20, F11, F12, I24,
 * X07, X08, X14.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { addressesOfServices } from "../support/addresses";
import { forget } from "../support/forget";
import { found } from "../support/found";
import { pattern } from "../support/pattern";
import { WHOLE } from "../support/sample";
import { type CloudState, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const ID = "nlb-users";
const FORCED = { "force-override-listeners": "true" };
const ZONES = "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b";

let session: Session;
let stack: Stack;

/** A Service with a managed NLB. */
const own = (annotations: Record<string, string> = {}): ServiceSpec => ({
    name: "web",
    loadBalancerClass: "alibabacloud.com/nlb",
    annotations: { "zone-maps": ZONES, ...annotations },
});

/** A Service named by its instance. */
const on = (id: string, annotations: Record<string, string> = {}, more: Partial<ServiceSpec> = {}): ServiceSpec => ({
    name: "web",
    loadBalancerClass: "alibabacloud.com/nlb",
    ...more,
    annotations: { id, ...annotations },
});

const call = (action: string, params: Record<string, string>, id?: string) => ({
    product: "Nlb",
    action,
    params,
    ...(id === undefined ? {} : { id }),
});
const zones = (...pairs: readonly (readonly [string, string])[]) =>
    Object.fromEntries(
        pairs.flatMap(([zone, vSwitch], index) => [
            [`ZoneMappings.${index + 1}.ZoneId`, zone],
            [`ZoneMappings.${index + 1}.VSwitchId`, vSwitch],
        ]),
    );
const LAB_ZONES = zones(["cn-hangzhou-a", "vsw-lab-a"], ["cn-hangzhou-b", "vsw-lab-b"]);
const instance = (id: string, params: Record<string, string> = {}) =>
    call(
        "CreateLoadBalancer",
        { LoadBalancerName: id, AddressType: "Internet", VpcId: "vpc-lab", ...LAB_ZONES, ...params },
        id,
    );
const listener = (id: string, loadBalancerId: string, port: string, params: Record<string, string> = {}) =>
    call(
        "CreateListener",
        {
            LoadBalancerId: loadBalancerId,
            ListenerProtocol: "TCP",
            ListenerPort: port,
            ServerGroupId: "sgp-users",
            ...params,
        },
        id,
    );
const group = (id: string, params: Record<string, string> = {}) =>
    call("CreateServerGroup", { ServerGroupName: `group ${id}`, VpcId: "vpc-lab", Protocol: "TCP", ...params }, id);
const member = {
    "Servers.1.ServerId": "i-users",
    "Servers.1.ServerType": "Ecs",
    "Servers.1.Port": "8000",
    "Servers.1.Weight": "70",
    "Servers.1.Description": "by hand",
};

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_seed", {
        vpcs: [{ id: "vpc-other", cidr: "172.30.0.0/16" }],
        vSwitches: [
            { id: "vsw-other-a", vpcId: "vpc-other", zoneId: "cn-hangzhou-a", cidr: "172.30.0.0/24" },
            { id: "vsw-other-b", vpcId: "vpc-other", zoneId: "cn-hangzhou-b", cidr: "172.30.1.0/24" },
            { id: "vsw-lab-c", vpcId: "vpc-lab", zoneId: "cn-hangzhou-c", cidr: "10.3.0.0/16" },
        ],
        instances: [{ id: "i-users", privateIp: "10.9.9.9" }],
        certificates: [{ id: "cert-one" }],
        securityGroups: [{ id: "sg-one" }, { id: "sg-two" }],
        bandwidthPackages: [{ id: "cbwp-one" }],
        calls: [
            instance(ID, { "Tag.1.Key": "team", "Tag.1.Value": "users", "SecurityGroupIds.1": "sg-one" }),
            instance("nlb-second"),
            instance("nlb-cluster", { "Tag.1.Key": "ack.aliyun.com", "Tag.1.Value": "c9" }),
            instance("nlb-worst", { AddressType: "Intranet", "Tag.1.Key": "ack.aliyun.com", "Tag.1.Value": "c9" }),
            instance("nlb-api"),
            instance("nlb-denied"),
            instance("nlb-inner", { AddressType: "Intranet" }),
            instance("nlb-elsewhere", {
                VpcId: "vpc-other",
                ...zones(["cn-hangzhou-a", "vsw-other-a"], ["cn-hangzhou-b", "vsw-other-b"]),
            }),
            group("sgp-users"),
            group("sgp-any", { AnyPortEnabled: "true" }),
            group("sgp-addresses", { ServerGroupType: "Ip" }),
            call("AddServersToServerGroup", { ServerGroupId: "sgp-users", ...member }),
            listener("lsn-web", ID, "80", { ListenerDescription: "users' web" }),
            listener("lsn-own", ID, "0", {
                ListenerDescription: "users' own",
                StartPort: "9000",
                EndPort: "9100",
                ServerGroupId: "sgp-any",
            }),
            listener("lsn-api", "nlb-api", "6443"),
            listener("lsn-worst", "nlb-worst", "6443"),
        ],
    });
    stack = await Stack.create(session, "nlb-reuse", []);
    await stack.config("vpcId", "vpc-lab");
    await stack.config("deniedLoadBalancers", '["nlb-denied", "nlb-worst"]');
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

/** Changes something outside Pulumi. */
const byHand = async (action: string, params: object): Promise<void> => {
    const answer = await session.cloud<{ readonly status: number }>("/_console", {
        product: "Nlb",
        action,
        params,
        as: "other",
    });
    expect(answer).toMatchObject({ status: 200 });
};
const listenersOf = ({ nlb }: CloudState, id: string) =>
    nlb.listeners
        .filter(({ loadBalancerId }) => loadBalancerId === id)
        .map(
            ({ protocol, port, startPort, endPort, description }) =>
                `${protocol}:${port === 0 ? `${startPort}-${endPort}` : port} ${description}`,
        )
        .sort();
const groupsOf = ({ nlb }: CloudState, service: string) =>
    nlb.serverGroups.filter(({ name }) => name.includes(`.${service}.`));
const instanceOf = ({ nlb }: CloudState, id: string) =>
    found(
        nlb.loadBalancers.find((one) => one.id === id),
        `instance ${id}`,
    );
const membersOf = ({ nlb }: CloudState, id: string) =>
    nlb.serverGroups
        .find((one) => one.id === id)
        ?.servers.map(({ description, weight }) => `${description.split(".")[3] ?? description} ${weight}`);

/** Actions that changed something, in their order. */
async function writesOf(operation: () => Promise<unknown>): Promise<string[]> {
    const since = await session.lastCall();
    await operation();
    return (await session.calls(since)).filter((one) => one.mutating).map(({ action }) => action);
}

const USER_MANAGED = ["TCP:80 users' web", "TCP:9000-9100 users' own"];

test("preview and up refuse an instance that must not be reused, each with the reason", async () => {
    const reasons: [string, Record<string, string>, RegExp][] = [
        ["nlb-nowhere", {}, /there is no load balancer nlb-nowhere in this region\. Remedy: /],
        ["nlb-cluster", {}, /load balancer nlb-cluster was made by a cluster .* ack\.aliyun\.com=c9\. Remedy: /],
        ["nlb-api", {}, /load balancer nlb-api listens on tcp:6443.*API server.* Remedy: /],
        ["nlb-denied", {}, /load balancer nlb-denied is on the list of instances that no Service may use\. Remedy: /],
        [
            "nlb-inner",
            {},
            /load balancer nlb-inner has the address type intranet, but the Service asks for internet\. Remedy: /,
        ],
        [
            ID,
            { "vgroup-port": "sgp-addresses:80" },
            /server group sgp-addresses holds members of type Ip, but the Service's are of type Instance\. Remedy: /,
        ],
        [
            "nlb-second",
            { "zone-maps": "cn-hangzhou-a:vsw-other-a,cn-hangzhou-b:vsw-lab-b" },
            /vSwitch "vsw-other-a" is in vpc-other, but the load balancer is to be in vpc-lab/,
        ],
    ];
    const writes = await writesOf(async () => {
        // An instance below has the other reasons.
        for (const [id, annotations, reason] of WHOLE ? reasons : [...reasons.slice(0, 1), ...reasons.slice(-1)]) {
            stack.write([on(id, annotations)]);
            expect(stack.fail(await stack.preview())).toMatch(reason);
        }
        stack.write([
            on("nlb-worst", {
                ...FORCED,
                "ip-version": "DualStack",
                "resource-group-id": "rg-other",
                "vgroup-port": "sgp-nowhere:80",
            }),
        ]);
        const all = stack.fail(await stack.up());
        for (const reason of [
            /load balancer nlb-worst was made by a cluster .* ack\.aliyun\.com=c9\. Remedy: /,
            /load balancer nlb-worst listens on tcp:6443.*API server.* Remedy: /,
            /load balancer nlb-worst is on the list of instances that no Service may use\. Remedy: /,
            /load balancer nlb-worst has the address type intranet, but the Service asks for internet\. Remedy: /,
            /IP version ipv4/,
            /resourceGroupId of load balancer nlb-worst/,
            /there is no server group sgp-nowhere/,
        ]) {
            expect(all).toMatch(reason);
        }
        // Servers of an existing group wait for the result of the check, too.
        stack.write([on(ID, { "vgroup-port": "sgp-addresses:80" })]);
        expect(stack.fail(await stack.up())).toMatch(/server group sgp-addresses holds members of type Ip/);
        stack.write([on(ID, {}, { sourceRanges: ["192.0.2.0/24"] })]);
        expect(stack.fail(await stack.preview())).toMatch(
            /services\.yaml:\d+:\d+: error\[service-field\].*has no effect on an NLB that is shared/,
        );
    });
    expect(writes).toStrictEqual([]);
    expect(Object.keys(await addressesOfServices(session))).toStrictEqual(["kubernetes"]);
});

test("two Services on the same port are refused by name, with or without TLS", async () => {
    stack.write([on(ID), on(ID, { "protocol-port": "tcpssl:80", "cert-id": "cert-one" }, { name: "other" })]);
    expect(stack.fail(await stack.preview())).toMatch(
        pattern(
            /error\[listener-collision\].*/,
            /Services default\/web and default\/other both use listener tcp:80 of load balancer nlb-users/,
        ),
    );
});

test("without force-override only server groups and servers are managed", async () => {
    stack.write([on(ID)]);
    const writes = await writesOf(async () =>
        expect(stack.succeed(await stack.up())).toMatch(
            /listeners of load balancer nlb-users are not managed: for tcp:80 only server groups/,
        ),
    );
    expect(writes.sort()).toStrictEqual(["AddServersToServerGroup", "CreateServerGroup", "TagResources"]);
    const state = await stateOf(session);
    expect(listenersOf(state, ID)).toStrictEqual(USER_MANAGED);
    expect(groupsOf(state, "web").map(({ servers }) => servers.length)).toStrictEqual([3]);
    expect(instanceOf(state, ID).tags).toMatchObject({ team: "users", "kubernetes.reused.by.user": "true" });
    const since = await session.lastCall();
    stack.succeed(await stack.up("--expect-no-changes"));
    expect((await session.calls(since)).map(({ action }) => action).sort()).toStrictEqual([
        "GetLoadBalancerAttribute",
        "ListListeners",
        "ListServerGroups",
    ]);
    expect((await addressesOfServices(session))["web"]).toStrictEqual([instanceOf(state, ID).dnsName]);
});

test("another instance, and a managed one, are refused for a Service that reuses an instance", async () => {
    const writes = await writesOf(async () => {
        stack.write([on("nlb-second")]);
        const text = stack.fail(await stack.preview());
        expect(text).toMatch(/id cannot change from "nlb-users" to "nlb-second"/);
        expect(text).toMatch(/the Service is bound to \S+ and cannot be bound to \S+ of load balancer nlb-second/);
        stack.write([own()]);
        expect(stack.fail(await stack.preview())).toMatch(/id cannot change from "nlb-users" to unset/);
    });
    expect(writes).toStrictEqual([]);
});

test("a Service cannot be deleted while a user-managed listener uses its server group", async () => {
    const [made] = groupsOf(await stateOf(session), "web");
    await byHand("CreateListener", {
        LoadBalancerId: ID,
        ListenerProtocol: "TCP",
        ListenerPort: "81",
        ServerGroupId: made?.id,
        ListenerDescription: "users' choice",
    });
    stack.write([on(ID)]);
    expect(stack.succeed(await stack.preview())).not.toMatch(/listeners of load balancer nlb-users are not managed/);
    stack.write([]);
    expect(stack.fail(await stack.up())).toMatch(
        pattern(
            /nothing was removed: listener tcp:81 \(description "users' /,
            /choice"\) sends to server group "k8s\.\d+\.TCP\.web\.default\.c-test"/,
        ),
    );
    const state = await stateOf(session);
    expect(groupsOf(state, "web")[0]?.servers).toHaveLength(3);
    await byHand("DeleteListener", { ListenerId: state.nlb.listeners.find(({ port }) => port === 81)?.id });
    stack.succeed(await stack.up());
    const gone = await stateOf(session);
    expect([listenersOf(gone, ID), groupsOf(gone, "web"), instanceOf(gone, ID).tags]).toStrictEqual([
        USER_MANAGED,
        [],
        { team: "users" },
    ]);
});

test("with force-override up replaces only the user-managed listener that the preview names", async () => {
    const service = on(ID, {
        ...FORCED,
        name: "renamed",
        "cross-zone-enabled": "off",
        "security-group-ids": "sg-two",
        "bandwidth-package-id": "cbwp-one",
        "delete-protection": "on",
        "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-c:vsw-lab-c",
        "additional-resource-tags": "team=shop,tier=front",
        "protocol-port": "tcpssl:443",
        "cert-id": "cert-one",
        "idle-timeout": "60",
    });
    const spec = { ...service, ports: [{ port: 80 }, { port: 443 }] };
    stack.write([spec]);
    const [text = ""] = stack.succeed(await stack.run("up", ["--yes"])).split(/^Updating /m, 1);
    expect(text).toMatch(
        pattern(
            /listener tcp:80 \(description "users' web", server group "group sgp-users" with i-users:8000 /,
            /\(weight 70\)\) of load balancer nlb-users is not this Service's and will be replaced/,
        ),
    );
    for (const change of [
        'name "nlb-users" => "renamed"',
        'zoneMaps "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b" ' +
            '=> "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-c:vsw-lab-c"',
        'securityGroupIds "sg-one" => "sg-two"',
        'bandwidthPackageId unset => "cbwp-one"',
        'crossZoneEnabled "on" => "off"',
        'deleteProtection "off" => "on"',
        'tag team "users" => "shop"',
        'tag tier unset => "front"',
    ]) {
        expect(text).toContain(change);
    }
    const state = await stateOf(session);
    expect(listenersOf(state, ID)).toStrictEqual([
        "TCP:80 k8s.80.TCP.web.default.c-test",
        "TCP:9000-9100 users' own",
        "TCPSSL:443 k8s.443.TCPSSL.web.default.c-test",
    ]);
    expect(
        state.nlb.listeners.find(({ loadBalancerId, port }) => loadBalancerId === ID && port === 80)?.idleTimeout,
    ).toBe(60);
    const {
        tags,
        name,
        crossZoneEnabled,
        securityGroupIds,
        bandwidthPackageId,
        deletionProtection,
        zones: places,
    } = instanceOf(state, ID);
    expect(tags).toMatchObject({ team: "shop", tier: "front", "kubernetes.reused.by.user": "true" });
    expect([name, crossZoneEnabled, securityGroupIds, bandwidthPackageId, deletionProtection.enabled]).toStrictEqual([
        "renamed",
        false,
        ["sg-two"],
        "cbwp-one",
        true,
    ]);
    expect(places.map(({ vSwitchId }) => vSwitchId).sort()).toStrictEqual(["vsw-lab-a", "vsw-lab-c"]);
    expect(membersOf(state, "sgp-users")).toStrictEqual(["by hand 70"]);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

test("drift is corrected in attributes that have an annotation, and ignored in the others", async () => {
    stack.write([on(ID, { ...FORCED, name: "renamed", "address-type": "internet" })]);
    expect((await writesOf(async () => stack.succeed(await stack.up()))).sort()).toStrictEqual([
        "DeleteListener",
        "DeleteServerGroup",
        "TagResources",
        "UntagResources",
        "UpdateListenerAttribute",
    ]);
    expect(instanceOf(await stateOf(session), ID).securityGroupIds).toStrictEqual(["sg-two"]);
    await byHand("UpdateLoadBalancerAttribute", { LoadBalancerId: ID, LoadBalancerName: "by-hand" });
    await byHand("UpdateLoadBalancerAddressTypeConfig", { LoadBalancerId: ID, AddressType: "Intranet" });
    expect(stack.succeed(await stack.up("--refresh"))).toMatch(
        /will be changed: name "by-hand" => "renamed", addressType "intranet" => "internet"/,
    );
    const { name, addressType } = instanceOf(await stateOf(session), ID);
    expect([name, addressType]).toStrictEqual(["renamed", "Internet"]);
});

test("switching force-override off removes only the Service's listeners", async () => {
    stack.write([on(ID, { name: "renamed" })]);
    expect(await writesOf(async () => stack.succeed(await stack.up()))).toStrictEqual(["DeleteListener"]);
    const state = await stateOf(session);
    expect(listenersOf(state, ID)).toStrictEqual(["TCP:9000-9100 users' own"]);
    expect(groupsOf(state, "web")[0]?.servers).toHaveLength(3);
    stack.write([on(ID, { ...FORCED, name: "renamed" })]);
    stack.succeed(await stack.up());
});

test("destroy keeps the instance and user-managed objects, and restores the tags", async () => {
    const writes = await writesOf(async () => stack.succeed(await stack.destroy()));
    expect(writes).toStrictEqual(["DeleteListener", "UntagResources", "DeleteServerGroup"]);
    const state = await stateOf(session);
    expect([listenersOf(state, ID), groupsOf(state, "web"), instanceOf(state, ID).tags]).toStrictEqual([
        ["TCP:9000-9100 users' own"],
        [],
        { team: "users" },
    ]);
    expect(Object.keys(await addressesOfServices(session))).toStrictEqual(["kubernetes"]);
});

const JOINED = { "vgroup-port": "sgp-users:80" };

test("an instance in another VPC is reused, with server groups in that VPC", async () => {
    stack.write([
        on(ID, { ...JOINED, weight: "60" }),
        on(ID, { ...JOINED, weight: "0" }, { name: "other", policy: "Local" }),
        on("nlb-elsewhere", { "server-group-type": "Ip" }, { name: "far" }),
    ]);
    expect(stack.succeed(await stack.up())).toMatch(
        pattern(
            /load balancer nlb-elsewhere is in vpc-other, but the cluster is in vpc-lab: /,
            /server groups are made in vpc-other/,
        ),
    );
    const [made] = groupsOf(await stateOf(session), "far");
    expect([made?.vpcId, made?.type, made?.servers.length]).toStrictEqual(["vpc-other", "Ip", 3]);
});

test("servers join a user-managed group with their share of the traffic and change nothing else", async () => {
    const state = await stateOf(session);
    expect([...groupsOf(state, "web"), ...groupsOf(state, "other")]).toStrictEqual([]);
    const members = membersOf(state, "sgp-users") ?? [];
    expect(members.filter((one) => !one.startsWith("other")).sort()).toStrictEqual([
        "by hand 70",
        "web 20",
        "web 20",
        "web 20",
    ]);
    expect(members.some((one) => one === "other 0")).toBeTruthy();
    stack.write([]);
    stack.succeed(await stack.up());
    expect(membersOf(await stateOf(session), "sgp-users")).toStrictEqual(["by hand 70"]);
});

test("a listener of the Service can forward to a user-managed group, which keeps its settings", async () => {
    stack.write([
        on(ID, {
            ...FORCED,
            ...JOINED,
            scheduler: "rr",
            "connection-drain": "on",
            "connection-drain-timeout": "5",
        }),
    ]);
    expect((await writesOf(async () => stack.succeed(await stack.up()))).sort()).toStrictEqual([
        "AddServersToServerGroup",
        "CreateListener",
        "TagResources",
    ]);
    const { nlb } = await stateOf(session);
    expect(
        nlb.listeners.find(({ description }) => description === "k8s.80.TCP.web.default.c-test")?.serverGroupId,
    ).toBe("sgp-users");
    stack.write([]);
    expect((await writesOf(async () => stack.succeed(await stack.up()))).sort()).toStrictEqual([
        "DeleteListener",
        "RemoveServersFromServerGroup",
        "UntagResources",
    ]);
});

test("a Service moves to another instance, to a managed one and back, where that is allowed", async () => {
    const states: [ServiceSpec, (state: CloudState) => string][] = [
        [on(ID, FORCED), () => ID],
        [on("nlb-second", FORCED), () => "nlb-second"],
        [
            own(),
            ({ nlb }) => nlb.loadBalancers.find(({ tags }) => tags["kubernetes.do.not.delete"] !== undefined)?.id ?? "",
        ],
        [on(ID, FORCED), () => ID],
    ];
    for (const [index, [service, idOf]] of states.entries()) {
        stack.write([service]);
        await stack.config("allowReplacement", '{"default/web": ["id"]}');
        stack.succeed(await stack.up());
        const state = await stateOf(session);
        const own = state.nlb.listeners.filter(({ description }) => description.includes(".web."));
        expect([`step ${index}`, own.map(({ loadBalancerId }) => loadBalancerId)]).toStrictEqual([
            `step ${index}`,
            [idOf(state)],
        ]);
        expect(groupsOf(state, "web")[0]?.servers).toHaveLength(3);
        expect(Object.keys(instanceOf(state, "nlb-second").tags).sort()).toStrictEqual(
            idOf(state) === "nlb-second" ? ["ack-loadbalancer.io/c-test", "kubernetes.reused.by.user"] : [],
        );
        expect((await addressesOfServices(session))["web"]).toStrictEqual([instanceOf(state, idOf(state)).dnsName]);
    }
    await stack.config("allowReplacement", "{}");
    stack.succeed(await stack.destroy());
    const state = await stateOf(session);
    expect([listenersOf(state, ID), groupsOf(state, "web"), instanceOf(state, ID).tags]).toStrictEqual([
        ["TCP:9000-9100 users' own"],
        [],
        { team: "users" },
    ]);
});

test("groups, listeners and names that another Service or cluster uses are refused", async () => {
    await session.cloud("/_seed", {
        calls: [
            group("sgp-api", { ServerGroupName: "k8s.30080.TCP.api.shop.c-other" }),
            listener("lsn-shop", ID, "85", {
                ServerGroupId: "sgp-api",
                ListenerDescription: "k8s.85.TCP.api.shop.c-other",
            }),
        ],
    });
    stack.write([on(ID, { ...FORCED, "vgroup-port": "sgp-api:85" }, { ports: [{ port: 85 }] })]);
    const text = stack.fail(await stack.preview());
    expect(text).toMatch(
        /listener tcp:85 of load balancer nlb-users belongs to another Service \("k8s\.85\.TCP\.api\.shop\.c-other"\)/,
    );
    expect(text).toMatch(
        /server group sgp-api was made for a Service \("k8s\.30080\.TCP\.api\.shop\.c-other"\) and cannot be reused/,
    );
    await byHand("UpdateListenerAttribute", {
        ListenerId: "lsn-shop@85",
        ListenerDescription: "k8s.85.TCP.web.default.c-other",
    });
    stack.write([on(ID, {}, { ports: [{ port: 82 }] })]);
    expect(stack.fail(await stack.preview())).toMatch(
        /serves a Service default\/web of another cluster already \("k8s\.85\.TCP\.web\.default\.c-other"\)/,
    );
});
