/** Who manages the load balancer of a Service, as its marks in the cluster tell. */

import { anyRowOf, keyOf, legacyKeyOf } from "../../annotations";
import { chosenType } from "./class";
import { CLASS_ANNOTATION, managedByCcm } from "./ccm-marks";
import { STACK_ANNOTATION } from "./service";
import type { ServiceObject } from "../types";
import { isOwnClass, type LoadBalancerType, typeOfClass } from "../../schema/load-balancer-type";
import { defined } from "../../schema/defined";

/** Who manages a Service. */
export type Manager =
    /** A stack that applies it, as `project/stack`. */
    | { readonly kind: "stack"; readonly stack: string }
    /** A program that follows it, while another tool applies it. */
    | { readonly kind: "follower" }
    /** The Cloud Controller Manager. */
    | { readonly kind: "ccm" }
    /** Another controller, by the class that names it. */
    | { readonly kind: "other"; readonly controller: string }
    /** Nobody has taken it (yet): where the Cloud Controller Manager runs, it will. */
    | { readonly kind: "nobody" };

/** A Service of type LoadBalancer in a cluster. */
export interface ExposedService {
    readonly namespace: string;
    readonly name: string;
    /** Absent: another controller decides. */
    readonly loadBalancerType?: LoadBalancerType;
    /** `internet` (the default) or `intranet`, as the Service asks for it. Absent: another controller decides. */
    readonly addressType?: string;
    /** IP addresses and host names in its status; empty while it has none. */
    readonly addresses: readonly string[];
    readonly manager: Manager;
}

/** The Services of type LoadBalancer among these, by namespace and name. */
export function exposedServices(services: readonly ServiceObject[]): ExposedService[] {
    return services
        .filter(({ spec }) => spec?.type === "LoadBalancer")
        .map((service) => {
            const { metadata, spec, status } = service;
            const manager = managerOf(service);
            const type =
                manager.kind === "other"
                    ? undefined
                    : (chosenType(metadata.annotations ?? {}, {}) ?? typeOfClass(spec?.loadBalancerClass));
            const addressType = addressTypeOf(service);
            return {
                namespace: metadata.namespace ?? "default",
                name: metadata.name,
                ...defined({ loadBalancerType: type, addressType }),
                addresses: (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip || hostname || []),
                manager,
            };
        })
        .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name));
}

/** Whether a Service asks for an address in the Internet or in the VPC; undefined where another controller decides. */
export function addressTypeOf(service: ServiceObject): string | undefined {
    if (managerOf(service).kind === "other") return undefined;
    const { annotations = {} } = service.metadata;
    const row = anyRowOf("addressType");
    return annotations[keyOf(row)] ?? annotations[legacyKeyOf(row) ?? ""] ?? "internet";
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function managerOf(service: ServiceObject): Manager {
    const { annotations = {} } = service.metadata;
    const { loadBalancerClass = "" } = service.spec ?? {};
    const mark = annotations[CLASS_ANNOTATION] ?? "";
    // It acts on its finalizer, whatever else the Service says.
    if (managedByCcm(service)) return { kind: "ccm" };
    const stack = annotations[STACK_ANNOTATION];
    if (isOwnClass(loadBalancerClass) || isOwnClass(mark))
        return stack === undefined ? { kind: "follower" } : { kind: "stack", stack };
    const other =
        mark !== "" ? mark : typeOfClass(loadBalancerClass || undefined) === undefined ? loadBalancerClass : "";
    return other === "" ? { kind: "nobody" } : { kind: "other", controller: other };
}
