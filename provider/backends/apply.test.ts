/** Requirements: D33, X25. */
import { expect, test } from "@jest/globals";
import type { BackendServer } from "../schema/backend";
import { membersOf } from "./member";
import { ownMembers, type RecordedMembers, toBackends } from "./observed";
import { applyMembership, type GroupApi } from "./apply";

const MARK = "k8s/30080/web/shop/c1";
const TARGET = { groupId: "rsp-1", description: MARK };

class Refusal extends Error {}
class Quota extends Refusal {}

/** A vServer group in memory, with a list of the calls that were made on it. */
function group(servers: BackendServer[], limit = Infinity) {
    const calls: string[] = [];
    const same = (a: BackendServer, b: BackendServer) =>
        a.serverId === b.serverId && a.port === b.port && a.serverIp === b.serverIp;
    const api: GroupApi = {
        describe: async () => (calls.push("describe"), servers),
        name: () => Promise.resolve("group"),
        add: async (_id, added) => {
            calls.push(`add ${added.length}`);
            if (servers.length + added.length > limit) throw new Quota("over the limit");
            if (added.some((server) => servers.some((present) => same(present, server)))) throw new Refusal("exists");
            servers.push(...added);
        },
        setWeights: async (_id, changed) => {
            calls.push(`set ${changed.length}`);
            for (const server of changed) {
                const index = servers.findIndex((present) => same(present, server));
                if (index < 0) throw new Refusal("no such server");
                servers[index] = server;
            }
        },
        remove: async (_id, removed) => {
            calls.push(`remove ${removed.length}`);
            for (const server of removed) {
                const index = servers.findIndex((present) => same(present, server));
                if (index >= 0) servers.splice(index, 1);
            }
        },
        findEnis: async (ips) => (
            calls.push(`enis ${ips.length}`),
            new Map(ips.filter((ip) => ip !== "10.9.9.9").map((ip) => [ip, `eni-${ip}`]))
        ),
        isQuotaError: (error) => error instanceof Quota,
        isRefusal: (error) => error instanceof Refusal,
    };
    return { api, calls, servers };
}

const ecs = (serverId: string, weight = 100, port = 30080, description = MARK): BackendServer => ({
    serverId,
    port,
    weight,
    type: "ecs",
    description,
});
const desired = (backends: Record<string, number>) =>
    membersOf({
        port: 30080,
        backends: Object.fromEntries(Object.entries(backends).map(([key, weight]) => [key, { weight }])),
    });
const recorded = (backends: Record<string, number>, serverIds = {}): RecordedMembers => ({
    members: desired(backends),
    serverIds,
});

test("one call for each kind of change, add before remove, and none to read", async () => {
    const { api, calls, servers } = group([ecs("i-a"), ecs("i-b")]);
    await applyMembership(api, TARGET, recorded({ "i-a": 100, "i-b": 100 }), desired({ "i-b": 5, "i-c": 1 }));
    expect(calls).toStrictEqual(["add 1", "set 1", "remove 1"]);
    expect(servers.map(({ serverId, weight }) => `${serverId}=${weight}`)).toStrictEqual(["i-b=5", "i-c=1"]);
});

test("nothing to change: no call", async () => {
    const { api, calls } = group([ecs("i-a")]);
    await applyMembership(api, TARGET, recorded({ "i-a": 100 }), desired({ "i-a": 100 }));
    expect(calls).toStrictEqual([]);
});

test("remove comes first only when the cloud says that the quota is used up", async () => {
    const { api, calls, servers } = group([ecs("i-a"), ecs("i-b")], 2);
    await applyMembership(api, TARGET, recorded({ "i-a": 100, "i-b": 100 }), desired({ "i-b": 100, "i-c": 100 }));
    expect(calls).toStrictEqual(["add 1", "remove 1", "add 1"]);
    expect(servers.map(({ serverId }) => serverId)).toStrictEqual(["i-b", "i-c"]);
});

test("a record that is out of date is noticed by the cloud's refusal: the group is read and the change planned anew", async () => {
    const { api, calls, servers } = group([ecs("i-a"), ecs("i-c")]);
    await applyMembership(api, TARGET, recorded({ "i-a": 100 }), desired({ "i-a": 100, "i-b": 100, "i-c": 100 }));
    expect(calls).toStrictEqual(["add 2", "describe", "add 1"]);
    expect(servers.map(({ serverId }) => serverId).sort()).toStrictEqual(["i-a", "i-b", "i-c"]);
});

test("a refusal that the record does not explain is passed on", async () => {
    const { api } = group([ecs("i-a")], 1);
    await expect(
        applyMembership(api, TARGET, recorded({ "i-a": 100 }), desired({ "i-a": 100, "i-b": 100 })),
    ).rejects.toThrow(Quota);
});

test("pods: new ones are looked up in one call, known ones never; their ENIs are kept for the day they go", async () => {
    const { api, calls, servers } = group([]);
    const serverIds = await applyMembership(
        api,
        TARGET,
        recorded({}),
        desired({ "10.0.0.1:80": 100, "10.0.0.2:80": 100 }),
    );
    expect(calls).toStrictEqual(["enis 2", "add 2"]);
    calls.length = 0;
    const left = await applyMembership(
        api,
        TARGET,
        recorded({ "10.0.0.1:80": 100, "10.0.0.2:80": 100 }, serverIds),
        desired({ "10.0.0.2:80": 100 }),
    );
    expect(calls).toStrictEqual(["remove 1"]);
    expect(left).toStrictEqual({ "10.0.0.2": "eni-10.0.0.2" });
    expect(servers.map(({ serverId, serverIp }) => `${serverId} ${serverIp}`)).toStrictEqual(["eni-10.0.0.2 10.0.0.2"]);
});

test("a pod that no interface leads to: the others are added, none is removed or gets another weight, and it is an error", async () => {
    const { api, calls } = group([]);
    const before = recorded({ "10.0.0.2:80": 100, "10.0.0.3:80": 100 }, { "10.0.0.2": "eni-2", "10.0.0.3": "eni-3" });
    const wanted = desired({ "10.0.0.1:80": 100, "10.0.0.3:80": 50, "10.9.9.9:80": 100 });
    await expect(applyMembership(api, TARGET, before, wanted)).rejects.toThrow(
        /no ENI of the VPC holds 10\.9\.9\.9; 1 other backends were added, none was removed.*Cause: .*Remedy: /,
    );
    expect(calls).toStrictEqual(["enis 2", "add 1"]);
    calls.length = 0;
    await expect(applyMembership(api, TARGET, recorded({}), desired({ "10.9.9.9:80": 100 }))).rejects.toThrow(
        /10\.9\.9\.9; nothing was changed/,
    );
    expect(calls).toStrictEqual(["enis 1"]);
});

test("only members that carry the Service's mark are ours, whatever port it names; others are never in a plan", () => {
    const own = ownMembers(
        [
            ecs("i-a"),
            ecs("i-b", 1, 30001, "k8s/30001/web/shop/c1"),
            ecs("i-x", 1, 80, "by hand"),
            ecs("i-y", 1, 80, "k8s/80/other/shop/c1"),
        ],
        MARK,
    );
    expect(toBackends(own.members, 30080)).toStrictEqual({ "i-a": { weight: 100 }, "i-b:30001": { weight: 1 } });
});

test("an address that the cloud reports for an ECS instance does not make it a pod", () => {
    const own = ownMembers([{ ...ecs("i-a"), serverIp: "192.168.0.1" }], MARK);
    expect(toBackends(own.members, 30080)).toStrictEqual({ "i-a": { weight: 100 } });
});

test("addresses are members by themselves: no interface is looked up, in no state", async () => {
    const { api, calls } = group([]);
    const target = { groupId: "sgp-1", description: "k8s.8080.TCP.web.shop.c1", addresses: "ip" } as const;
    const wanted = membersOf({
        port: 30080,
        backends: { "10.0.0.1:8080": { weight: 100 }, "192.168.0.1": { weight: 2 } },
    });
    expect(await applyMembership(api, target, { members: [], serverIds: {} }, wanted)).toStrictEqual({});
    expect(calls).toStrictEqual(["add 2"]);
    const servers = (await api.describe("sgp-1")) ?? [];
    expect(servers.map(({ serverId, serverIp, port, type }) => [serverId, serverIp, port, type])).toStrictEqual([
        ["10.0.0.1", "10.0.0.1", 8080, "ip"],
        ["192.168.0.1", "192.168.0.1", 30080, "ip"],
    ]);
    const read = ownMembers(servers, "k8s.30080.TCP.web.shop.c1");
    expect([toBackends(read.members, 30080, true), read.serverIds]).toStrictEqual([
        { "10.0.0.1:8080": { weight: 100 }, "192.168.0.1": { weight: 2 } },
        {},
    ]);
});
