/** Ownership of listeners and server groups on a reused instance: which are this Service's, replaced, or of others. */
import { type Collector, collector, type Diagnostic, type ReuseCode } from "../../diagnostics";
import { formatBackendKey } from "../../schema/backend";
import { defined } from "../../schema/defined";
import { nlbDocument } from "../../schema/documents";
import { type ListenerAddress, listenerName, sharePort } from "../../schema/listener-address";
import { isOwnershipKey, type Owner, ownerKey, sameOwner, sameService } from "../../schema/names";
import type { ObservedListener } from "../../schema/observed";
import type { ObservedServerGroup } from "../../schema/server-group";
import type { ObservedLoadBalancer } from "../observed";
import type { ListenerProtocol } from "../../schema/protocols";
import type { ReuseRequest } from "../../service/reuse";

/** Reports errors and warnings of an aspect of a reuse. */
export type Judge = (report: Collector<ReuseCode>, request: ReuseRequest, found: ObservedLoadBalancer) => void;

/** Documents for both load balancer types. */
export const SOURCES = {
    WHICH: 'Notes on service load balancing configuration, "Which load balancers can be reused?"',
    POLICY: 'Notes on service load balancing configuration, "Load balancing update policies"',
    FAQ: 'FAQ about Services, "Why does reusing a CLB instance fail?"',
} as const;

/** Noun for a server group, and documents about the instance, replaced listeners and joined groups, by type. */
const TERMS = {
    clb: {
        group: "vServer group",
        EXISTING: 'Configure CLB using annotations, "Use an existing CLB instance"',
        OVERRIDE: 'Configure CLB using annotations, "Use an existing CLB instance and force override listeners"',
        GROUP: 'Configure CLB using annotations, "Reuse an existing vServer group"',
    },
    nlb: {
        group: "server group",
        EXISTING: nlbDocument("Use an Existing Load Balancer"),
        OVERRIDE: nlbDocument("Use an Existing Load Balancer"),
        GROUP: nlbDocument("Reuse an Existing Server Group"),
    },
} as const;

export const termsFor = ({ loadBalancerType = "clb" }: Pick<ReuseRequest, "loadBalancerType">) =>
    TERMS[loadBalancerType];

export const ownershipMark = (request: Pick<ReuseRequest, "loadBalancerType"> & Owner): string =>
    ownerKey(request.loadBalancerType ?? "clb", request);

/** User-managed listener on a port of the Service. */
interface ReplacedListener {
    readonly listener: ObservedListener;
    /** Its server group, with the backends where they were read. */
    readonly group?: ObservedServerGroup;
}

/** Returns the user-managed listeners that the Service replaces: those on its ports, if it manages listeners. */
export function replacedListeners(request: ReuseRequest, found: ObservedLoadBalancer): ReplacedListener[] {
    return notOwned(request, found)
        .filter(({ description }) => !isOwnershipKey(description))
        .map((listener) => {
            const group = found.serverGroups.find(({ id }) => id === listener.serverGroupId);
            return { listener, ...defined({ group }) };
        });
}

/** Listeners on the Service's ports that are not its own, if it manages listeners. */
function notOwned(request: ReuseRequest, { listeners }: ObservedLoadBalancer): readonly ObservedListener[] {
    const mark = ownershipMark(request);
    const isOnPort = (listener: ObservedListener): boolean =>
        request.listeners.some((desired) => sharePort(desired, listener));
    return request.manageListeners
        ? listeners.filter((listener) => !sameOwner(listener.description, mark) && isOnPort(listener))
        : [];
}

/** Reports names and listeners of the instance that conflict with the Service's. */
export const judgeListeners: Judge = (report, request, found) => {
    judgeNames(report, request, found);
    const about = "forceOverrideListeners";
    const source = termsFor(request).OVERRIDE;
    for (const listener of notOwned(request, found))
        if (isOwnershipKey(listener.description))
            report.error(
                about,
                `listener ${listenerName(listener)} of load balancer ${found.id} belongs to another Service ` +
                    `("${listener.description}"); two Services cannot use one listener`,
                "use another port, or remove the other Service's port first",
                { code: "listener-of-service" },
            );
    const replaced = replacedListeners(request, found);
    const mark = ownershipMark(request);
    // The cloud refuses to delete the target of a redirect.
    for (const { listener: target } of replaced)
        for (const one of found.listeners)
            if (
                target.protocol === "https" &&
                one.forwardPort === target.port &&
                !sameOwner(one.description, mark) &&
                !replaced.some(({ listener }) => listener === one)
            )
                report.error(
                    about,
                    `listener ${listenerName(target)} of load balancer ${found.id} cannot be replaced: listener ` +
                        `${listenerName(one)}, which is not this Service's, redirects to it`,
                    `remove the redirection of ${listenerName(one)} in the console, or use another port`,
                    { code: "listener-redirect", source },
                );
    for (const one of replaced)
        report.warning(
            about,
            `listener ${describeReplaced(one, termsFor(request).group)} of load balancer ${found.id} is not ` +
                "this Service's and will be replaced, with an interruption",
            "only go on if nothing uses that listener any more; otherwise use another port, or set " +
                'alibaba-cloud-loadbalancer-force-override-listeners to "false"',
            { code: "listener-replaced", source },
        );
};

/**
 * Judges names. They contain the cluster's id, but people do not see it, and the documents forbid Services of the same
 * name.
 */
const judgeNames: Judge = (report, request, { id, listeners, serverGroups }) => {
    const mark = ownershipMark(request);
    const marks = [
        ...listeners.map(({ description }) => description),
        ...serverGroups.flatMap(({ name, backends = [] }) => [name, ...backends.map(({ mark }) => mark)]),
    ];
    const taken = marks.find((other) => sameService(other, mark) && !sameOwner(other, mark));
    if (taken !== undefined)
        report.error(
            "id",
            `load balancer ${id} serves a Service ${request.namespace}/${request.name} of another cluster ` +
                `already ("${taken}"); clusters that share an instance must not have Services of one namespace and ` +
                "name",
            "give the Service another name or namespace; if the other cluster is gone, delete its listeners and " +
                "groups from the instance",
            { code: "name-taken" },
        );
};

/**
 * Returns errors for dropped listeners of the Service that have become user-managed: they are not removed.
 *
 * @param before request of the last run, or undefined if there was none.
 */
export function checkDroppedListeners(
    before: ReuseRequest | undefined,
    request: ReuseRequest,
    found: ObservedLoadBalancer | undefined,
): Diagnostic<ReuseCode>[] {
    if (!before?.manageListeners || found === undefined || before.loadBalancerId !== request.loadBalancerId) return [];
    const kept = request.manageListeners ? request.listeners : [];
    const dropped = before.listeners.filter((listener) => !kept.some((one) => sharePort(one, listener)));
    const names = new Set(dropped.map(listenerName));
    const report = collector<ReuseCode>("listener-taken", { source: SOURCES.POLICY });
    for (const listener of found.listeners)
        if (names.has(listenerName(listener)) && !sameOwner(listener.description, ownershipMark(request)))
            report.error(
                {},
                `listener ${listenerName(listener)} of load balancer ${found.id} would be removed, but it is no ` +
                    `longer this Service's: its description is "${listener.description}"`,
                "take it out of the state with pulumi state delete, which leaves it alone, or put its description back",
            );
    return [...report.diagnostics];
}

function describeReplaced({ listener, group }: ReplacedListener, noun: string): string {
    const { description, serverGroupId } = listener;
    const backends = group?.backends?.map((one) => `${formatBackendKey(one)} (weight ${one.weight})`);
    const members = backends?.length === 0 ? " without backends" : backends && ` with ${backends.join(", ")}`;
    const behind =
        serverGroupId === undefined ? `no ${noun}` : `${noun} "${group?.name ?? serverGroupId}"${members ?? ""}`;
    return `${listenerName(listener)} (description "${description}", ${behind})`;
}

/** Reports server groups of the request that do not exist, are managed, or cannot hold the Service's backends. */
export const judgeServerGroups: Judge = (report, request, found) => {
    const { group: noun, GROUP: source } = termsFor(request);
    const refuse = (code: ReuseCode, cause: string, remedy: string): void =>
        report.error("vgroupPort", cause, remedy, { code, source });
    for (const vgroupId of new Set(request.joinedGroups.map((joined) => joined.vgroupId))) {
        const group = found.serverGroups.find(({ id }) => id === vgroupId);
        if (group === undefined) {
            const cause =
                request.loadBalancerType === "nlb"
                    ? `there is no server group ${vgroupId} in this region`
                    : `load balancer ${found.id} has no vServer group ${vgroupId}`;
            const remedy = "correct alibaba-cloud-loadbalancer-vgroup-port, or create the group first";
            refuse("group-missing", cause, remedy);
        } else if (isOwnershipKey(group.name)) {
            refuse(
                "group-of-service",
                `${noun} ${vgroupId} was made for a Service ("${group.name}") and cannot be reused: it is ` +
                    "deleted with that Service",
                `create a ${noun} of your own, in the console or in a program, and name that`,
            );
        } else {
            const remedy = "name another server group, or create one that fits";
            for (const misfit of misfits(request, found, group))
                refuse("group-unfit", `server group ${vgroupId} ${misfit}`, remedy);
        }
    }
};

/** Protocols of the server groups of an NLB listener. Source: NLB API, CreateListener, ServerGroupId. */
const FITTING: Readonly<Partial<Record<ListenerProtocol, readonly string[]>>> = {
    tcp: ["tcp", "tcp_udp"],
    udp: ["udp", "tcp_udp"],
    tcpssl: ["tcp", "tcpssl"],
};

/** Reasons why a group of an NLB cannot hold the Service's backends, or cannot be used by its listeners. */
function misfits(request: ReuseRequest, { id, vpcId }: ObservedLoadBalancer, group: ObservedServerGroup): string[] {
    const { groupType, manageListeners, joinedGroups } = request;
    const type =
        group.type !== undefined && groupType !== undefined && group.type !== groupType
            ? [`holds members of type ${group.type}, but the Service's are of type ${groupType}`]
            : [];
    if (!manageListeners) return type;
    const elsewhere =
        group.vpcId === undefined || group.vpcId === vpcId
            ? []
            : [`is in ${group.vpcId}, but load balancer ${id} is in ${vpcId}`];
    const listeners = request.listeners.filter(({ port }) =>
        joinedGroups.some((joined) => joined.port === port && joined.vgroupId === group.id),
    );
    return [...type, ...elsewhere, ...listeners.flatMap((listener) => mismatches(listener, group))];
}

function mismatches(listener: ListenerAddress, { protocol, anyPort }: ObservedServerGroup): string[] {
    const name = listenerName(listener);
    const fits = protocol === undefined || (FITTING[listener.protocol]?.includes(protocol) ?? true);
    const ranged = listener.endPort !== undefined;
    const ports = ranged
        ? `answers on one port, but listener ${name} has many`
        : `answers on every port, but listener ${name} has one`;
    return [
        ...(fits ? [] : [`is of protocol ${protocol?.toUpperCase()}, which listener ${name} cannot use`]),
        ...(anyPort === undefined || anyPort === ranged ? [] : [ports]),
    ];
}
