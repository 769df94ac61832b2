import type * as pulumi from "@pulumi/pulumi";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import type { ServiceObject } from "../../provider/service/objects";
import type { Service } from "../../provider/service/service";
import type { Owner } from "../../provider/schema/names";
import type { Adoption } from "../../provider/plan/adoption";
import type { Account } from "../../provider/schema/account";
import { placeArgs } from "./account";
import type { ReferenceArgs } from "./args";
import type { Cluster } from "./cluster";
import type { SeparateMaps, ServiceIds } from "./read-service";

/** Inputs shared by all children of one ServiceLoadBalancer. */
export interface Context<Model extends ClbDesired | NlbDesired = ClbDesired> {
    /** Component that is the parent of all children. */
    readonly parent: pulumi.ComponentResource;
    /** Component name, prefix of the children's names; unique in the stack, which may have several clusters. */
    readonly name: string;
    /** Name for messages: `namespace/name`, or the component's name if one of them is an Output. */
    readonly subject: string;
    /** Has a stand-in for a namespace and a name that are Outputs; see {@link ids} and {@link known}. */
    readonly service: Service;
    /** Namespace and name, for inputs. */
    readonly ids: ServiceIds;
    /** Service with the values of its Outputs. */
    readonly known: pulumi.Output<Service>;
    /** Owner of names and marks. */
    readonly owner: pulumi.Output<Owner>;
    readonly desired: Model;
    readonly references: ReferenceArgs;
    readonly cluster: Cluster;
    /** Service before the run changes it; unknown if the cluster is made in this run. */
    readonly live: pulumi.Output<LiveService>;
    /** Selector and labels of the Service if they are Outputs. */
    readonly maps: SeparateMaps;
    /** Dependencies of the component. */
    readonly dependsOn: pulumi.ResourceOptions["dependsOn"];
    /** True if the contract waits for nothing else of the program. */
    readonly independent: boolean;
    /** Account and region of the load balancer. */
    readonly account: Account;
    /** Problems of given providers and of the values of Outputs. */
    readonly problems: pulumi.Output<readonly (string | undefined)[]>;
    readonly allowEmpty: boolean;
    /** True if another cluster, account or region than the recorded one is allowed. */
    readonly moves: boolean;
    /** Existing resources to import instead of creating them. */
    readonly adoption?: Adoption;
}

/** Result of reading a Service from the cluster. */
export interface LiveService {
    /** Undefined if it does not exist. */
    readonly live?: ServiceObject;
    /** Read error; the contract reports it once. */
    readonly failure?: string;
}

export type NlbContext = Context<NlbDesired>;

/** Context of a Service with either load balancer type. */
export type AnyContext = Context<ClbDesired | NlbDesired>;

/**
 * Builds the name of a child. The component's name must come first for aliases of the component to work.
 *
 * @param key one of several children of a type
 */
export function childName({ name }: Pick<AnyContext, "name">, key?: string): string {
    return key === undefined ? name : `${name}/${key}`;
}

/** Builds `region` and `account` of a dynamic resource. */
export function accountArgs(context: AnyContext): ReturnType<typeof placeArgs> {
    return placeArgs(context.account);
}

/** Builds options that import an existing resource unchanged; `keep` lists the inputs whose differences are ignored. */
export function takeOver(
    id: string | undefined,
    keep: readonly string[] = [],
): Pick<pulumi.CustomResourceOptions, "import" | "ignoreChanges"> {
    return id === undefined ? {} : { import: id, ...(keep.length === 0 ? {} : { ignoreChanges: [...keep] }) };
}
