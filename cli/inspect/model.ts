/** A Service as observed in cluster and cloud: plain data. */

import type { ObservedClbListener } from "../../provider/clb/listener";
import type { ObservedNlbListener } from "../../provider/nlb/listener";
import type { ObservedNlbServerGroup } from "../../provider/nlb/server-group";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import type { compareAcl } from "../../provider/clb/compare";
import type { ObservedNlb } from "../../provider/plan/adoption";
import type { GroupBackends } from "../../provider/backends";
import type { Diagnostic } from "../../provider/diagnostics";
import type { NodeObject, PodObject, EndpointSliceObject, ServiceObject } from "../../provider/service/objects";
import type { Manager } from "../../provider/service/controller";
import { chosenType, CLASS_ANNOTATION, exposedServices, STACK_ANNOTATION } from "../../provider/service/controller";
import type { Service } from "../../provider/service/service";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import type { ServerGroup } from "../../provider/schema/server-group";
import type { AccountQuotas } from "../../provider/quotas";
import { isOwnClass, type LoadBalancerType, typeOfClass } from "../../provider/schema/load-balancer-type";
import type { BindingFacts, SeenFacts } from "./facts";
import type { Leader } from "./lease";

export interface LiveEvent {
    readonly warning: boolean;
    readonly reason: string;
    readonly message: string;
    readonly count: number;
    /** Time of the last event, ISO 8601, empty if unknown. */
    readonly at: string;
    /** Part that reports it, empty if unknown: `ack-loadbalancer-sync`, `service-controller`. */
    readonly component: string;
}

export interface LiveBinding {
    readonly name: string;
    /** Id of the server group. Absent from a spec that cannot be read. */
    readonly groupId?: string;
    readonly synced: boolean;
    readonly reason: string;
    readonly message: string;
    /** Facts of the cluster by which the controller acts. */
    readonly facts: BindingFacts;
}

export interface LiveHealth {
    /** `tcp:80`. */
    readonly listener: string;
    /** Backend key with its port. */
    readonly backend: string;
    readonly state: "normal" | "abnormal" | "unavailable";
}

/** Server certificate of a listener. */
export interface LiveCertificate {
    readonly id: string;
    /** Milliseconds since 1970, absent if the cloud does not report it. */
    readonly expiresAt?: number;
    /** True if the cloud says so. */
    readonly expired: boolean;
}

export type ObservedLiveListener = ObservedClbListener | ObservedNlbListener;

export type LiveCloud =
    | {
          readonly kind: "found";
          readonly instance: ObservedLoadBalancer;
          readonly health: readonly LiveHealth[] | undefined;
          /** Listeners with all their certificates, by protocol and port, `tcp:80`. */
          readonly listeners: Readonly<Record<string, ObservedLiveListener>>;
          /** Certificates of the listeners that could be read. */
          readonly certificates: readonly LiveCertificate[];
          /** Server groups of an NLB by id. It is empty for a CLB, whose groups have no attributes. */
          readonly groups: Readonly<Record<string, ObservedNlbServerGroup>>;
          /** Access control list of a CLB for the Service's source ranges, or undefined if there is none. */
          readonly acl: (Parameters<typeof compareAcl>[1] & { readonly id: string }) | undefined;
          /** Security group of an NLB for the Service's source ranges, or undefined if there is none. */
          readonly securityGroup: ObservedNlb["securityGroup"] | undefined;
          /**
           * Instances for a former Service of this name. They are read only where this package does not manage the
           * Service.
           */
          readonly former: readonly Pick<ObservedLoadBalancer, "id" | "address">[];
          /** Elastic IP addresses that clients use, read only for a Service that asks for them. */
          readonly elasticAddresses: readonly string[];
          /** Quotas of the account, or the published defaults where they cannot be read. */
          readonly quotas: AccountQuotas;
      }
    | { readonly kind: "missing"; readonly lookedFor: string }
    | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** A server group as the Service specifies it, with the backends that the cluster gives it. */
export interface InspectedGroup extends Omit<GroupBackends, "notes"> {
    readonly model: ServerGroup;
    /** Reasons for backends that are left out. */
    readonly notes: readonly string[];
}

export interface InspectedService {
    readonly object: ServiceObject;
    /** Undefined if the Service is invalid. */
    readonly service: Service | undefined;
    readonly diagnostics: readonly Diagnostic[];
    /** Desired model, undefined if it is invalid. */
    readonly model: ClbDesired | NlbDesired | undefined;
    readonly type: LoadBalancerType;
    readonly nodes: readonly NodeObject[];
    readonly slices: readonly EndpointSliceObject[];
    readonly pods: readonly PodObject[];
    /** The newest first. */
    readonly events: readonly LiveEvent[];
    /** Undefined if they may not be read. */
    readonly bindings: readonly LiveBinding[] | undefined;
    /** Leader of the sync controller, or undefined if none was seen. It is read only where bindings are installed. */
    readonly leader: Leader | undefined;
    /** Deployments whose pods the selector would find, with their replicas. They are read only without pods. */
    readonly deployments: readonly { readonly name: string; readonly replicas: number }[];
    readonly desired: readonly InspectedGroup[];
    readonly cloud: LiveCloud;
    readonly seen: SeenFacts;
    /** Id that the cluster publishes, or undefined if it was not seen or the stack does not read it. */
    readonly clusterId: string | undefined;
    /** Time of the inspection, in milliseconds since 1970. */
    readonly now: number;
}

export const serviceNameOf = ({ metadata }: ServiceObject): string =>
    `${metadata.namespace ?? "default"}/${metadata.name}`;

/** Returns the manager of a Service's load balancer: nobody for other types than LoadBalancer. */
export const loadBalancerManagerOf = (object: ServiceObject): Manager =>
    exposedServices([object])[0]?.manager ?? { kind: "nobody" };

/** Returns the fields of a Service that declare this package, which is not alone where CCM manages the Service. */
export function ownFieldsOf({ metadata: { annotations = {} }, spec }: ServiceObject): string[] {
    const [named = "", marked = "", stack = ""] = [
        spec?.loadBalancerClass,
        annotations[CLASS_ANNOTATION],
        annotations[STACK_ANNOTATION],
    ];
    return [
        ...(isOwnClass(named) ? [`spec.loadBalancerClass ${named}`] : []),
        ...(isOwnClass(marked) ? [`annotation ${CLASS_ANNOTATION}: ${marked}`] : []),
        ...(stack === "" ? [] : [`annotation ${STACK_ANNOTATION}: ${stack}`]),
    ];
}

/** Formats the managers of a Service. There are two where CCM manages a Service that declares this package. */
export function describeManagers(object: ServiceObject): string {
    const manager = loadBalancerManagerOf(object);
    if (manager.kind !== "ccm" || ownFieldsOf(object).length === 0) return describeManager(manager);
    const stack = object.metadata.annotations?.[STACK_ANNOTATION];
    return `CCM and ${stack === undefined ? "a program that follows it" : `stack ${stack}`}`;
}

/** Formats a manager. `own` is the stack of the caller, as `project/stack`. */
export function describeManager(manager: Manager, own?: string): string {
    if (manager.kind === "stack") return manager.stack === own ? `this stack (${own})` : `stack ${manager.stack}`;
    if (manager.kind === "other") return `another controller (${manager.controller})`;
    return { follower: "a program that follows it", ccm: "Cloud Controller Manager", nobody: "nobody" }[manager.kind];
}

export const addressesOf = ({ status }: ServiceObject): string[] =>
    (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? []);

/** Returns the load balancer type that a Service requests, even if the Service is invalid. */
export function chosenTypeOf({ metadata, spec }: ServiceObject): LoadBalancerType {
    return chosenType(metadata.annotations ?? {}, {}) ?? typeOfClass(spec?.loadBalancerClass) ?? "clb";
}
