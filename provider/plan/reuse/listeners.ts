import { diagnostic, type Diagnostic, type ReuseCode } from "../../diagnostics";
import type {
    ObservedServerGroup,
    ObservedLoadBalancer,
    ObservedListener,
    ListenerAddress,
    ReuseRequest,
} from "../../model/observed";
import { sameOwner, sameService, isOwnershipKey } from "../../model/names";
import { ownershipMark, SOURCES, termsFor } from "./terms";
import { defined } from "../../schema/defined";

/** A user-managed listener that stands where the Service's is to stand. */
export interface ReplacedListener {
    readonly listener: ObservedListener;
    /** The group behind it, with its members where they were read. */
    readonly group?: ObservedServerGroup;
}

/** http, https and tcpssl stand on tcp: an instance has one listener of them on a port, and one of udp beside it. A range holds all of its ports. */
export function sharePort(a: ListenerAddress, b: ListenerAddress): boolean {
    return (
        a.port <= (b.endPort ?? b.port) &&
        b.port <= (a.endPort ?? a.port) &&
        (a.protocol === "udp") === (b.protocol === "udp")
    );
}

/**
 * The listeners that the Service replaces: exactly those on its own ports that are not its own, and only if it manages listeners.
 *
 * Listeners of other Services are not among them: they are refused by {@link checkListeners}.
 */
export function replacedListeners(request: ReuseRequest, found: ObservedLoadBalancer): ReplacedListener[] {
    return notOwned(request, found)
        .filter(({ description }) => !isOwnershipKey(description))
        .map((listener) => {
            const group = found.serverGroups.find(({ id }) => id === listener.serverGroupId);
            return { listener, ...defined({ group }) };
        });
}

/** What is to be said of the listeners that stand on the instance, and of the names that are taken there. */
export function checkListeners(request: ReuseRequest, found: ObservedLoadBalancer): Diagnostic<ReuseCode>[] {
    return [...checkNames(request, found), ...checkOccupiedPorts(request, found)];
}

/** Listeners on the Service's ports that are not its own, if it manages listeners. */
function notOwned(request: ReuseRequest, found: ObservedLoadBalancer): ObservedListener[] {
    const ours = ownershipMark(request);
    return request.manageListeners
        ? found.listeners.filter(
              (listener) =>
                  !sameOwner(listener.description, ours) &&
                  request.listeners.some((desired) => sharePort(desired, listener)),
          )
        : [];
}

/** Names carry the cluster; two clusters with one namespace and name would still be distinguished, but people would not, and the documents forbid it. */
function checkNames(
    request: ReuseRequest,
    { id, listeners, serverGroups }: ObservedLoadBalancer,
): Diagnostic<ReuseCode>[] {
    const ours = ownershipMark(request);
    const marks = [
        ...listeners.map(({ description }) => description),
        ...serverGroups.flatMap(({ name, backends = [] }) => [name, ...backends.map(({ description }) => description)]),
    ];
    const taken = marks.find((mark) => sameService(mark, ours) && !sameOwner(mark, ours));
    if (taken === undefined) {
        return [];
    }
    return [
        diagnostic({
            code: "name-taken",
            severity: "error",
            about: "id",
            cause: `load balancer ${id} serves a Service ${request.namespace}/${request.name} of another cluster already ("${taken}"); clusters that share an instance must not have Services of one namespace and name`,
            remedy: "give the Service another name or namespace; if the other cluster is gone, delete its listeners and groups from the instance",
            source: SOURCES.WHICH,
        }),
    ];
}

function checkOccupiedPorts(request: ReuseRequest, found: ObservedLoadBalancer): Diagnostic<ReuseCode>[] {
    const replaced = replacedListeners(request, found);
    return [
        ...notOwned(request, found)
            .filter(({ description }) => isOwnershipKey(description))
            .map((listener): Diagnostic<ReuseCode> =>
                diagnostic({
                    code: "listener-of-service",
                    severity: "error",
                    about: "forceOverrideListeners",
                    cause: `listener ${nameOf(listener)} of load balancer ${found.id} belongs to another Service ("${listener.description}"); two Services cannot use one listener`,
                    remedy: "use another port, or remove the other Service's port first",
                    source: SOURCES.WHICH,
                }),
            ),
        ...replaced.flatMap(({ listener }) => checkRedirects(request, found, listener)),
        ...replaced.map((one): Diagnostic<ReuseCode> =>
            diagnostic({
                code: "listener-replaced",
                severity: "warning",
                about: "forceOverrideListeners",
                cause: `listener ${describeReplaced(one, termsFor(request).group)} of load balancer ${found.id} is not this Service's and will be replaced, with an interruption`,
                remedy: 'only go on if nothing uses that listener any more; otherwise use another port, or set alibaba-cloud-loadbalancer-force-override-listeners to "false"',
                source: termsFor(request).OVERRIDE,
            }),
        ),
    ];
}

/** The cloud deletes no listener that another one redirects to. */
function checkRedirects(
    request: ReuseRequest,
    found: ObservedLoadBalancer,
    target: ObservedListener,
): Diagnostic<ReuseCode>[] {
    const replaced = replacedListeners(request, found).map(({ listener }) => listener);
    const redirecting = found.listeners
        .filter(({ forwardPort }) => target.protocol === "https" && forwardPort === target.port)
        .filter((one) => !replaced.includes(one));
    return redirecting.map((one) =>
        diagnostic({
            code: "listener-redirect",
            severity: "error",
            about: "forceOverrideListeners",
            cause: `listener ${nameOf(target)} of load balancer ${found.id} cannot be replaced: listener ${nameOf(one)}, which is not this Service's, redirects to it`,
            remedy: `remove the redirection of ${nameOf(one)} in the console, or use another port`,
            source: termsFor(request).OVERRIDE,
        }),
    );
}

/**
 * Listeners that the Service no longer has and that have become user-managed in the meantime: they are not removed.
 *
 * @param before the Service's request when it was last applied; undefined if it never was.
 */
export function checkDroppedListeners(
    before: ReuseRequest | undefined,
    request: ReuseRequest,
    found: ObservedLoadBalancer | undefined,
): Diagnostic<ReuseCode>[] {
    if (
        before === undefined ||
        found === undefined ||
        !before.manageListeners ||
        before.loadBalancerId !== request.loadBalancerId
    ) {
        return [];
    }
    const kept = request.manageListeners ? request.listeners : [];
    const dropped = before.listeners.filter((listener) => !kept.some((one) => sharePort(one, listener)));
    const taken = found.listeners.filter(
        (one) =>
            dropped.some((listener) => nameOf(listener) === nameOf(one)) &&
            !sameOwner(one.description, ownershipMark(request)),
    );
    return taken.map((listener) =>
        diagnostic({
            code: "listener-taken",
            severity: "error",
            about: {},
            cause: `listener ${nameOf(listener)} of load balancer ${found.id} would be removed, but it is no longer this Service's: its description is "${listener.description}"`,
            remedy: "take it out of the state with pulumi state delete, so that it is left alone, or put its description back",
            source: SOURCES.POLICY,
        }),
    );
}

/** A listener as people write it: `tcp:80`, or `tcp:80-100` for a range. */
export function nameOf({ protocol, port, endPort }: ListenerAddress): string {
    return `${protocol}:${port}${endPort === undefined ? "" : `-${endPort}`}`;
}

function describeReplaced({ listener, group }: ReplacedListener, noun: string): string {
    const backends = group?.backends?.map(({ key, weight }) => `${key} (weight ${weight})`) ?? [];
    const members =
        group?.backends === undefined
            ? ""
            : backends.length === 0
              ? " without backends"
              : ` with ${backends.join(", ")}`;
    const behind =
        listener.serverGroupId === undefined
            ? `no ${noun}`
            : `${noun} "${group?.name ?? listener.serverGroupId}"${members}`;
    return `${nameOf(listener)} (description "${listener.description}", ${behind})`;
}
