/** Findings of the present, of the past, and of what is to come. */
import { expect, test } from "@jest/globals";
import type { InspectedService, LiveEvent, ObservedLiveListener } from "../inspect/model";
import { liveService, OBJECT } from "../../test/support/inspect";
import { notChecked } from "./certificates";
import { examine, judge } from "./examine";

const NOW = Date.parse("2026-01-01T01:00:00Z");
const at = (minutesAgo: number): string => new Date(NOW - minutesAgo * 60_000).toISOString();

const event = (reason: string, change: Partial<LiveEvent> = {}): LiveEvent => ({
    warning: true,
    reason,
    message: "Error syncing load balancer: Code: Throttling.User",
    count: 1,
    at: at(4),
    component: "service-controller",
    ...change,
});
const REFUSED =
    "Error syncing load balancer [rsp-1]: AddVServerGroupBackendServers failed: Forbidden.RAM (the RAM role of the " +
    "controller may not make this call). Remedy: attach the policy of docs/sync.md to the RAM role of the controller.";
const ofSync = (change: Partial<LiveEvent> = {}) =>
    event("SyncLoadBalancerFailed", { component: "ack-loadbalancer-sync", message: REFUSED, ...change });
const success = (reason: string, component: string) =>
    event(reason, { warning: false, message: "", at: at(1), component });
const ENDPOINTS = event("FailedToUpdateEndpointSlices", {
    component: "endpoint-slice-controller",
    message: "conflict",
});

/** The Service after a change. Its group lacks its only backend: something else is broken. */
const live = (change: Partial<InspectedService>, isBroken = true): InspectedService => {
    const whole = liveService({ now: NOW, ...change });
    const { cloud } = whole;
    if (!isBroken || cloud.kind !== "found") return whole;
    const serverGroups = cloud.instance.serverGroups.map((group) => ({ ...group, backends: [] }));
    return { ...whole, cloud: { ...cloud, instance: { ...cloud.instance, serverGroups } } };
};

const synced = { name: "web-tcp-80", synced: true, reason: "Synced", message: "", facts: {} };
const late = { ...synced, synced: false, reason: "CallRefused", message: "refused" };
const BACKENDS = /server group tcp-80 has no backend of the Service/;
const THROTTLED = /made more calls of this API/;

for (const [what, change, headline] of [
    ["a failure of four minutes ago", { events: [event("SyncLoadBalancerFailed")] }, THROTTLED],
    ["a failure of eleven minutes ago", { events: [event("SyncLoadBalancerFailed", { at: at(11) })] }, BACKENDS],
    [
        "a failure before a success of the whole",
        { events: [success("EnsuredLoadBalancer", "ack-loadbalancer"), event("SyncLoadBalancerFailed")] },
        BACKENDS,
    ],
    [
        "a failure of CCM before the sync controller's success, which is about backends alone",
        { events: [success("SyncedBackends", "ack-loadbalancer-sync"), event("SyncLoadBalancerFailed")] },
        THROTTLED,
    ],
    [
        "a refused call of the sync controller before its success",
        { events: [success("SyncedBackends", "ack-loadbalancer-sync"), ofSync()], bindings: [late] },
        BACKENDS,
    ],
    [
        "a refused call of the sync controller, whose bindings are synced",
        { events: [ofSync()], bindings: [synced] },
        BACKENDS,
    ],
    [
        "a refused call of the sync controller",
        { events: [ofSync()], bindings: [late] },
        /^the sync controller reports: .*RAM role of the controller/,
    ],
    ["trouble of the endpoint controller", { events: [ENDPOINTS] }, BACKENDS],
] as const satisfies readonly (readonly [string, Partial<InspectedService>, RegExp])[]) {
    test(`the headline after ${what}`, () => {
        const subject = live(change);
        expect(judge(subject, examine(subject)).summary).toMatch(headline);
    });
}

test("a refusal names the role that was refused, and its page", () => {
    const remedy = (one: LiveEvent) => {
        const [first] = examine(live({ events: [one], bindings: [late] }));
        return `${first?.what} | ${first?.remedy} | ${first?.source}`;
    };
    expect(remedy(ofSync())).toMatch(
        /role of the controller.* \| attach the policy of docs\/sync\.md.* \| docs\/sync\.md/,
    );
    const message = "Error syncing load balancer: Code: Forbidden.RAM Message: User not authorized to operate";
    expect(remedy(event("SyncLoadBalancerFailed", { message }))).toMatch(/RAM role of the Cloud Controller Manager/);
    expect(remedy(event("SyncLoadBalancerFailed", { message }))).not.toMatch(/these credentials/);
});

test("an event names the part that reports it", () => {
    const found = examine(live({ events: [ENDPOINTS] })).find(({ evidence }) => evidence.join().includes("conflict"));
    expect(found).toMatchObject({
        verdict: "suspect",
        what: "endpoint-slice-controller reports FailedToUpdateEndpointSlices",
    });
});

const LEASE = { lease: "ops/ack-loadbalancer-sync", holder: undefined, renewed: "2026-01-01T00:41:22.123456Z" };

test("a sync controller without a leader is the headline, and broken once backends are late", () => {
    const change = { bindings: [synced], leader: LEASE };
    const judged = (subject: InspectedService) => judge(subject, examine(subject));
    expect(judged(live(change))).toMatchObject({
        health: "broken",
        summary: "no replica of the sync controller leads since 2026-01-01T00:41:22Z",
    });
    expect(judged(live(change, false))).toMatchObject({
        health: "works",
        summary: "nothing broken was found; no replica of the sync controller leads since 2026-01-01T00:41:22Z",
    });
    const remedies = examine(live(change)).map(({ remedy }) => remedy);
    expect(remedies.slice(0, 2)).toStrictEqual([
        expect.stringMatching(/kubectl -n ops get pods; kubectl -n ops logs deployment\/ack-loadbalancer-sync/),
        expect.stringMatching(/^start the sync controller/),
    ]);
    expect(judged(live({ bindings: [synced], leader: { ...LEASE, holder: "a" } }, false)).summary).toBe(
        "nothing broken was found",
    );
});

test("a cluster id that is not the marks' refuses runs, and breaks nothing", () => {
    const subject = live({ clusterId: "c-renamed" }, false);
    expect(judge(subject, examine(subject))).toMatchObject({
        health: "works",
        summary:
            "nothing broken was found; each run is refused: the cluster's id is c-renamed now, " +
            "and the load balancer bears c1",
    });
    const object = { ...OBJECT, metadata: { ...OBJECT.metadata, finalizers: ["service.k8s.alibaba/resources"] } };
    const ofCcm = live(
        { clusterId: "c-renamed", object: { ...object, spec: { ...OBJECT.spec, loadBalancerClass: undefined } } },
        false,
    );
    expect(examine(ofCcm).map(({ what }) => what)).not.toContainEqual(expect.stringMatching(/each run is refused/));
});

const DAY = 24 * 3_600_000;

for (const [what, certificate, health, summary] of [
    [
        "expired by its time",
        { expiresAt: NOW - DAY, expired: false },
        "broken",
        /^certificate c of listener https:443 has expired on 2025-12-31$/,
    ],
    ["expired by its status", { expired: true }, "broken", /^certificate c of listener https:443 has expired$/],
    [
        "valid for 29 days",
        { expiresAt: NOW + 29 * DAY, expired: false },
        "works",
        /^nothing broken was found; certificate c of listener https:443 expires on 2026-01-30$/,
    ],
    ["valid for 31 days", { expiresAt: NOW + 31 * DAY, expired: false }, "works", /^nothing broken was found$/],
    ["valid for a time that is not told", { expired: false }, "works", /^nothing broken was found$/],
] as const) {
    test(`a certificate ${what}`, () => {
        const { cloud } = liveService();
        if (cloud.kind !== "found") throw new Error("the Service of tests has a load balancer");
        const listener = { tls: { certId: "c", domains: [] } } as unknown as ObservedLiveListener;
        const read = { ...cloud, listeners: { "https:443": listener } };
        const subject = live({ cloud: { ...read, certificates: [{ id: "c", ...certificate }] } }, false);
        expect(judge(subject, examine(subject))).toMatchObject({ health, summary: expect.stringMatching(summary) });
        expect(notChecked(subject)).toHaveLength(1);
        expect(notChecked(live({ cloud: read }, false))[0]).toMatch(/certificates are valid: c could not be read/);
    });
}
