/** Events of a Service: which of them tell of the present. */

import { diagnose, type Diagnosis } from "../../provider/cloud/diagnose";
import { faqDocument } from "../../provider/schema/documents";
import { defined } from "../../provider/schema/defined";
import { SYNC_COMPONENT } from "../../provider/sync/report";
import type { InspectedService, LiveEvent } from "../inspect/model";
import { broken, type Examine, type Explanation, suspect } from "./explanation";

/** Reason by which CCM warns, in each run, of a load balancer that outlives its Service. */
const PRESERVED = "PreservedOnDelete";

/** Reason by which CCM reports any error. The message tells which. */
const ANY_ERROR = "SyncLoadBalancerFailed";

/** Reasons of success of the whole. CCM's other normal events tell of changes to come, or of missing backends. */
const SUCCESSES: readonly string[] = ["EnsuredLoadBalancer", "CleanLoadBalancer"];

/** Reason of success of the sync controller, which answers for backends alone. */
const BACKENDS_SYNCED = "SyncedBackends";

/** Parts of Kubernetes that report at a Service, and know nothing of its load balancer. */
const KUBERNETES = /^endpoint-?slice|^endpoints?-controller/;

/** Age in milliseconds from which an event is history where something else is wrong now. */
const OLD = 10 * 60_000;

/** True for an event whose trouble is over: its controller has succeeded since. */
function isOver({ component, at }: LiveEvent, { events: all, bindings = [] }: InspectedService): boolean {
    const ofSync = component === SYNC_COMPONENT;
    // Backends that are right need no change, and no event tells so.
    if (ofSync && bindings.length > 0 && bindings.every(({ synced }) => synced)) return true;
    return all.some(
        (one) =>
            one.at > at &&
            !one.warning &&
            (SUCCESSES.includes(one.reason) || (ofSync && one.reason === BACKENDS_SYNCED)),
    );
}

/** True for an event that does not tell of the present trouble. An event without a time may. */
export const isOld = ({ at }: Pick<LiveEvent, "at">, now: number): boolean => now - Date.parse(at) > OLD;

/** Reports up to five different warnings among the events. */
export const events: Examine = (live) => {
    const warnings = live.events.filter(({ warning }) => warning);
    const first = warnings.filter(
        (one, index) => warnings.findIndex(({ message }) => message === one.message) === index,
    );
    return first.slice(0, 5).map((event): Explanation => {
        const found = explain(event, live);
        return isOver(event, live) ? { ...found, verdict: "history" } : { ...found, at: event.at };
    });
};

/** Splits a message of the sync controller: `Error syncing load balancer [rsp-1]: <cause>. Remedy: <remedy>`. */
export function splitRemedy(message: string): { readonly cause: string; readonly remedy?: string } {
    const [, cause = message, remedy] =
        /^(?:[^[\]]* \[[^\]]*\]: )?(.*?)\.?(?: Remedy: (.*))?$/s.exec(message.trim()) ?? [];
    return { cause, ...defined({ remedy }) };
}

function explain(event: LiveEvent, { object: { metadata } }: InspectedService): Explanation {
    const { reason, message, count, component } = event;
    const evidence = [`event ${reason}, ${count} times: ${message.trim()}`];
    const readAll = `read all events: kubectl -n ${metadata.namespace} describe service ${metadata.name}`;
    if (component === SYNC_COMPONENT) {
        const { cause, remedy = readAll } = splitRemedy(message);
        return broken(`the sync controller reports: ${cause}`, evidence, remedy, "docs/sync.md");
    }
    const known = diagnose(message) ?? (reason === ANY_ERROR ? undefined : diagnose({ code: reason }));
    const who = component === "" ? "its controller" : component;
    const { cause, remedy, source } =
        known === undefined
            ? { cause: `${who} reports ${reason}`, remedy: readAll, source: faqDocument("Service synchronization") }
            : { ...known, ...OF_CCM[known.code] };
    const isAside = reason === PRESERVED || KUBERNETES.test(component);
    return (isAside ? suspect : broken)(cause, evidence, remedy, source);
}

/** Codes of diagnoses that speak to the user of the credentials. Events are of CCM, which has others. */
const OF_CCM: Readonly<Record<string, Pick<Diagnosis, "cause" | "remedy">>> = {
    permission: {
        cause: "The RAM role of the Cloud Controller Manager (CCM) may not make this call.",
        remedy:
            "Add the action that the event names to the policy of the role that CCM uses: for an ACK managed " +
            "cluster grant the service role on the ACK console, for a dedicated one edit the master RAM role.",
    },
    throttled: {
        cause: "The account made more calls of this API in a minute than its quota allows.",
        remedy:
            "None needed at once: CCM tries again later. Look for other clients of the account that call the API in " +
            "a loop, or raise the API's rate quota in Quota Center.",
    },
};
