/**
 * Many groups that the cloud refuses, such as for a quota, among healthy groups, which follow as if there were no
 * others. Time is virtual: calls take 100 ms, and each action has the published rate.
 */
import { beforeEach, expect, test } from "@jest/globals";
import type { GroupApi } from "../../provider/backends/apply";
import { CloudError, RateLimiter } from "../../provider/cloud";
import { defaultRate } from "../../provider/quotas";
import type { Backend } from "../../provider/schema/backend";
import { Controller } from "../../provider/sync/controller";
import { Metrics } from "../../provider/sync/metrics";
import { Store, type Watched } from "../../provider/sync/store";
import { nlbOwnershipKey } from "../../provider/schema/names";
import { VirtualClock } from "../support/cloud-client";
import { binding, endpoint, node, podSpec, service, slice } from "../support/sync-world";

const HEALTHY = 200;
const REFUSED = 300;

/** Longest time from a change to its accepted call, in milliseconds. Source: docs/sync.md, measured p99. */
const P99 = 1_800;

const ADD = "AddServersToServerGroup";
const REMOVE = "RemoveServersFromServerGroup";

let clock: VirtualClock;
let store: Store;
let controller: Controller;
/** Addresses that the cluster has for each Service. */
let wanted: Map<string, readonly string[]>;
/** Members of each group. */
let members: Map<string, readonly Backend[]>;
/** Times from a change of a group to its accepted call, in milliseconds. */
let latencies: number[];
let changedAt: Map<string, number>;
/** Times of refused calls. */
let refusals: number[];
let refuses: (id: string) => boolean;

const good = (index: number): string => `good-${index % HEALTHY}`;
const bad = (index: number): string => `bad-${index % REFUSED}`;
const markOf = (id: string): string => nlbOwnershipKey(8080, "tcp", { namespace: "shop", name: id, clusterId: "c1" });

function put<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind]): void {
    controller.enqueue(store.put(kind, object));
}

/** Gives a Service these endpoints. */
function change(id: string, addresses: readonly string[]): void {
    wanted.set(id, addresses);
    changedAt.set(id, clock.now());
    const { metadata, ...rest } = slice(...addresses.map((address) => endpoint(address, "n0")));
    put("slice", { ...rest, metadata: { ...metadata, name: id, labels: { "kubernetes.io/service-name": id } } });
}

/** Creates a Service with a group that has the first members. */
function bind(id: string, addresses: readonly string[], present: readonly string[]): void {
    const { metadata, spec } = service();
    const mark = markOf(id);
    put("service", { metadata: { ...metadata, name: id }, spec });
    members.set(
        id,
        present.map((address) => ({ address, port: 8080, weight: 100, mark })),
    );
    change(id, addresses);
    put("binding", binding(podSpec({ serverGroup: { id, type: "Ip" }, serviceName: id, ownershipMark: mark }), id));
}

beforeEach(() => {
    clock = new VirtualClock(() => 0.5);
    store = new Store();
    wanted = new Map();
    members = new Map();
    latencies = [];
    changedAt = new Map();
    refusals = [];
    refuses = (id) => id.startsWith("bad");
    const limiter = new RateLimiter();
    const call = async (action: string, id: string): Promise<void> => {
        await limiter.take(action, defaultRate("nlb", action), clock);
        await clock.sleep(100);
        if (action !== ADD || !refuses(id)) return;
        refusals.push(clock.now());
        throw new CloudError({ action, code: "QuotaInsufficient", message: "", kind: "final", attempts: 1 });
    };
    const write = async (action: string, id: string, change: (before: readonly Backend[]) => readonly Backend[]) => {
        await call(action, id);
        members.set(id, change(members.get(id) ?? []));
        latencies.push(clock.now() - (changedAt.get(id) ?? Number.NaN));
    };
    const api: GroupApi = {
        describe: (id) => call("ListServerGroupServers", id).then(() => members.get(id)),
        name: (id) => call("ListServerGroups", id).then(() => markOf(id)),
        add: (id, added) => write(ADD, id, (before) => [...before, ...added]),
        setWeights: (id) => call("UpdateServerGroupServersAttribute", id),
        remove: (id, removed) =>
            write(REMOVE, id, (before) =>
                before.filter((one) => !removed.some(({ address }) => address === one.address)),
            ),
        findEnis: () => Promise.resolve(new Map()),
        isQuotaError: () => false,
        isRefusal: () => false,
        refusalOfServer: () => undefined,
        perCall: 20,
    };
    controller = new Controller({
        store,
        clock,
        groups: () => api,
        operator: () => ({ clusterId: "c1", userManagedGroups: [] }),
        writer: {
            writeStatus: () => Promise.resolve(),
            record: () => Promise.resolve(),
            setCondition: () => Promise.resolve(),
        },
        metrics: new Metrics(),
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        leads: () => true,
        wall: () => clock.now(),
    });
    put("node", node("n0"));
    for (let index = 0; index < REFUSED; index++) bind(bad(index), ["10.9.0.1"], []);
    for (let index = 0; index < HEALTHY; index++) bind(good(index), ["10.0.0.1", "10.0.0.2"], ["10.0.0.1", "10.0.0.2"]);
});

/** 2,000 changes in a minute, each tenth of a healthy Service. Passes some more time. */
async function load(changeOf: (index: number) => readonly string[]): Promise<void> {
    latencies = [];
    refusals = [];
    for (let number = 0; number < 2_000; number++) {
        await clock.sleep(30);
        if (number % 10 === 0) change(good(number / 10), changeOf(number / 10));
        else change(bad(number), [`10.9.0.${(number % 250) + 1}`]);
    }
}

const p99 = (): number => latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN;

/** Addresses of the members that are not as the cluster has them, by healthy Service. */
const wrong = (): string[] =>
    Array.from({ length: HEALTHY }, (_, index) => good(index)).filter(
        (id) => (members.get(id) ?? []).map(({ address }) => address).join() !== wanted.get(id)?.join(),
    );

test("healthy groups follow at once while a leader uses up an action's rate for 300 others", async () => {
    await clock.run(clock.sleep(30_000));
    await clock.run(load(() => ["10.0.0.2"]));
    await clock.run(clock.sleep(2_000));
    expect(wrong()).toStrictEqual([]);
    expect(latencies).toHaveLength(HEALTHY);
    expect(p99()).toBeLessThan(P99);
});

test("healthy groups follow at once beside 300 refused ones with changes, of which few are tried", async () => {
    await clock.run(clock.sleep(600_000));
    await clock.run(load((index) => ["10.0.0.2", ...(index % 2 === 0 ? ["10.0.0.3"] : [])]));
    await clock.run(clock.sleep(2_000));
    expect(wrong()).toStrictEqual([]);
    expect(latencies.length).toBeGreaterThanOrEqual(HEALTHY);
    expect(p99()).toBeLessThan(P99);
    expect(refusals.length).toBeGreaterThan(16);
    expect(refusals.length).toBeLessThanOrEqual(32);
});
