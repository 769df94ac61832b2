/** Requirements: X25, X29. */
import { expect, test } from "@jest/globals";
import type { BindingSpec } from "./binding/spec";
import type { BindingFinding } from "./binding/status";
import { changeEvent, describeChanges, eventAfter, type Outcome, statusAfter } from "./report";
import { binding, endpoint, node, podSpec, slice, spec } from "../../test/support/sync-world";

const finding = (reason: BindingFinding["reason"], more: Partial<BindingFinding> = {}): BindingFinding => ({
    synced: false,
    reason,
    cause: "it is so",
    remedy: "do this",
    ...more,
});
const SYNCED = finding("Synced", { synced: true });

const EVENTS: readonly (readonly [string, BindingSpec, Outcome, string | undefined])[] = [
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
        const event = eventAfter(object, of, outcome);
        expect([what, event && `${event.type} ${event.reason}: ${event.message}`]).toStrictEqual([what, expected]);
        // What was said is not said again.
        const status = statusAfter(object, outcome, "2026-01-01T00:00:00Z");
        expect([what, eventAfter({ ...object, status }, of, outcome)]).toStrictEqual([what, undefined]);
    }
});

test("changes name nodes and pods, and those that are gone by their address", () => {
    const changes = describeChanges(
        {
            add: [{ address: "i-a", port: 30080, weight: 1 }],
            update: [{ address: "10.0.0.1", port: 8080, weight: 0 }],
            remove: [{ address: "i-gone", port: 30080, weight: 1 }],
        },
        { nodes: [node("a")], endpointSlices: [slice({ ...endpoint("10.0.0.1", "a"), targetRef: { name: "web-1" } })] },
    );
    expect(changeEvent(changes.map(([, change]) => change))).toStrictEqual({
        type: "Normal",
        reason: "SyncedBackends",
        message: "Synced backends: + a (i-a) weight 1, = web-1 (10.0.0.1) weight 0, - i-gone",
    });
});

test("an event names ten changes and counts the others", () => {
    const changes = Array.from({ length: 12 }, (_, index) => `- i-${index}`);
    expect(changeEvent(changes).message).toMatch(/- i-9 and 2 more$/);
});
