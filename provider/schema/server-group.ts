/** Server groups of Services: vServer groups of a CLB, and server groups of an NLB. Plain data. */

import type { Backend } from "./backend";
import type { NlbProtocol } from "./protocols";

/** Members of an NLB server group: ECS instances and network interfaces, or addresses. */
export type ServerGroupType = "Instance" | "Ip";

/** Server group of a Service: the backends behind a nodePort, or behind a targetPort with pods as backends. */
export interface ServerGroup {
    /** `tcp-80` (ecs: the Service port), `target-8080` (eni: the targetPort) or `port-80` (user-managed). */
    readonly key: string;
    /** `ecs`: nodes are backends, on the nodePort. `eni`: pods are backends, on their address and targetPort. */
    readonly kind: "ecs" | "eni";
    /**
     * Service ports of the group. There are several for eni, where ports with the same targetPort share a group, as in
     * CCM, and in a user-managed group, which TCP and UDP ports of the same number join with the same backends.
     */
    readonly ports: readonly { readonly port: number; readonly protocol: "TCP" | "UDP" }[];
    /** targetPort for eni, or nodePort for ecs if the manifest fixes it. If absent, the API server chooses it. */
    readonly backendPort?: number | string;
    /** Addresses of pods that are members, `dualstack` on an NLB only. Default: `ipv4`. */
    readonly ipVersion?: "ipv4" | "ipv6" | "dualstack";
    /** Id of a user-managed group that the backends join. If absent, the group is managed. Annotation vgroup-port. */
    readonly joined?: string;
    /** Absent on a CLB, whose groups have neither. */
    readonly type?: ServerGroupType;
    readonly protocol?: NlbProtocol;
    /** True if members of an NLB's group answer on the port that the client asked for. */
    readonly anyPort?: boolean;
    /** Ports in the name of an NLB's group for a range of ports. If absent, {@link backendPort} is used. */
    readonly range?: string;
}

/** Server group as observed. What only an NLB's group has is absent on a CLB. */
export interface ObservedServerGroup {
    readonly id: string;
    readonly name: string;
    readonly type?: ServerGroupType;
    readonly protocol?: NlbProtocol | "tcp_udp";
    readonly vpcId?: string;
    readonly anyPort?: boolean;
    /** Read only of groups that a Service names, and of groups of listeners that will be replaced. */
    readonly backends?: readonly Backend[];
}
