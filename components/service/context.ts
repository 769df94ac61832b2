import type * as pulumi from "@pulumi/pulumi";
import type { ClbDesired, NlbDesired } from "../../provider/builder";
import type { ServiceObject } from "../../provider/kubernetes";
import type { Service } from "../../provider/kubernetes/service/service";
import type { Owner } from "../../provider/model/names";
import type { Adoption } from "../../provider/model/observed";
import type { Account } from "../../provider/schema/account";
import { placeArgs } from "./account";
import type { ReferenceArgs } from "./args";
import type { Cluster } from "./cluster";
import type { GivenOutputs } from "./outputs";
import type { SeparateMaps } from "./read-service";

/** What every child of one ServiceLoadBalancer is made from; what its load balancer is like depends on the kind. */
export interface Context<Model extends ClbDesired | NlbDesired = ClbDesired> {
    /** The component: parent of all children. */
    readonly parent: pulumi.ComponentResource;
    /** Name of the component, with which those of its children begin: unique in the stack, where one Service name may stand in several clusters. */
    readonly name: string;
    /** The Service for people: `namespace/name`; the component's name where one of them is an Output. */
    readonly subject: string;
    /** Where namespace or name are Outputs, they are placeholders here; so are the cluster's id and others in its facts. */
    readonly service: Service;
    /** The Service as it is, once its Outputs are known. */
    readonly known: pulumi.Output<Service>;
    readonly desired: Model;
    readonly references: ReferenceArgs;
    readonly cluster: Cluster;
    /** The Service as it is before the run changes it; unknown if the cluster is made in this run. */
    readonly live: pulumi.Output<LiveService>;
    /** The Service's selector and labels, if only other resources of the program know them. */
    readonly maps: SeparateMaps;
    /** The Outputs that the Service, its cluster and its account are given as. */
    readonly outputs: GivenOutputs;
    /** What is wrong with their values; undefined if there are none. */
    readonly wrongValues: pulumi.Output<readonly string[]> | undefined;
    /** What the component waits for. */
    readonly dependsOn: pulumi.ResourceOptions["dependsOn"];
    /** Whether the component's contract waits for nothing else of the program. */
    readonly independent: boolean;
    /** Where the load balancer is. */
    readonly account: Account;
    /** Why the providers that the component is given cannot be used; undefined if there are none. */
    readonly wrongProviders: pulumi.Output<readonly string[]> | undefined;
    readonly allowEmpty: boolean;
    /** What is there already and is taken over instead of being made; absent = nothing. */
    readonly adoption?: Adoption;
}

/** A Service in the cluster, if it is there. */
export interface LiveService {
    readonly live?: ServiceObject;
    /** Why the cluster could not be read; the contract refuses the run for it, in one message. */
    readonly failure?: string;
}

/** Context of a Service with an NLB. */
export type NlbContext = Context<NlbDesired>;

/** Context of a Service, where the kind of its load balancer does not matter. */
export type AnyContext = Context<ClbDesired | NlbDesired>;

/**
 * Name of a child. It begins with the component's, as the engine expects where a component has another name as an alias.
 *
 * @param key of one among several children of a type
 */
export function childName({ name }: Pick<AnyContext, "name">, key?: string): string {
    return key === undefined ? name : `${name}/${key}`;
}

/** Owner of names and marks. */
export function owner(context: AnyContext): Owner {
    return {
        namespace: context.service.namespace,
        name: context.service.name,
        clusterId: context.cluster.facts.clusterId,
    };
}

/** Region and account as arguments of a dynamic resource. */
export function accountArgs(context: AnyContext): ReturnType<typeof placeArgs> {
    return placeArgs(context.account);
}

/** Options of a resource that is taken into state if it is there already. Nothing is written then; `keep` names what stays as it is although the program says something else. */
export function takeOver(
    id: string | undefined,
    keep: readonly string[] = [],
): Pick<pulumi.CustomResourceOptions, "import" | "ignoreChanges"> {
    return id === undefined ? {} : { import: id, ...(keep.length === 0 ? {} : { ignoreChanges: [...keep] }) };
}
