/** Effects of a change on clients, and their duration. */

import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { type Bundle, keyInService } from "./gather";
import type { GroupReport, ListenerReport, Notice, SubjectReport } from "./model";
import { numberOf, recordOf, type Resource, type ResourceState, textOf } from "./step";
import { interruptionsOf } from "./verdict";
import { count } from "./words";

type Parts = Pick<SubjectReport, "loadBalancer" | "listeners" | "groups">;

const FOR_GOOD = "for good";
const NO_INTERRUPTION = "no interruption";
const UNTIL_RECONNECTED = "until clients have connected again";

const notice = (about: string, effect: string, duration: string): Notice => ({ about, effect, duration });

/** Returns all notices, the gravest first. */
export function noticesOf(bundle: Bundle, parts: Parts): Notice[] {
    const { loadBalancer, listeners, groups } = parts;
    const about = loadBalancer?.before?.value ?? loadBalancer?.after?.value ?? bundle.subject;
    const whole = wholeOf(bundle, loadBalancer, about);
    if (whole !== undefined) return [whole];
    const replaced = listeners.some(({ change }) => change === "replace");
    return [
        ...listeners.flatMap((listener) => listenerNotices(listener, loadBalancer?.kind ?? "clb")),
        ...interruptionsOf(bundle)
            .filter((sentence) => !replaced || !sentence.startsWith("listener "))
            .map((effect) => notice(about, effect, UNTIL_RECONNECTED)),
        ...listeners.flatMap(certificateNotices),
        ...groups.flatMap((group) => groupNotices(bundle, group)),
    ];
}

/** Returns the notice about the Service as a whole; it replaces all others. */
function wholeOf({ component }: Bundle, loadBalancer: Parts["loadBalancer"], about: string): Notice | undefined {
    if (component.change === "keep")
        return notice(
            about,
            "nothing: load balancer and listeners stay as they are, and are no longer managed",
            "no time",
        );
    if (component.change === "delete") {
        const effect =
            loadBalancer?.change === "keep"
                ? "the address stays, but nothing listens on the Service's ports any more"
                : "connections break, and the address no longer answers";
        return notice(about, effect, FOR_GOOD);
    }
    if (component.change === "create")
        return notice(about, "the Service becomes reachable when the update is done", NO_INTERRUPTION);
    if (loadBalancer === null || !["replace", "delete", "keep"].includes(loadBalancer.change)) return undefined;
    return notice(
        about,
        "connections break, and the old address no longer answers; the Service gets a new address",
        "until clients know the new address: the TTL of DNS records that you point to it, and caches",
    );
}

/** Time to replace a listener. CLB calls return at once, those of an NLB are asynchronous jobs. */
const REPLACEMENT = {
    clb: "a few seconds, from the deletion of the old listener to the start of the new one",
    nlb: "up to a minute: deletion and creation are two jobs of the cloud",
} as const;

function listenerNotices({ change, before, after }: ListenerReport, kind: LoadBalancerType): Notice[] {
    const port = before ?? after;
    if (port === null) return [];
    const about = `${port.protocol}:${port.port}`;
    if (change === "replace")
        return [notice(about, "connections break, and new ones are refused for a time", REPLACEMENT[kind])];
    if (change === "delete") return [notice(about, "connections break, and the port no longer answers", FOR_GOOD)];
    return change === "create" ? [notice(about, "the port answers from now on", NO_INTERRUPTION)] : [];
}

function certificateNotices({ change, fields, after }: ListenerReport): Notice[] {
    if (change !== "update" || !fields.some(({ field }) => /certificate/i.test(field))) return [];
    const effect = "new TLS handshakes get the new certificate; open connections stay as they are";
    return [notice(`${after?.protocol}:${after?.port}`, effect, NO_INTERRUPTION)];
}

function groupNotices(bundle: Bundle, { key, change, backends }: GroupReport): Notice[] {
    const numberOfBackends = (kind: string): number => backends.filter((one) => one.change === kind).length;
    const [added, removed, reweighted] = ["create", "delete", "update"].map(numberOfBackends);
    const about = `backends of ${key}`;
    const notices: Notice[] = [];
    if (removed && change !== "replace" && change !== "delete") {
        const drain = drainOf(bundle, key);
        const effect = `connections to ${count(removed, "backend")} end${drain === undefined ? "" : " after draining"}`;
        notices.push(
            notice(about, effect, drain === undefined ? UNTIL_RECONNECTED : `they may finish within ${drain} s`),
        );
    }
    if (added && change !== "create") {
        const health = healthOf(bundle, key);
        const effect = `${count(added, "backend")} ${added === 1 ? "takes" : "take"} new connections once healthy`;
        const duration = `no interruption; after about ${health} s of health checks`;
        notices.push(notice(about, effect, health === undefined ? NO_INTERRUPTION : duration));
    }
    if (reweighted) {
        const effect = "new connections are shared by other weights; open ones stay where they are";
        notices.push(notice(about, effect, NO_INTERRUPTION));
    }
    return notices;
}

/** Returns the seconds until a new backend counts as healthy; undefined without health checks. */
function healthOf(bundle: Bundle, key: string): number | undefined {
    const group = stateOf(bundle.groups, bundle, key);
    const check = recordOf(group?.inputs, "healthCheck") ?? stateOf(bundle.listeners, bundle, key)?.inputs;
    if (textOf(check, "healthCheck") === "off" || check?.["healthCheckEnabled"] === false) return undefined;
    const [interval, threshold] = [numberOf(check, "healthCheckInterval"), numberOf(check, "healthyThreshold")];
    return interval === undefined || threshold === undefined ? undefined : interval * threshold;
}

/** Types of the options that the alicloud plugin does not support. */
const OPTIONS = /:(?:Listener|ServerGroup)Options$/;

/** Returns the seconds of connection draining; undefined where it is off. */
function drainOf(bundle: Bundle, key: string): number | undefined {
    const options = bundle.others.filter(({ type }) => OPTIONS.test(type));
    const seconds = numberOf(recordOf(stateOf(options, bundle, key)?.inputs, "options"), "ConnectionDrainTimeout");
    if (seconds !== undefined) return seconds;
    const inputs = stateOf(bundle.groups, bundle, key)?.inputs;
    return inputs?.["connectionDrainEnabled"] === true ? numberOf(inputs, "connectionDrainTimeout") : undefined;
}

function stateOf(resources: readonly Resource[], bundle: Bundle, key: string): ResourceState | undefined {
    const resource = resources.find((one) => keyInService(one, bundle) === key);
    return resource?.after ?? resource?.before;
}
