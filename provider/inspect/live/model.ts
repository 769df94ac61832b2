/** A Service as it is at one moment, in the cluster and in the cloud: plain data, for pure functions to judge. */

import type { Diagnostic } from "../../diagnostics";
import type { NodeObject, PodObject, EndpointSliceObject, ServiceObject } from "../../kubernetes";
import { exposedServices, type Manager } from "../../kubernetes/service/controller";
import type { Service } from "../../kubernetes/service/service";
import type { Backends } from "../../model/backend";
import type { ObservedLoadBalancer } from "../../model/observed";
import type { AccountQuotas } from "../../quotas";
import type { LoadBalancerType } from "../../schema/load-balancer-type";

/** An event of the Service, the newest ones first. */
export interface LiveEvent {
    readonly warning: boolean;
    readonly reason: string;
    readonly message: string;
    readonly count: number;
}

/** What the sync controller says of one server group. */
export interface LiveBinding {
    readonly name: string;
    readonly synced: boolean;
    readonly reason: string;
    readonly message: string;
}

/** Health of one backend as one listener sees it. */
export interface LiveHealth {
    /** `tcp:80`. */
    readonly listener: string;
    /** Backend key with its port. */
    readonly backend: string;
    readonly state: "normal" | "abnormal" | "unavailable";
}

/** What the cloud says; an instance that cannot be read is not the same as one that is not there. */
export type LiveCloud =
    | {
          readonly kind: "found";
          readonly instance: ObservedLoadBalancer;
          readonly health: readonly LiveHealth[] | undefined;
          /** What the account may have; the published numbers where it was not asked or may not ask. */
          readonly quotas: AccountQuotas;
      }
    | { readonly kind: "missing"; readonly lookedFor: string }
    | { readonly kind: "failed"; readonly code: string; readonly message: string };

/** Backends that a server group ought to have, by the group's key. */
export interface InspectedGroup {
    readonly key: string;
    /** The listener ports that it serves, as `tcp:80`. */
    readonly ports: readonly string[];
    readonly backends: Backends;
    /** Why backends are left out. */
    readonly notes: readonly string[];
}

/** One Service with everything that explains it. */
export interface InspectedService {
    readonly object: ServiceObject;
    /** Undefined where something is wrong with the Service. */
    readonly service: Service | undefined;
    readonly diagnostics: readonly Diagnostic[];
    readonly type: LoadBalancerType;
    readonly nodes: readonly NodeObject[];
    readonly slices: readonly EndpointSliceObject[];
    readonly pods: readonly PodObject[];
    readonly events: readonly LiveEvent[];
    readonly bindings: readonly LiveBinding[];
    readonly desired: readonly InspectedGroup[];
    readonly cloud: LiveCloud;
}

/** `namespace/name` of an object. */
export const serviceNameOf = ({ metadata }: ServiceObject): string =>
    `${metadata.namespace ?? "default"}/${metadata.name}`;

/** Who manages a Service; of another type than LoadBalancer nobody does. */
export const managerOf = (object: ServiceObject): Manager =>
    exposedServices([object])[0]?.manager ?? { kind: "nobody" };

/** The manager in a cell of a table. */
export function describeManager(manager: Manager): string {
    switch (manager.kind) {
        case "stack":
            return `stack ${manager.stack}`;
        case "follower":
            return "a program that follows it";
        case "ccm":
            return "CCM";
        case "other":
            return manager.controller;
        case "nobody":
            return "nobody";
    }
}

/** Addresses in a Service's status. */
export const addressesOf = ({ status }: ServiceObject): string[] =>
    (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? []);
