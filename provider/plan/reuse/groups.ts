import { diagnostic, type Diagnostic, type ReuseCode } from "../../diagnostics";
import type { ListenerProtocol } from "../../schema/protocols";
import type { ObservedServerGroup, ObservedLoadBalancer, ListenerAddress, ReuseRequest } from "../../model/observed";
import { isOwnershipKey } from "../../model/names";
import { termsFor } from "./terms";
import { nameOf } from "./listeners";

/** Groups that the Service names must exist, must be user-managed, and must be able to take its backends. */
export function checkServerGroups(request: ReuseRequest, found: ObservedLoadBalancer): Diagnostic<ReuseCode>[] {
    return [...new Set(request.joinedGroups.map(({ vgroupId }) => vgroupId))].flatMap(
        (vgroupId): Diagnostic<ReuseCode>[] => {
            const group = found.serverGroups.find(({ id }) => id === vgroupId);
            const noun = termsFor(request).group;
            const refuse = (code: ReuseCode, message: string, remedy: string): Diagnostic<ReuseCode>[] => [
                diagnostic({
                    code,
                    severity: "error",
                    about: "vgroupPort",
                    cause: message,
                    remedy,
                    source: termsFor(request).GROUP,
                }),
            ];
            if (group === undefined) {
                const message =
                    request.loadBalancerType === "nlb"
                        ? `there is no server group ${vgroupId} in this region`
                        : `load balancer ${found.id} has no vServer group ${vgroupId}`;
                return refuse(
                    "group-missing",
                    message,
                    "correct alibaba-cloud-loadbalancer-vgroup-port, or create the group first",
                );
            }
            if (isOwnershipKey(group.name)) {
                const message = `${noun} ${vgroupId} was made for a Service ("${group.name}") and cannot be reused: it is deleted with that Service`;
                return refuse(
                    "group-of-service",
                    message,
                    `create a ${noun} of your own, in the console or in a program, and name that`,
                );
            }
            return misfits(request, found, group).flatMap((misfit) =>
                refuse(
                    "group-unfit",
                    `server group ${vgroupId} ${misfit}`,
                    "name another server group, or create one that fits",
                ),
            );
        },
    );
}

/** Protocols of the server groups that a listener of an NLB can use. Source: NLB API, CreateListener, ServerGroupId. */
const FITTING: Readonly<Partial<Record<ListenerProtocol, readonly string[]>>> = {
    tcp: ["TCP", "TCP_UDP"],
    udp: ["UDP", "TCP_UDP"],
    tcpssl: ["TCP", "TCPSSL"],
};

/** Why a group of an NLB cannot hold the Service's backends, or cannot stand behind the Service's listeners. */
function misfits(request: ReuseRequest, found: ObservedLoadBalancer, group: ObservedServerGroup): string[] {
    const { groupType, manageListeners, joinedGroups } = request;
    const type =
        group.type !== undefined && groupType !== undefined && group.type !== groupType
            ? [`holds members of type ${group.type}, but the Service's are of type ${groupType}`]
            : [];
    if (!manageListeners) {
        return type;
    }
    const listeners = request.listeners.filter(({ port }) =>
        joinedGroups.some((joined) => joined.port === port && joined.vgroupId === group.id),
    );
    return [...type, ...elsewhere(found, group), ...listeners.flatMap((listener) => mismatches(listener, group))];
}

function elsewhere({ id, vpcId }: ObservedLoadBalancer, group: ObservedServerGroup): string[] {
    return group.vpcId === undefined || group.vpcId === vpcId
        ? []
        : [`is in ${group.vpcId}, but load balancer ${id} is in ${vpcId}`];
}

function mismatches(listener: ListenerAddress, { protocol, anyPort }: ObservedServerGroup): string[] {
    const fits = protocol === undefined || (FITTING[listener.protocol]?.includes(protocol) ?? true);
    const ranged = listener.endPort !== undefined;
    return [
        ...(fits ? [] : [`is of protocol ${protocol}, which listener ${nameOf(listener)} cannot use`]),
        ...(anyPort === undefined || anyPort === ranged
            ? []
            : [
                  ranged
                      ? `answers on one port, but listener ${nameOf(listener)} has many`
                      : `answers on every port, but listener ${nameOf(listener)} has one`,
              ]),
    ];
}
