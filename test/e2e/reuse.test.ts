/**
 * Services on user-managed instances: what is refused, what is managed, and what stays when they are detached.
 * Only a run shows in which order the engine writes to an instance that others use.
 *
 * Requirements: A07, A08, A13, A59, A60, B15, B16, B33, C34, D21, D22, D23, E01, E02, E03, E04, E05, E06, E07, E08,
 * E09, E10, E11, E16, E17, E18, E20, E21, F11, F12, F20, G16, G34, H18, H19, I23, I24, I59, I61, I63, X07, X08, X14.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Session } from "../../lab";
import { addressesOfServices } from "../support/addresses";
import { forget } from "../support/forget";
import { found } from "../support/found";
import { pattern } from "../support/pattern";
import { WHOLE } from "../support/sample";
import { type CloudState, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const ID = "lb-users";
const FORCED = { "force-override-listeners": "true" };

let session: Session;
let stack: Stack;

/** A Service named by its instance. */
const on = (id: string, annotations: Record<string, string> = {}, more: Partial<ServiceSpec> = {}): ServiceSpec => ({
    name: "web",
    ...more,
    annotations: { id, ...annotations },
});

const instance = (id: string, params: Record<string, string> = {}) => ({
    action: "CreateLoadBalancer",
    params: { LoadBalancerName: id, AddressType: "internet", InstanceChargeType: "PayByCLCU", ...params },
    id,
});
const OF_CLUSTER = { "Tag.1.Key": "kubernetes.do.not.delete", "Tag.1.Value": "a5e4dbfc9" };
const inner = (vSwitch: string, vpc: string) => ({ AddressType: "intranet", VSwitchId: vSwitch, VpcId: vpc });
const listener = (protocol: "TCP" | "HTTP", id: string, port: number, params: Record<string, string> = {}) => ({
    action: `CreateLoadBalancer${protocol}Listener`,
    params: {
        LoadBalancerId: id,
        ListenerPort: String(port),
        Bandwidth: "-1",
        ...(protocol === "HTTP" ? { StickySession: "off", HealthCheck: "off" } : {}),
        ...params,
    },
});

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_seed", {
        vpcs: [{ id: "vpc-other", cidr: "172.30.0.0/16" }],
        vSwitches: [{ id: "vsw-other", vpcId: "vpc-other", zoneId: "cn-hangzhou-b", cidr: "172.30.0.0/24" }],
        instances: [{ id: "i-users", privateIp: "10.9.9.9" }],
        calls: [
            instance(ID, { "Tag.1.Key": "team", "Tag.1.Value": "users" }),
            instance("lb-cluster", OF_CLUSTER),
            instance("lb-api"),
            instance("lb-denied"),
            instance("lb-elsewhere", inner("vsw-other", "vpc-other")),
            instance("lb-worst", { ...inner("vsw-other", "vpc-other"), ...OF_CLUSTER }),
            instance("lb-inner", inner("vsw-lab-a", "vpc-lab")),
            instance("lb-lost"),
            {
                action: "CreateVServerGroup",
                params: { LoadBalancerId: ID, VServerGroupName: "users' group" },
                id: "rsp-users",
            },
            {
                action: "AddVServerGroupBackendServers",
                params: {
                    VServerGroupId: "rsp-users",
                    BackendServers: JSON.stringify([
                        { ServerId: "i-users", Port: "8000", Weight: "70", Type: "ecs", Description: "by hand" },
                    ]),
                },
            },
            listener("HTTP", ID, 80, { VServerGroupId: "rsp-users", Description: "users' web" }),
            listener("TCP", ID, 9000, { VServerGroupId: "rsp-users", Description: "users' own" }),
            listener("TCP", "lb-api", 6443, { BackendServerPort: "6443" }),
            listener("TCP", "lb-worst", 6443, { BackendServerPort: "6443" }),
        ],
    });
    stack = await Stack.create(session, "reuse", []);
    await stack.config("vpcId", "vpc-lab");
    await stack.config("deniedLoadBalancers", '["lb-denied", "lb-worst"]');
});

afterAll(async () => {
    await session.lab.stop();
    forget(stack);
});

const listenersOf = ({ slb }: CloudState, id: string) =>
    slb.listeners
        .filter(({ loadBalancerId }) => loadBalancerId === id)
        .map(({ protocol, port, attributes }) => `${protocol}:${port} ${String(attributes["Description"])}`)
        .sort();
const groupOf = ({ slb }: CloudState, service: string) =>
    slb.vServerGroups.find(({ name }) => name.includes(`/${service}/`));
const tagsOf = ({ slb }: CloudState, id: string) => slb.loadBalancers.find((one) => one.id === id)?.tags;
const membersOf = ({ slb }: CloudState, id: string) =>
    slb.vServerGroups
        .find((group) => group.id === id)
        ?.backends.map(({ description, weight }) => `${description.split("/")[2] ?? description} ${weight}`);

const USER_MANAGED = ["http:80 users' web", "tcp:9000 users' own"];

test("preview and up refuse an instance that must not be reused, each with the reason", async () => {
    const reasons: [string, Record<string, string>, RegExp][] = [
        ["lb-nowhere", {}, /there is no load balancer lb-nowhere in this region\. Remedy: /],
        [
            "lb-cluster",
            {},
            /load balancer lb-cluster was made by a cluster .* kubernetes\.do\.not\.delete=a5e4dbfc9\. Remedy: /,
        ],
        ["lb-api", {}, /load balancer lb-api listens on tcp:6443.*API server.* Remedy: /],
        ["lb-denied", {}, /load balancer lb-denied is on the list of instances that no Service may use\. Remedy: /],
        [
            "lb-elsewhere",
            { "address-type": "intranet" },
            /load balancer lb-elsewhere is in vpc-other, but the cluster is in vpc-lab; .* Remedy: /,
        ],
        [
            "lb-inner",
            {},
            /load balancer lb-inner has the address type intranet, but the Service asks for internet\. Remedy: /,
        ],
    ];
    const since = await session.lastCall();
    // An instance below has every reason but the first.
    for (const [id, annotations, reason] of WHOLE ? reasons : reasons.slice(0, 1)) {
        stack.write([on(id, annotations)]);
        expect(stack.fail(await stack.preview())).toMatch(reason);
    }
    stack.write([
        on("lb-worst", {
            "ip-version": "ipv6",
            "master-zoneid": "cn-hangzhou-x",
            "slave-zoneid": "cn-hangzhou-y",
            "vgroup-port": "rsp-nowhere:80",
        }),
    ]);
    const all = stack.fail(await stack.up());
    for (const reason of [
        /load balancer lb-worst was made by a cluster .* kubernetes\.do\.not\.delete=a5e4dbfc9\. Remedy: /,
        /load balancer lb-worst listens on tcp:6443.*API server.* Remedy: /,
        /load balancer lb-worst is on the list of instances that no Service may use\. Remedy: /,
        /is in vpc-other/,
        /address type intranet/,
        /IP version ipv4/,
        /masterZoneid of load balancer/,
        /slaveZoneid of load balancer/,
        /no vServer group rsp-nowhere/,
    ]) {
        expect(all).toMatch(reason);
    }
    expect(Object.keys(await addressesOfServices(session))).toStrictEqual(["kubernetes"]);
    expect((await session.calls(since)).filter((call) => call.mutating)).toStrictEqual([]);
});

test("two Services on one listener are refused by name", async () => {
    stack.write([on(ID), on(ID, { "protocol-port": "http:80" }, { name: "other" })]);
    expect(stack.fail(await stack.preview())).toMatch(
        pattern(
            /services\.yaml:\d+:\d+: error\[listener-collision\].*/,
            /Services default\/web and default\/other both use listener tcp:80 of load balancer lb-users/,
        ),
    );
});

test("without force-override only server groups and backends are managed", async () => {
    stack.write([on(ID)]);
    expect(stack.succeed(await stack.up())).toMatch(
        /listeners of load balancer lb-users are not managed: for tcp:80 only vServer groups/,
    );
    const state = await stateOf(session);
    expect(listenersOf(state, ID)).toStrictEqual(USER_MANAGED);
    expect(groupOf(state, "web")?.backends).toHaveLength(3);
    expect(tagsOf(state, ID)).toMatchObject({ team: "users", "kubernetes.reused.by.user": "true" });
    const since = await session.lastCall();
    stack.succeed(await stack.up("--expect-no-changes"));
    const calls = await session.calls(since);
    expect(calls.map(({ action }) => action).sort()).toStrictEqual([
        "DescribeLoadBalancerAttribute",
        "DescribeLoadBalancerListeners",
        "DescribeVServerGroups",
        "ListTagResources",
    ]);
    const address = state.slb.loadBalancers.find(({ id }) => id === ID)?.address;
    expect((await addressesOfServices(session))["web"]).toStrictEqual([address]);
});

test("tags of others are removed from a managed instance and kept on a reused one", async () => {
    const tags = { "additional-resource-tags": "owner=shop" };
    stack.write([on(ID, tags), { name: "own", annotations: tags }]);
    stack.succeed(await stack.up());
    const own = groupOf(await stateOf(session), "own")?.loadBalancerId ?? "";
    for (const id of [ID, own])
        await session.cloud("/_console", {
            action: "TagResources",
            params: {
                ResourceType: "instance",
                "ResourceId.1": id,
                ...{ "Tag.1.Key": "owner", "Tag.1.Value": "me", "Tag.2.Key": "by", "Tag.2.Value": "hand" },
            },
            as: "other",
        });
    expect(tagsOf(await stateOf(session), own)).toMatchObject({ owner: "me", by: "hand" });
    stack.succeed(await stack.up("--refresh"));
    const state = await stateOf(session);
    expect(tagsOf(state, own)).toMatchObject({ owner: "shop" });
    expect(Object.keys(tagsOf(state, own) ?? {})).not.toContain("by");
    expect(tagsOf(state, ID)).toMatchObject({ owner: "shop", by: "hand", team: "users" });
    await session.cloud("/_console", {
        action: "UntagResources",
        params: { ResourceType: "instance", "ResourceId.1": ID, "TagKey.1": "by" },
        as: "other",
    });
    stack.write([on(ID)]);
    stack.succeed(await stack.up());
    expect(Object.keys(tagsOf(await stateOf(session), ID) ?? {})).not.toContain("owner");
});

test("a Service cannot be deleted while a user-managed listener uses its server group", async () => {
    const other = (action: string, params: object) => session.cloud("/_console", { action, params, as: "other" });
    const group = found(groupOf(await stateOf(session), "web"), "group of web");
    await other("CreateLoadBalancerTCPListener", {
        LoadBalancerId: ID,
        ListenerPort: "81",
        Bandwidth: "-1",
        VServerGroupId: group.id,
        Description: "users' choice",
    });
    stack.write([]);
    expect(stack.fail(await stack.up())).toMatch(
        pattern(
            /nothing was removed: /,
            /listener tcp:81 \(description "users' choice"\) sends to vServer group "k8s\/\d+\/web\/default\/c-test"/,
        ),
    );
    expect(groupOf(await stateOf(session), "web")?.backends).toHaveLength(3);
    await other("DeleteLoadBalancerListener", { LoadBalancerId: ID, ListenerProtocol: "tcp", ListenerPort: "81" });
    stack.succeed(await stack.up());
    const state = await stateOf(session);
    expect([listenersOf(state, ID), groupOf(state, "web"), tagsOf(state, ID)]).toStrictEqual([
        USER_MANAGED,
        undefined,
        { team: "users" },
    ]);
});

test("with force-override up replaces only the user-managed listener that the preview names", async () => {
    const service = on(
        ID,
        { ...FORCED, name: "renamed", "additional-resource-tags": "team=shop,tier=front" },
        { sourceRanges: ["192.0.2.0/24"] },
    );
    stack.write([service]);
    const [text = ""] = stack.succeed(await stack.run("up", ["--yes"])).split(/^Updating /m, 1);
    expect(text).toMatch(
        pattern(
            /listener http:80 \(description "users' web", vServer group "users' group" with i-users:8000 /,
            /\(weight 70\)\) of load balancer lb-users is not this Service's and will be replaced/,
        ),
    );
    expect(text).toMatch(
        /will be changed: name "lb-users" => "renamed", tag team "users" => "shop", tag tier unset => "front"/,
    );
    const state = await stateOf(session);
    expect(listenersOf(state, ID)).toStrictEqual(["tcp:80 k8s/80/web/default/c-test", "tcp:9000 users' own"]);
    expect(tagsOf(state, ID)).toMatchObject({ team: "shop", tier: "front", "kubernetes.reused.by.user": "true" });
    expect(state.slb.vServerGroups.find(({ id }) => id === "rsp-users")?.backends).toHaveLength(1);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
});

test("switching force-override off removes only the Service's listeners", async () => {
    stack.write([on(ID, { name: "renamed" })]);
    stack.succeed(await stack.up());
    const state = await stateOf(session);
    expect(listenersOf(state, ID)).toStrictEqual(["tcp:9000 users' own"]);
    expect(groupOf(state, "web")?.backends).toHaveLength(3);
    stack.write([on(ID, { ...FORCED, name: "renamed" })]);
    stack.succeed(await stack.up());
});

test("destroy keeps the instance and user-managed objects, and restores the tags", async () => {
    stack.succeed(await stack.destroy());
    const state = await stateOf(session);
    expect([listenersOf(state, ID), groupOf(state, "web"), tagsOf(state, ID)]).toStrictEqual([
        ["tcp:9000 users' own"],
        undefined,
        { team: "users" },
    ]);
    expect(state.slb.acls).toStrictEqual([]);
    expect(Object.keys(await addressesOfServices(session))).toStrictEqual(["kubernetes"]);
});

/** Service on an instance that its user deletes in the end. */
const LOST = on("lb-lost", FORCED, { name: "lost" });

test("backends join a user-managed group with their share of the traffic and change nothing else", async () => {
    const joined = { "vgroup-port": "rsp-users:80" };
    stack.write([
        on(ID, { ...joined, weight: "60" }),
        on(ID, { ...joined, weight: "0" }, { name: "other", policy: "Local" }),
    ]);
    stack.succeed(await stack.up());
    const state = await stateOf(session);
    expect(state.slb.vServerGroups).toHaveLength(1);
    const members = membersOf(state, "rsp-users") ?? [];
    expect(members.filter((member) => !member.startsWith("other")).sort()).toStrictEqual([
        "by hand 70",
        "web 20",
        "web 20",
        "web 20",
    ]);
    expect(members.some((member) => member === "other 0")).toBeTruthy();
    stack.write([on(ID, joined), on(ID, { ...joined, weight: "0" }, { name: "other", policy: "Local" })]);
    stack.succeed(await stack.up("--refresh"));
    expect(
        (membersOf(await stateOf(session), "rsp-users") ?? []).filter((member) => member.startsWith("web")).sort(),
    ).toStrictEqual(["web 100", "web 100", "web 100"]);
    stack.write([LOST]);
    stack.succeed(await stack.up());
    expect(membersOf(await stateOf(session), "rsp-users")).toStrictEqual(["by hand 70"]);
});

test("groups, listeners and names that another Service or cluster uses are refused", async () => {
    const other = (action: string, params: object) =>
        session.cloud<{ VServerGroupId?: string }>("/_console", { action, params, as: "other" });
    await other("CreateVServerGroup", { LoadBalancerId: ID, VServerGroupName: "k8s/30080/api/shop/c-other" });
    const made = (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes("/api/"))?.id ?? "";
    await other("CreateLoadBalancerTCPListener", {
        LoadBalancerId: ID,
        ListenerPort: "80",
        Bandwidth: "-1",
        VServerGroupId: made,
        Description: "k8s/80/api/shop/c-other",
    });
    stack.write([on(ID, { ...FORCED, "vgroup-port": `${made}:80` })]);
    const text = stack.fail(await stack.preview());
    expect(text).toMatch(
        /listener tcp:80 of load balancer lb-users belongs to another Service \("k8s\/80\/api\/shop\/c-other"\)/,
    );
    expect(text).toMatch(/was made for a Service \("k8s\/30080\/api\/shop\/c-other"\) and cannot be reused/);
    await other("SetLoadBalancerTCPListenerAttribute", {
        LoadBalancerId: ID,
        ListenerPort: "80",
        Description: "k8s/80/web/default/c-other",
    });
    stack.write([on(ID, {}, { ports: [{ port: 82 }] })]);
    expect(stack.fail(await stack.preview())).toMatch(
        /serves a Service default\/web of another cluster already \("k8s\/80\/web\/default\/c-other"\)/,
    );
});

test("destroy removes a Service whose instance was deleted by its user", async () => {
    stack.write([LOST]);
    await session.cloud("/_console", {
        action: "DeleteLoadBalancer",
        params: { LoadBalancerId: "lb-lost" },
        as: "other",
    });
    expect(stack.fail(await stack.preview())).toMatch(/there is no load balancer lb-lost in this region\. Remedy: /);
    stack.succeed(await stack.destroy());
    expect(Object.keys(await addressesOfServices(session))).toStrictEqual(["kubernetes"]);
});
