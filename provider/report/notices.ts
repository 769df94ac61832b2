/** What a client notices of a change, and for how long. */

import { type Bundle, keyOf } from "./gather";
import type { GroupReport, ListenerReport, Notice, SubjectReport } from "./model";
import { numberOf, recordOf, type ResourceState, textOf } from "./step";
import { interruptionsOf } from "./verdict";
import { defined } from "../schema/defined";

type Parts = Pick<SubjectReport, "loadBalancer" | "listeners" | "groups">;

const FOR_GOOD = "for good";

/** All notices, the gravest first. */
export function noticesOf(bundle: Bundle, parts: Parts): Notice[] {
    const { loadBalancer, listeners, groups } = parts;
    const whole = wholeOf(bundle, parts);
    if (whole !== undefined) return whole;
    const interrupted = interruptionsOf(bundle).filter(
        (sentence) => !sentence.startsWith("listener ") || listeners.every(({ change }) => change !== "replace"),
    );
    return [
        ...listeners.flatMap((listener) => listenerNotices(listener, loadBalancer?.kind ?? "clb")),
        ...interrupted.map((effect) => ({
            about: nameOf(bundle, parts),
            effect,
            duration: "until clients have connected again",
        })),
        ...certificates(listeners),
        ...groups.flatMap((group) => groupNotices(bundle, group)),
    ];
}

/** What concerns the Service as a whole; then nothing else matters. */
function wholeOf(bundle: Bundle, parts: Parts): Notice[] | undefined {
    const { loadBalancer } = parts;
    const about = nameOf(bundle, parts);
    const { change } = bundle.component;
    if (change === "keep")
        return [
            {
                about,
                effect: "nothing: load balancer and listeners stay as they are, and are no longer managed",
                duration: "no time",
            },
        ];
    if (change === "delete") {
        const stays = loadBalancer?.change === "keep";
        const effect = stays
            ? "the address stays, but nothing listens on the Service's ports any more"
            : "connections break, and the address no longer answers";
        return [{ about, effect, duration: FOR_GOOD }];
    }
    if (change === "create")
        return [
            { about, effect: "the Service becomes reachable when the update is done", duration: "no interruption" },
        ];
    if (loadBalancer === null || !["replace", "delete", "keep"].includes(loadBalancer.change)) return undefined;
    return [
        {
            about,
            effect: "connections break, and the old address no longer answers; the Service gets a new address",
            duration: "until clients know the new address: the TTL of DNS records that you point to it, and caches",
        },
    ];
}

const nameOf = (bundle: Bundle, { loadBalancer }: Parts): string =>
    loadBalancer?.before?.value ?? loadBalancer?.after?.value ?? bundle.subject;

/** A CLB's calls answer at once; those of an NLB are jobs of the cloud. */
const REMAKING = {
    clb: "a few seconds, from the deletion of the old listener to the start of the new one",
    nlb: "up to a minute: deletion and creation are two jobs of the cloud",
} as const;

function listenerNotices({ change, before, after }: ListenerReport, kind: "clb" | "nlb"): Notice[] {
    const port = before ?? after;
    if (port === null) return [];
    const about = `${port.protocol}:${port.port}`;
    if (change === "replace")
        return [{ about, effect: "connections break, and new ones are refused for a time", duration: REMAKING[kind] }];
    if (change === "delete")
        return [{ about, effect: "connections break, and the port no longer answers", duration: FOR_GOOD }];
    return change === "create" ? [{ about, effect: "the port answers from now on", duration: "no interruption" }] : [];
}

/** Attributes of a listener that hold certificates. */
const CERTIFICATE = /certificate/i;

function certificates(listeners: readonly ListenerReport[]): Notice[] {
    return listeners
        .filter(({ change, fields }) => change === "update" && fields.some(({ field }) => CERTIFICATE.test(field)))
        .map(({ after }) => ({
            about: `${after?.protocol}:${after?.port}`,
            effect: "new TLS handshakes get the new certificate; open connections stay as they are",
            duration: "no interruption",
        }));
}

function groupNotices(bundle: Bundle, { key, change, backends }: GroupReport): Notice[] {
    const of = (kind: string): number => backends.filter((backend) => backend.change === kind).length;
    const [added, removed, weighed] = [of("create"), of("delete"), of("update")];
    const about = `backends of ${key}`;
    const health = healthOf(bundle, key);
    const drain = drainOf(bundle, key);
    return [
        ...(change === "replace" || change === "delete" || removed === 0
            ? []
            : [
                  {
                      about,
                      effect: `connections to ${count(removed)} end${drain === undefined ? "" : " after draining"}`,
                      duration:
                          drain === undefined
                              ? "until clients have connected again"
                              : `they may finish within ${drain} s`,
                  },
              ]),
        ...(added === 0 || change === "create"
            ? []
            : [
                  {
                      about,
                      effect: `${count(added)} ${added === 1 ? "takes" : "take"} new connections once healthy`,
                      duration:
                          health === undefined
                              ? "no interruption"
                              : `no interruption; after about ${health} s of health checks`,
                  },
              ]),
        ...(weighed === 0
            ? []
            : [
                  {
                      about,
                      effect: "new connections are shared by other weights; open ones stay where they are",
                      duration: "no interruption",
                  },
              ]),
    ];
}

const count = (number: number): string => `${number} backend${number === 1 ? "" : "s"}`;

/** Seconds until a new backend counts as healthy; undefined without health checks. */
function healthOf(bundle: Bundle, key: string): number | undefined {
    const state = stateOf(bundle, key);
    const check = recordOf(state.group?.inputs, "healthCheck") ?? state.listener?.inputs;
    if (textOf(check, "healthCheck") === "off" || check?.["healthCheckEnabled"] === false) return undefined;
    const [interval, threshold] = [numberOf(check, "healthCheckInterval"), numberOf(check, "healthyThreshold")];
    return interval === undefined || threshold === undefined ? undefined : interval * threshold;
}

/** Seconds of connection draining; undefined where it is off. */
function drainOf(bundle: Bundle, key: string): number | undefined {
    const { group, options } = stateOf(bundle, key);
    const given = recordOf(options?.inputs, "options");
    return (
        numberOf(given, "ConnectionDrainTimeout") ??
        (group?.inputs["connectionDrainEnabled"] === true
            ? numberOf(group.inputs, "connectionDrainTimeout")
            : undefined)
    );
}

/** What the alicloud plugin cannot say of listeners and groups. */
const OPTIONS = /:(?:Listener|ServerGroup)Options$/;

function stateOf(
    bundle: Bundle,
    key: string,
): { group?: ResourceState; listener?: ResourceState; options?: ResourceState } {
    const [group, listener, options] = [
        bundle.groups,
        bundle.listeners,
        bundle.others.filter(({ type }) => OPTIONS.test(type)),
    ].map((resources) => {
        const found = resources.find((resource) => keyOf(resource, bundle) === key);
        return found?.after ?? found?.before;
    });
    return {
        ...defined({ group, listener, options }),
    };
}
