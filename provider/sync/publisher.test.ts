/** Requirements: X29. */
import { expect, test } from "@jest/globals";
import { type BindingObject, readStatus } from "./binding/object";
import type { BindingStatus } from "./binding/status";
import { Metrics } from "./metrics";
import { Publisher } from "./publisher";
import type { Outcome } from "./report";
import { Store } from "./store";
import { binding, spec } from "../../test/support/sync-world";

const SYNCED: Outcome = {
    finding: { synced: true, reason: "Synced", cause: "the group has its desired backends" },
    members: [{ address: "i-1", port: 30080, weight: 1 }],
    userManaged: 0,
};
const CHANGED: Outcome = { ...SYNCED, applied: { add: SYNCED.members ?? [], update: [], remove: [], rejected: [] } };

/** A publisher whose writes are kept, and a clock that is moved by hand. */
function world() {
    const statuses: BindingStatus[] = [];
    const events: string[] = [];
    const time = { now: 0 };
    const silent = () => undefined;
    const publisher = new Publisher({
        store: new Store(),
        metrics: new Metrics(),
        log: { info: silent, warn: silent, error: silent },
        wall: () => time.now,
        writer: {
            writeStatus: async (_, status) => void statuses.push(status),
            record: async (_, { reason }) => void events.push(reason),
            setCondition: async () => undefined,
        },
    });
    const publish = (object: BindingObject, outcome: Outcome, seconds: number): Promise<void> => {
        time.now = seconds * 1000;
        return publisher.publish(object, spec(), outcome);
    };
    return { statuses, events, publisher, publish };
}

/** A binding as the watch brings it. */
const copy = (resourceVersion: string, status?: unknown): BindingObject => {
    const { metadata, ...rest } = binding(spec());
    return { ...rest, metadata: { ...metadata, resourceVersion }, ...(status === undefined ? {} : { status }) };
};

const changeTimes = (statuses: readonly BindingStatus[]): (string | undefined)[] =>
    statuses.map(({ lastChangeTime }) => lastChangeTime?.slice(17));

test("a lagging watch reverts neither the time of the last change nor the condition", async () => {
    const { statuses, publish } = world();
    await publish(copy("1"), CHANGED, 1);
    await publish(copy("1"), { ...CHANGED, members: [] }, 2);
    // The watch brings the first of the two writes.
    await publish(copy("2", statuses[0]), SYNCED, 3);
    expect(changeTimes(statuses)).toStrictEqual(["01Z", "02Z", "02Z"]);
    expect(statuses.map(({ conditions }) => conditions?.[0]?.lastTransitionTime.slice(17))).toStrictEqual([
        "01Z",
        "01Z",
        "01Z",
    ]);
});

test("what was said is neither written nor recorded again before the watch has brought it", async () => {
    const { statuses, events, publish } = world();
    const refused: Outcome = {
        finding: { synced: false, reason: "CallRefused", cause: "it is so", remedy: "do this" },
    };
    for (let second = 0; second < 3; second++) await publish(copy("1"), refused, second);
    expect([statuses.length, events]).toStrictEqual([1, ["SyncLoadBalancerFailed"]]);
});

test("publishing uses the status of another process, or of a recreated binding", async () => {
    const { statuses, publish } = world();
    const old = copy("1");
    await publish(old, CHANGED, 1);
    const others = { ...statuses[0], lastChangeTime: "2026-01-01T00:00:09Z" };
    await publish(copy("3", others), { ...SYNCED, userManaged: 1 }, 2);
    await publish({ ...old, metadata: { ...old.metadata, uid: "another" } }, SYNCED, 3);
    expect(changeTimes(statuses)).toStrictEqual(["01Z", "09Z", undefined]);
    expect(readStatus({ ...old, status: statuses[2] }).conditions?.[0]?.lastTransitionTime).toMatch(/03Z$/);
});

test("a status that is put back to what it was before the controller's write is written again", async () => {
    const { statuses, publish } = world();
    await publish(copy("1"), SYNCED, 1);
    await publish(copy("9"), SYNCED, 2);
    expect(statuses).toHaveLength(2);
});
