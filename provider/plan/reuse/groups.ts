import type { ReuseCode } from "../../diagnostics";
import { isOwnershipKey } from "../../schema/names";
import type { ListenerAddress } from "../../schema/listener-address";
import type { ObservedLoadBalancer, ObservedServerGroup } from "../../schema/observed";
import type { ReuseRequest } from "../../service/reuse";
import type { ListenerProtocol } from "../../schema/protocols";
import { listenerName } from "../../schema/listener-address";
import { type Judge, termsFor } from "./sources";

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
    tcp: ["TCP", "TCP_UDP"],
    udp: ["UDP", "TCP_UDP"],
    tcpssl: ["TCP", "TCPSSL"],
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
        ...(fits ? [] : [`is of protocol ${protocol}, which listener ${name} cannot use`]),
        ...(anyPort === undefined || anyPort === ranged ? [] : [ports]),
    ];
}
