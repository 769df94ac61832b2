/** Requirements: D33, X25. */
import { expect, test } from "@jest/globals";
import { type Backend, toList, toMap } from "../schema/backend";
import { applyBackends, type GroupApi } from "./apply";
import { managed } from "./diff";

const MARK = "k8s/30080/web/shop/c1";
const TARGET = { groupId: "rsp-1", mark: MARK };

class Refusal extends Error {}
class Quota extends Refusal {}
class Gone extends Refusal {}

/** A vServer group in memory, with a list of the calls that were made on it. */
function group(servers: Backend[], limit = Infinity) {
    const calls: string[] = [];
    const same = (a: Backend, b: Backend) => a.address === b.address && a.port === b.port && a.eni === b.eni;
    const api: GroupApi = {
        describe: async () => (calls.push("describe"), servers),
        name: () => Promise.resolve("group"),
        add: async (_id, added) => {
            calls.push(`add ${added.length}`);
            if (added.some(({ address, eni }) => /gone/.test(eni ?? address)))
                throw new Gone("there is no such server");
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
            new Map(
                ips.filter((ip) => ip !== "10.9.9.9").map((ip) => [ip, ip === "10.8.8.8" ? "eni-gone" : `eni-${ip}`]),
            )
        ),
        isQuotaError: (error) => error instanceof Quota,
        isRefusal: (error) => error instanceof Refusal,
        refusalOfServer: (error) => (error instanceof Gone ? error.message : undefined),
        perCall: 4,
    };
    return { api, calls, servers };
}

const ecs = (address: string, weight = 100, port = 30080, mark = MARK): Backend => ({ address, port, weight, mark });
const desired = (backends: Record<string, number>) =>
    toList({
        port: 30080,
        backends: Object.fromEntries(Object.entries(backends).map(([key, weight]) => [key, { weight }])),
    });
const recorded = (backends: Record<string, number>, enis: Record<string, string> = {}): Backend[] =>
    desired(backends).map((one) => (enis[one.address] === undefined ? one : { ...one, eni: enis[one.address] ?? "" }));

test("one call for each kind of change, add before remove, and none to read", async () => {
    const { api, calls, servers } = group([ecs("i-a"), ecs("i-b")]);
    await applyBackends(api, TARGET, recorded({ "i-a": 100, "i-b": 100 }), desired({ "i-b": 5, "i-c": 1 }));
    expect(calls).toStrictEqual(["add 1", "set 1", "remove 1"]);
    expect(servers.map(({ address, weight }) => `${address}=${weight}`)).toStrictEqual(["i-b=5", "i-c=1"]);
});

test("nothing to change: no call", async () => {
    const { api, calls } = group([ecs("i-a")]);
    await applyBackends(api, TARGET, recorded({ "i-a": 100 }), desired({ "i-a": 100 }));
    expect(calls).toStrictEqual([]);
});

test("remove comes first only when the cloud says that the quota is used up", async () => {
    const { api, calls, servers } = group([ecs("i-a"), ecs("i-b")], 2);
    await applyBackends(api, TARGET, recorded({ "i-a": 100, "i-b": 100 }), desired({ "i-b": 100, "i-c": 100 }));
    expect(calls).toStrictEqual(["add 1", "remove 1", "add 1"]);
    expect(servers.map(({ address }) => address)).toStrictEqual(["i-b", "i-c"]);
});

test("after the cloud refuses an outdated record, the group is read and the change planned again", async () => {
    const { api, calls, servers } = group([ecs("i-a"), ecs("i-c")]);
    await applyBackends(api, TARGET, recorded({ "i-a": 100 }), desired({ "i-a": 100, "i-b": 100, "i-c": 100 }));
    expect(calls).toStrictEqual(["add 2", "describe", "add 1"]);
    expect(servers.map(({ address }) => address).sort()).toStrictEqual(["i-a", "i-b", "i-c"]);
});

test("a refusal that the record does not explain is passed on", async () => {
    const { api } = group([ecs("i-a")], 1);
    await expect(
        applyBackends(api, TARGET, recorded({ "i-a": 100 }), desired({ "i-a": 100, "i-b": 100 })),
    ).rejects.toThrow(Quota);
});

test("pods: new ones are read in one call, known ones never, and their ENIs are recorded", async () => {
    const { api, calls, servers } = group([]);
    const both = await applyBackends(api, TARGET, [], desired({ "10.0.0.1:80": 100, "10.0.0.2:80": 100 }));
    expect(calls).toStrictEqual(["enis 2", "add 2"]);
    calls.length = 0;
    const left = await applyBackends(api, TARGET, both, desired({ "10.0.0.2:80": 100 }));
    expect(calls).toStrictEqual(["remove 1"]);
    expect(left).toStrictEqual([{ address: "10.0.0.2", eni: "eni-10.0.0.2", port: 80, weight: 100, mark: MARK }]);
    expect(servers).toStrictEqual(left);
});

test("a pod without an interface is an error: other pods are added, nothing else changes", async () => {
    const { api, calls } = group([]);
    const before = recorded({ "10.0.0.2:80": 100, "10.0.0.3:80": 100 }, { "10.0.0.2": "eni-2", "10.0.0.3": "eni-3" });
    const wanted = desired({ "10.0.0.1:80": 100, "10.0.0.3:80": 50, "10.9.9.9:80": 100 });
    await expect(applyBackends(api, TARGET, before, wanted)).rejects.toThrow(
        /no ENI of the VPC holds 10\.9\.9\.9; 1 other backends were added, none was removed.*Cause: .*Remedy: /,
    );
    expect(calls).toStrictEqual(["enis 2", "add 1"]);
    calls.length = 0;
    await expect(applyBackends(api, TARGET, recorded({}), desired({ "10.9.9.9:80": 100 }))).rejects.toThrow(
        /10\.9\.9\.9; nothing was changed/,
    );
    expect(calls).toStrictEqual(["enis 1"]);
});

test("an instance that is gone is named: the other nodes are added, nothing else changes", async () => {
    const { api, calls, servers } = group([ecs("i-a"), ecs("i-b")]);
    const wanted = desired({ "i-b": 5, "i-c": 1, "i-d": 1, "i-gone": 1, "i-e": 1 });
    await expect(applyBackends(api, TARGET, recorded({ "i-a": 100, "i-b": 100 }), wanted)).rejects.toThrow(
        /^the cloud refuses i-gone \(there is no such server\); 3 other backends were added, none was removed or got another weight\. Cause: .*Remedy: /,
    );
    expect(calls).toStrictEqual(["add 4", "add 2", "add 2", "add 1", "add 1"]);
    expect(servers.map(({ address, weight }) => `${address}=${weight}`)).toStrictEqual([
        ...["i-a=100", "i-b=100", "i-c=1", "i-d=1", "i-e=1"],
    ]);
});

test("a pod whose interface is gone, and one without any, are named together", async () => {
    const { api, servers } = group([]);
    const wanted = desired({ "10.0.0.1:80": 100, "10.8.8.8:80": 100, "10.9.9.9:80": 100 });
    await expect(applyBackends(api, TARGET, [], wanted)).rejects.toThrow(
        /^no ENI of the VPC holds 10\.9\.9\.9; the cloud refuses 10\.8\.8\.8 on eni-gone \(there is no such server\); 1 other/,
    );
    expect(servers.map(({ address }) => address)).toStrictEqual(["10.0.0.1"]);
});

test.each([0, 1, 2, 3, 5, 17, 40])(
    "%i of 40 servers that are gone take at most two calls for each server",
    async (gone) => {
        const { api, calls, servers } = group([]);
        const names = Array.from({ length: 40 }, (_, index) =>
            (index * 7) % 40 < gone ? `i-gone${index}` : `i-${index}`,
        );
        const done = applyBackends(api, TARGET, [], desired(Object.fromEntries(names.map((name) => [name, 1]))));
        await (gone === 0 ? done : expect(done).rejects.toThrow(/the cloud refuses i-gone/));
        expect(servers.length).toBe(40 - gone);
        // Ten calls of four, and for each server that is gone the way down to it: halves and quarters, twice.
        expect(calls.length).toBeLessThanOrEqual(Math.min(10 + gone * 4, 80));
    },
);

test("only members with the Service's mark, for any port, are managed; no plan has others", () => {
    const own = managed(
        [
            ecs("i-a"),
            ecs("i-b", 1, 30001, "k8s/30001/web/shop/c1"),
            ecs("i-x", 1, 80, "by hand"),
            ecs("i-y", 1, 80, "k8s/80/other/shop/c1"),
        ],
        MARK,
    );
    expect(toMap(own, 30080)).toStrictEqual({ "i-a": { weight: 100 }, "i-b:30001": { weight: 1 } });
});

test("addresses are members by themselves: no interface is looked up, in no state", async () => {
    const { api, calls } = group([]);
    const target = { groupId: "sgp-1", mark: "k8s.8080.TCP.web.shop.c1", addresses: "ip" } as const;
    const wanted = toList({
        port: 30080,
        backends: { "10.0.0.1:8080": { weight: 100 }, "192.168.0.1": { weight: 2 } },
    });
    const written = await applyBackends(api, target, [], wanted);
    expect(calls).toStrictEqual(["add 2"]);
    expect(written).toStrictEqual([
        { address: "10.0.0.1", port: 8080, weight: 100, mark: target.mark },
        { address: "192.168.0.1", port: 30080, weight: 2, mark: target.mark },
    ]);
    const read = managed((await api.describe("sgp-1")) ?? [], "k8s.30080.TCP.web.shop.c1");
    expect(toMap(read, 30080, true)).toStrictEqual({ "10.0.0.1:8080": { weight: 100 }, "192.168.0.1": { weight: 2 } });
});
