/** Requirements: X33. */
import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { toMap } from "../schema/backend";
import type { BindingSpec } from "./binding/spec";
import type { Observation } from "./observation";
import type { Draining } from "./drain";
import { type Decision, reconcile } from "./reconcile";
import { endpoint, gatedPod, node, podSpec, service, slice, spec } from "../../test/support/sync-world";

const NODES = [node("a"), node("b")];
const observe = (more: Partial<Observation> = {}): Observation => ({
    service: service(),
    endpointSlices: [slice(endpoint("10.0.0.1", "a"))],
    nodes: NODES,
    gatedPods: new Map(),
    ...more,
});

const ecs = (name: string, weight = 1) => ({ address: `i-${name}`, port: 30080, weight });
const eni = (address: string, weight = 100) => ({ address, port: 8080, weight });

/** Weights by backend, or the reason for which the group is left alone. */
function outcome(decision: Decision): Record<string, number> | string {
    if (decision.kind === "hold") return decision.finding.reason;
    return Object.fromEntries(Object.entries(toMap(decision.members, 30080)).map(([key, { weight }]) => [key, weight]));
}
const decide = (of: BindingSpec, seen: Observation, own: Parameters<typeof reconcile>[2] = []) =>
    outcome(reconcile(of, seen, own, new Map(), 0));

test("members are those of a run: nodes with ready pods, weighted by their number", () => {
    const slices = [slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b"), endpoint("10.0.0.3", "b"))];
    expect(decide(spec(), observe({ endpointSlices: slices }))).toStrictEqual({ "i-a": 1, "i-b": 2 });
    expect(decide(podSpec(), observe({ endpointSlices: slices }))).toStrictEqual({
        "10.0.0.1:8080": 100,
        "10.0.0.2:8080": 100,
        "10.0.0.3:8080": 100,
    });
});

/** Returns a decision that has to apply members. */
function applied(decision: Decision): Extract<Decision, { kind: "apply" }> {
    expect(decision.kind).toBe("apply");
    return decision as Extract<Decision, { kind: "apply" }>;
}

const HELD: readonly [string, BindingSpec, Partial<Observation>, string][] = [
    ["the Service is missing", spec(), { service: undefined }, "ServiceMissing"],
    ["the Service is no load balancer any more", spec(), { service: service({ type: "ClusterIP" }) }, "ServiceChanged"],
    ["the Service has lost the port", spec(), { service: service({ port: 81 }) }, "ServiceChanged"],
    ["the nodePort has changed", spec(), { service: service({ nodePort: 30081 }) }, "ServiceChanged"],
    ["the targetPort has changed", podSpec(), { service: service({ targetPort: 9090 }) }, "ServiceChanged"],
    ["no node is known", spec({ allowEmpty: true }), { nodes: [] }, "NodesMissing"],
    ["no slice is known", spec({ allowEmpty: true }), { endpointSlices: [] }, "EndpointsMissing"],
    [
        "no slice is known of pods on virtual nodes",
        spec({ externalTrafficPolicy: "Cluster" }),
        { endpointSlices: [], nodes: [...NODES, { metadata: { name: "v", labels: { type: "virtual-kubelet" } } }] },
        "EndpointsMissing",
    ],
    ["no backend would be left", spec(), { endpointSlices: [slice()] }, "NoBackends"],
    ["every node is not ready", spec(), { nodes: [node("a", false)] }, "NoBackends"],
];

for (const [what, of, more, reason] of HELD) {
    test(`the backends stay where ${what}`, () => {
        expect(reconcile(of, observe(more), [ecs("a")], new Map(), 0)).toMatchObject({
            kind: "hold",
            finding: {
                synced: false,
                reason,
                cause: expect.stringMatching(/stay/),
                remedy: expect.stringMatching(/./),
            },
        });
    });
}

test("nodes are backends without any slice, where all traffic goes through them", () => {
    const cluster = spec({ externalTrafficPolicy: "Cluster" });
    expect(decide(cluster, observe({ endpointSlices: [] }))).toStrictEqual({ "i-a": 100, "i-b": 100 });
});

test("nodePorts do not matter where pods are backends, nor targetPorts where nodes are", () => {
    expect(decide(podSpec(), observe({ service: service({ nodePort: 30081 }) }))).toStrictEqual({
        "10.0.0.1:8080": 100,
    });
    expect(decide(spec(), observe({ service: service({ targetPort: 9090 }) }))).toStrictEqual({ "i-a": 1 });
});

test("the last backend goes where the binding allows it", () => {
    expect(decide(spec({ allowEmpty: true }), observe({ endpointSlices: [slice()] }), [ecs("a")])).toStrictEqual({});
});

test("a terminating endpoint that serves has weight 0 until its time is over or it is gone", () => {
    const leaving = observe({
        endpointSlices: [slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b", "draining"))],
    });
    const own = [eni("10.0.0.1"), eni("10.0.0.2")];
    const of = podSpec({ drainSeconds: 60 });
    const first = applied(reconcile(of, leaving, own, new Map(), 1_000));
    expect(outcome(first)).toStrictEqual({ "10.0.0.1:8080": 100, "10.0.0.2:8080": 0 });
    expect(first.recheckMs).toBe(60_000);
    const later = reconcile(of, leaving, [eni("10.0.0.1"), eni("10.0.0.2", 0)], first.draining, 60_999);
    expect(outcome(later)).toStrictEqual({ "10.0.0.1:8080": 100, "10.0.0.2:8080": 0 });
    expect(outcome(reconcile(of, leaving, own, first.draining, 61_000))).toStrictEqual({ "10.0.0.1:8080": 100 });
    const gone = observe({ endpointSlices: [slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b", "gone"))] });
    expect(outcome(reconcile(of, gone, own, first.draining, 2_000))).toStrictEqual({ "10.0.0.1:8080": 100 });
});

test("with graceful-shutdown a pod keeps its place with weight 0 for as long as it serves", () => {
    const rollout = (state: "draining" | "gone") =>
        observe({ endpointSlices: [slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b", state))] });
    const of = podSpec({ gracefulShutdown: true, drainSeconds: 60 });
    const own = [eni("10.0.0.1"), eni("10.0.0.2")];
    const first = applied(reconcile(of, rollout("draining"), own, new Map(), 1_000));
    expect(outcome(first)).toStrictEqual({ "10.0.0.1:8080": 100, "10.0.0.2:8080": 0 });
    expect([...first.draining]).toStrictEqual([["10.0.0.2:8080", 1_000]]);
    expect(first.recheckMs).toBeUndefined();
    const later = applied(reconcile(of, rollout("draining"), first.members, first.draining, 10_000_000));
    expect(outcome(later)).toStrictEqual({ "10.0.0.1:8080": 100, "10.0.0.2:8080": 0 });
    expect([...later.draining]).toStrictEqual([["10.0.0.2:8080", 1_000]]);
    expect(decide(of, rollout("gone"), own)).toStrictEqual({ "10.0.0.1:8080": 100 });
});

test("with graceful-shutdown the last terminating pod has weight 0 until it is gone, then stays", () => {
    const of = podSpec({ gracefulShutdown: true });
    const leaving = observe({ endpointSlices: [slice(endpoint("10.0.0.1", "a", "draining"))] });
    expect(decide(of, leaving, [eni("10.0.0.1")])).toStrictEqual({ "10.0.0.1:8080": 0 });
    expect(decide(of, observe({ endpointSlices: [slice()] }), [eni("10.0.0.1", 0)])).toBe("NoBackends");
});

test("a node drains when its last pod terminates, and takes traffic again with a new pod", () => {
    const own = [ecs("a"), ecs("b")];
    const leaving = [slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b", "draining"))];
    expect(decide(spec(), observe({ endpointSlices: leaving }), own)).toStrictEqual({ "i-a": 1, "i-b": 0 });
    const back = [slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b", "draining"), endpoint("10.0.0.3", "b"))];
    expect(decide(spec(), observe({ endpointSlices: back }), own)).toStrictEqual({ "i-a": 1, "i-b": 1 });
});

const NOT_DRAINED: readonly [string, BindingSpec, readonly ReturnType<typeof eni>[]][] = [
    ["is no member yet", podSpec(), [eni("10.0.0.1")]],
    ["may not drain", podSpec({ drainSeconds: 0 }), [eni("10.0.0.1"), eni("10.0.0.2")]],
    ["has a weight of the user's", podSpec({ ignoreWeightUpdate: true }), [eni("10.0.0.1"), eni("10.0.0.2")]],
];
for (const [what, of, own] of NOT_DRAINED) {
    test(`an endpoint that terminates is no member where it ${what}`, () => {
        const seen = observe({
            endpointSlices: [slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b", "draining"))],
        });
        expect(decide(of, seen, own)).toStrictEqual({ "10.0.0.1:8080": 100 });
    });
}

test("a pod that waits for its readiness gate is a backend as soon as its containers are ready", () => {
    const seen = (pod: ReturnType<typeof gatedPod>) =>
        observe({
            endpointSlices: [slice(endpoint("10.0.0.1", "a"), endpoint("10.0.0.2", "b", "waiting"))],
            gatedPods: new Map([["uid-10.0.0.2", pod]]),
        });
    expect(decide(podSpec(), seen(gatedPod("10.0.0.2")))).toStrictEqual({ "10.0.0.1:8080": 100, "10.0.0.2:8080": 100 });
    expect(decide(podSpec(), seen(gatedPod("10.0.0.2", false)))).toStrictEqual({ "10.0.0.1:8080": 100 });
});

test("never are ready members removed, nor members invented: whatever endpoints do", () => {
    const state = fc.constantFrom("ready" as const, "waiting" as const, "draining" as const, "gone" as const);
    const endpoints = fc.array(fc.record({ ip: fc.integer({ min: 1, max: 9 }), state }), { maxLength: 9 });
    fc.assert(
        fc.property(endpoints, endpoints, fc.integer({ min: 0, max: 400_000 }), (before, after, ms) => {
            const of = podSpec({ allowEmpty: true });
            const unique = (list: typeof before) => [...new Map(list.map((one) => [one.ip, one])).values()];
            const seen = (list: typeof before) =>
                observe({
                    endpointSlices: [slice(...unique(list).map((one) => endpoint(`10.0.0.${one.ip}`, "a", one.state)))],
                });
            const first = applied(reconcile(of, seen(before), [], new Map(), 0));
            const second = applied(reconcile(of, seen(after), first.members, first.draining, ms));
            const weights = outcome(second) as Record<string, number>;
            const ready = unique(after).flatMap((one) => (one.state === "ready" ? [`10.0.0.${one.ip}:8080`] : []));
            const serving = new Set(Object.keys(weights).filter((key) => weights[key] !== 0));
            expect([...serving].sort()).toStrictEqual(ready.sort());
            const third: Draining = second.draining;
            expect(outcome(reconcile(of, seen(after), second.members, third, ms))).toStrictEqual(weights);
        }),
    );
});
