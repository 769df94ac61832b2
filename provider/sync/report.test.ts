/** Requirements: X25, X29. */
import { expect, test } from "@jest/globals";
import type { BindingSpec } from "./binding/spec";
import type { BindingFinding } from "./binding/status";
import { eventsAfter, type Outcome, statusAfter } from "./report";
import { binding, podSpec, spec } from "../../test/support/sync-world";

const finding = (reason: BindingFinding["reason"], more: Partial<BindingFinding> = {}): BindingFinding => ({
    synced: false,
    reason,
    cause: "it is so",
    remedy: "do this",
    ...more,
});
const SYNCED = finding("Synced", { synced: true });
const CHANGE = { added: 2, updated: 1, removed: 3, missing: [] };

const EVENTS: readonly (readonly [string, BindingSpec, Outcome, string | undefined])[] = [
    [
        "a change",
        spec(),
        { finding: SYNCED, applied: CHANGE },
        "Normal SyncedBackends: Synced server group [rsp-1]: 2 added, 1 weights set, 3 removed",
    ],
    ["nothing to do", spec(), { finding: SYNCED }, undefined],
    [
        "a refused call",
        spec(),
        { finding: finding("CallRefused") },
        "Warning SyncLoadBalancerFailed: Error syncing load balancer [rsp-1]: it is so. Remedy: do this.",
    ],
    [
        "no backend left, behind a CLB",
        spec(),
        { finding: finding("NoBackends") },
        "Warning UnAvailableLoadBalancer: There are no available nodes for LoadBalancer. it is so. Remedy: do this.",
    ],
    [
        "no backend at all, behind an NLB",
        podSpec({ serverGroup: { id: "sgp-1", type: "Ip" } }),
        { finding: SYNCED, empty: true },
        "Normal UnAvailableLoadBalancer: There are no available nodes for NetworkLoadBalancer",
    ],
    [
        "pods without an interface",
        podSpec(),
        { finding: finding("PodsWithoutInterface") },
        "Warning SkipSyncBackends: it is so. Remedy: do this.",
    ],
];

test("events have the Cloud Controller Manager's reason if it has one, a cause and a remedy", () => {
    for (const [what, of, outcome, expected] of EVENTS) {
        const object = binding(of);
        const events = eventsAfter(object, of, outcome).map(
            ({ type, reason, message }) => `${type} ${reason}: ${message}`,
        );
        expect([what, ...events]).toStrictEqual([what, ...(expected === undefined ? [] : [expected])]);
        // What was said is not said again, but for changes.
        const status = statusAfter(object, outcome, "2026-01-01T00:00:00Z");
        const again = eventsAfter({ ...object, status }, of, {
            ...outcome,
            applied: { ...CHANGE, added: 0, updated: 0, removed: 0 },
        });
        expect([what, again]).toStrictEqual([what, []]);
    }
});
