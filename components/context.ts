import type * as pulumi from "@pulumi/pulumi";
import type { Desired } from "../provider/build";
import type { Adoption } from "../provider/model/adoption";
import type { Owner } from "../provider/model/names";
import type { Service } from "../provider/model/service";
import type { ReferenceArgs } from "./args";
import type { Cluster, ServiceView } from "./cluster";

/** What every child of one ServiceLoadBalancer is made from. */
export interface Context {
    /** The component: parent of all children. */
    readonly parent: pulumi.ComponentResource;
    readonly service: Service;
    readonly desired: Desired;
    readonly references: ReferenceArgs;
    readonly cluster: Cluster;
    /** What the cluster says at the moment; rejected if it cannot be reached. */
    readonly view: Promise<ServiceView>;
    readonly region: string | undefined;
    readonly allowEmpty: boolean;
    /** What is there already and is taken over instead of being made; absent = nothing. */
    readonly adoption?: Adoption;
}

/** Name of a child: unique in the stack, and the same whatever the component is called. */
export function childName(context: Context, key?: string): string {
    const base = `${context.service.namespace}/${context.service.name}`;
    return key === undefined ? base : `${base}/${key}`;
}

/** Owner of names and marks. */
export function owner(context: Context): Owner {
    return { namespace: context.service.namespace, name: context.service.name, clusterId: context.cluster.facts.clusterId };
}

/** `region` as an argument of a dynamic resource; absent = from the environment of the run. */
export function regionArg(context: Context): { region?: string } {
    return context.region === undefined ? {} : { region: context.region };
}
