/** Effects of a change on clients: the verdict, and what they notice for how long. */

import { interruptions } from "../../provider/plan/interruptions";
import { regardsWeights } from "../../provider/schema/backend";
import { KUBERNETES_SERVICE_TYPE } from "../../provider/schema/resource-types";
import { type Bundle, keyInService, loses } from "./gather";
import type { GroupReport, Notice, SubjectReport, Verdict } from "./model";
import { type Change, numberOf, recordOf, type Resource, type ResourceState, staysBehind, textOf } from "./step";
import { count } from "../command/output";
import { listenerText } from "./sentences";
import { schedulerOf } from "./traffic";

type Parts = Pick<SubjectReport, "loadBalancer" | "listeners" | "groups" | "others">;

export function verdictOf(bundle: Bundle, parts: Parts): Verdict {
    const { loadBalancer, listeners, groups, others } = parts;
    if (loses(bundle)) return staysWhole(parts) && !losesNodePorts(bundle, parts) ? "leaves" : "deletes";
    const adopts = loadBalancer?.change === "import";
    const replaces = listeners.some(({ change }) => change === "replace");
    if (comes(bundle, loadBalancer) && !adopts && !replaces) return "creates";
    if (losesAddress(loadBalancer)) return "replaces-address";
    if (replaces) return "replaces-listener";
    const broken = [...listeners, ...groups].some(({ change }) => change === "replace" || change === "delete");
    if (broken || passesAddress(loadBalancer) || interruptionsOf(bundle).length > 0) return "interrupts";
    if (adopts) return "adopts";
    const isChanged = (one: { readonly change: Change } | null): boolean => one !== null && one.change !== "same";
    if ([loadBalancer, ...listeners, ...groups, ...others].some(isChanged)) return "in-place";
    const isMoved = ({ pending, backends }: GroupReport): boolean => pending !== null || backends.some(isChanged);
    return groups.some(isMoved) ? "backends-only" : "nothing";
}

/** True if a Service is new, or gets the load balancer that an interrupted run did not make. */
function comes({ component, contract }: Bundle, loadBalancer: Parts["loadBalancer"]): boolean {
    const addresses = recordOf(contract?.after?.inputs, "live")?.["addresses"];
    const unserved = contract !== undefined && !(Array.isArray(addresses) && addresses.length > 0);
    return component.change === "create" || (loadBalancer?.change === "create" && unserved);
}

/** True if another load balancer replaces the present or former load balancer of a Service, which may be gone. */
const losesAddress = (loadBalancer: Parts["loadBalancer"]): boolean =>
    loadBalancer !== null &&
    ["replace", "delete", "keep", "create"].includes(loadBalancer.change) &&
    !passesAddress(loadBalancer);

/** True if the next load balancer gets the same address: both have that of the annotation. */
const passesAddress = (loadBalancer: Parts["loadBalancer"]): boolean =>
    loadBalancer?.change === "replace" &&
    loadBalancer.before?.value !== null &&
    loadBalancer.before?.value === loadBalancer.after?.value;

/** True if a load balancer and its listeners stay as they are while the Service leaves the stack. */
const staysWhole = ({ loadBalancer, listeners }: Parts): boolean =>
    loadBalancer?.change === "keep" && listeners.length > 0 && listeners.every(({ change }) => change === "keep");

/** True if backends answer on node ports of a Kubernetes Service that is deleted. */
const losesNodePorts = ({ others }: Bundle, { groups }: Parts): boolean =>
    others.some(({ type, change }) => type === KUBERNETES_SERVICE_TYPE && change === "delete") &&
    groups.some(({ backends }) => backends.some(({ key }) => key.startsWith("i-")));

/** Returns a sentence for each interruption by an update in place. */
function interruptionsOf({ contract }: Bundle): string[] {
    const textsOf = (key: string): Record<string, string> | undefined => {
        const given = recordOf(contract?.after?.inputs, key);
        const texts = Object.entries(given ?? {}).filter((one): one is [string, string] => typeof one[1] === "string");
        return given && Object.fromEntries(texts);
    };
    return interruptions(textsOf("disruptiveBefore"), textsOf("disruptive"));
}

const FOR_GOOD = "for good";
const NO_INTERRUPTION = "no interruption";
const UNTIL_RECONNECTED = "until clients have connected again";

const notice = (about: string, effect: string, duration: string): Notice => ({ about, effect, duration });

/** Returns all notices, the gravest first. */
export function noticesOf(bundle: Bundle, parts: Parts): Notice[] {
    const { loadBalancer, listeners, groups } = parts;
    const about = loadBalancer?.before?.value ?? loadBalancer?.after?.value ?? bundle.subject;
    const whole = wholeOf(bundle, parts, about);
    if (whole !== undefined) {
        // A new Service may replace listeners of a reused instance.
        const replaced = listeners.filter(({ change }) => change === "replace" && comes(bundle, loadBalancer));
        return [...replaced.flatMap((listener) => listenerNotice(listener, parts) ?? []), whole];
    }
    const isListed = listeners.some(({ change }) => change === "replace" || change === "delete");
    const takenOver = "load balancer and address stay as they are, and are managed from now on";
    return [
        ...(loadBalancer?.change === "import" ? [notice(about, takenOver, NO_INTERRUPTION)] : []),
        ...listeners.flatMap((listener) => listenerNotice(listener, parts) ?? []),
        ...interruptionsOf(bundle)
            .filter((sentence) => !isListed || !sentence.startsWith("listener "))
            .map((effect) => notice(about, effect, UNTIL_RECONNECTED)),
        ...listeners.flatMap((listener) => certificateNotice(listener) ?? []),
        ...groups.flatMap((group) => groupNotices(bundle, group)),
    ];
}

/** Returns the notice about the Service as a whole, which replaces all others. */
function wholeOf(bundle: Bundle, parts: Parts, about: string): Notice | undefined {
    const { loadBalancer } = parts;
    if (loses(bundle)) return leavingOf(bundle, parts, about);
    if (comes(bundle, loadBalancer)) return loadBalancer?.change === "import" ? undefined : comingOf(parts, about);
    if (passesAddress(loadBalancer))
        return notice(about, "connections break; another load balancer gets the address", "until it has its listeners");
    if (!losesAddress(loadBalancer)) return undefined;
    const isLeft = bundle.instance !== undefined && staysBehind(bundle.instance);
    const effect = isLeft
        ? "the Service gets a new address; the former load balancer stays, and is no longer managed"
        : "connections break, and the old address no longer answers; the Service gets a new address";
    const duration = "until clients know the new address: the TTL of DNS records that you point to it, and caches";
    return notice(about, effect, duration);
}

/** Returns the notice about a Service that leaves the stack, by its listeners. */
function leavingOf(bundle: Bundle, parts: Parts, about: string): Notice {
    const { loadBalancer, listeners, groups } = parts;
    const stay = "load balancer and listeners stay";
    if (staysWhole(parts))
        return losesNodePorts(bundle, parts)
            ? notice(about, `${stay}, but no backend answers: the Service and its node ports are deleted`, FOR_GOOD)
            : notice(about, `${stay} as they are, and are no longer managed`, NO_INTERRUPTION);
    if (loadBalancer?.change !== "keep")
        return notice(about, "connections break, and the address no longer answers", FOR_GOOD);
    const gone = listeners.filter(({ change }) => change === "delete").map(listenerText);
    if (gone.length > 0)
        return notice(about, `the address stays, but nothing listens on ${gone.join(", ")} any more`, FOR_GOOD);
    const members = groups.flatMap(({ backends }) => backends).length;
    return notice(about, `${stay}, which are not managed; ${count(members, "backend")} of the Service leave`, FOR_GOOD);
}

/**
 * Returns the notice about a new Service: it answers where a listener has a backend. There is none if it has neither.
 */
function comingOf({ listeners, groups }: Parts, about: string): Notice | undefined {
    // A load balancer for several Services has none of its own.
    if (listeners.length === 0 && groups.length === 0) return undefined;
    const group = (key: string | null): GroupReport | undefined => groups.find((one) => one.key === key);
    if (listeners.length === 0) {
        const members = groups.flatMap(({ backends }) => backends).length;
        const text = groups.some(({ pending }) => pending !== null)
            ? "backends are known during the update"
            : `${count(members, "backend")} ${members === 1 ? "joins" : "join"} the server groups`;
        return notice(about, `${text}; listeners are not managed`, NO_INTERRUPTION);
    }
    const empty = listeners.filter((one) => one.group !== null && isEmpty(group(one.group)));
    const waiting = listeners.flatMap((one) => group(one.group)?.pending ?? []);
    if (empty.length === listeners.length)
        return notice(about, "the Service is not reachable: it has no backend", "until it has one");
    if (waiting[0] !== undefined)
        return notice(about, `the Service is reachable once ${waiting[0]} has given it backends`, NO_INTERRUPTION);
    const left = listeners.filter((one) => isLeftToOthers(group(one.group)));
    if (empty.length + left.length === listeners.length)
        return notice(about, `the Service is reachable ${BY_OTHERS}: it has none`, "until it has one");
    const but = empty.length === 0 ? "" : `, but not on ${empty.map(listenerText).join(", ")}, which has no backend`;
    const only = left.length === 0 ? "" : `, on ${left.map(listenerText).join(", ")} ${BY_OTHERS}`;
    return notice(about, `the Service becomes reachable when the update is done${but}${only}`, NO_INTERRUPTION);
}

const BY_OTHERS = "only if others have backends in its server group";

/** True if a group is known to have no backend that takes connections. */
const isEmpty = (group: GroupReport | undefined): boolean =>
    group?.origin === "created" && group.change !== "import" && lacksOwn(group);

/** True if only others, whom a preview does not know, can have backends in a group. */
const isLeftToOthers = (group: GroupReport | undefined): boolean => group?.origin === "user-managed" && lacksOwn(group);

const lacksOwn = ({ pending, backends }: GroupReport): boolean =>
    pending === null && !backends.some(({ after }) => after !== null && after.weight > 0);

/** Time to replace a listener. CLB calls return at once, those of an NLB are asynchronous jobs. */
const REPLACEMENT = {
    clb: "a few seconds, from the deletion of the old listener to the start of the new one",
    nlb: "up to a minute: deletion and creation are two jobs of the cloud",
} as const;

function listenerNotice(
    { change, before, after, group: key }: SubjectReport["listeners"][number],
    { loadBalancer, groups }: Parts,
): Notice | undefined {
    const port = before ?? after;
    const about = `${port?.protocol}:${port?.port}`;
    if (change === "replace") {
        const effect = "connections break, and new ones are refused for a time";
        return notice(about, effect, REPLACEMENT[loadBalancer?.kind ?? "clb"]);
    }
    if (change === "delete") return notice(about, "connections break, and the port no longer answers", FOR_GOOD);
    if (change !== "create") return undefined;
    const group = groups.find((one) => one.key === key);
    if (isEmpty(group)) return notice(about, "the port does not answer: it has no backend", "until it has one");
    return isLeftToOthers(group)
        ? notice(about, `the port answers ${BY_OTHERS}: the Service has none`, "until it has one")
        : notice(about, "the port answers from now on", NO_INTERRUPTION);
}

function certificateNotice({ change, fields, after }: SubjectReport["listeners"][number]): Notice | undefined {
    if (change !== "update" || !fields.some(({ field }) => /certificate/i.test(field))) return undefined;
    const effect = "new TLS handshakes get the new certificate; open connections stay as they are";
    return notice(`${after?.protocol}:${after?.port}`, effect, NO_INTERRUPTION);
}

function groupNotices(bundle: Bundle, { key, change, backends, pending }: GroupReport): Notice[] {
    const about = `backends of ${key}`;
    if (pending !== null && change !== "create") {
        const effect = `they are read after ${pending}, which changes: members and weights may change`;
        return [notice(about, effect, "known during the update")];
    }
    const counted = (kind: Change): number => backends.filter((one) => one.change === kind).length;
    const drained = backends.filter(({ after, before }) => after?.weight === 0 && before?.weight !== 0).length;
    const added = backends.filter((one) => one.change === "create" && one.after?.weight !== 0).length;
    const removed = counted("delete");
    const notices: Notice[] = [];
    if (removed > 0 && change !== "replace" && change !== "delete") {
        const drain = drainOf(bundle, key);
        const ended = `connections to ${count(removed, "backend")} end`;
        notices.push(
            drain === undefined
                ? notice(about, ended, UNTIL_RECONNECTED)
                : notice(about, `${ended} after draining`, `they may finish within ${drain} s`),
        );
    }
    if (added > 0 && change !== "create") {
        const health = healthOf(bundle, key);
        const effect = `${count(added, "backend")} ${added === 1 ? "takes" : "take"} new connections once healthy`;
        const duration = `no interruption; after about ${health} s of health checks`;
        notices.push(notice(about, effect, health === undefined ? NO_INTERRUPTION : duration));
    }
    if (counted("update") > 0) notices.push(notice(about, weightEffect(bundle, key, backends), NO_INTERRUPTION));
    const drains = `${count(drained, "backend")} ${drained === 1 ? "drains" : "drain"}: no new connections`;
    if (drained > 0 && change !== "create") notices.push(notice(about, drains, "open ones go on"));
    return notices;
}

/**
 * Describes the effect of weights. They decide under some schedulers, but a backend of weight 0 gets no new connections
 * under any.
 */
function weightEffect(bundle: Bundle, key: string, backends: GroupReport["backends"]): string {
    const scheduler = schedulerOf(bundle, key, "after");
    const isEmptied = backends.some(({ before, after }) => (before?.weight === 0) !== (after?.weight === 0));
    return scheduler === undefined || regardsWeights(scheduler) || isEmptied
        ? "new connections are shared by other weights; open ones stay where they are"
        : `weights change, which scheduler ${scheduler.toLowerCase()} does not regard`;
}

/** Returns the seconds until a new backend counts as healthy, or undefined without health checks. */
function healthOf(bundle: Bundle, key: string): number | undefined {
    const group = stateOf(bundle.groups, bundle, key);
    const check = recordOf(group?.inputs, "healthCheck") ?? stateOf(bundle.listeners, bundle, key)?.inputs;
    if (textOf(check, "healthCheck") === "off" || check?.["healthCheckEnabled"] === false) return undefined;
    const [interval, threshold] = [numberOf(check, "healthCheckInterval"), numberOf(check, "healthyThreshold")];
    return interval === undefined || threshold === undefined ? undefined : interval * threshold;
}

/** Returns the seconds of connection draining, or undefined where it is off. */
function drainOf(bundle: Bundle, key: string): number | undefined {
    // Options that the alicloud plugin does not support are a resource of their own type.
    const options = bundle.others.filter(({ type }) => /:(?:Listener|ServerGroup)Options$/.test(type));
    const seconds = numberOf(stateOf(options, bundle, key)?.inputs, "options", "ConnectionDrainTimeout");
    if (seconds !== undefined) return seconds;
    const inputs = stateOf(bundle.groups, bundle, key)?.inputs;
    return inputs?.["connectionDrainEnabled"] === true ? numberOf(inputs, "connectionDrainTimeout") : undefined;
}

function stateOf(resources: readonly Resource[], bundle: Bundle, key: string): ResourceState | undefined {
    const resource = resources.find((one) => keyInService(one, bundle) === key);
    return resource?.after ?? resource?.before;
}
