/** Names, marks and options that the children of a component have in common. */
import * as pulumi from "@pulumi/pulumi";
import type { Account } from "../../provider/schema/account";
import { CLUSTER_TAG, defaultLoadBalancerName, type Owner, OWNER_TAG } from "../../provider/schema/names";
import type { ServiceIds } from "./read-service";

/** Component whose children are created. */
export interface Component {
    /** Parent of all children. */
    readonly parent: pulumi.ComponentResource;
    /** Prefix of the children's names; unique in the stack, which may have several clusters. */
    readonly name: string;
    /** Name for messages: `namespace/name`, or the component's name if one of them is an Output. */
    readonly subject: string;
    /** Account and region of the load balancer. */
    readonly account: Account;
}

/**
 * Builds the name of a child. The component's name must come first for aliases of the component to work.
 *
 * @param key one of several children of a type
 */
export function childName({ name }: Pick<Component, "name">, key?: string): string {
    return key === undefined ? name : `${name}/${key}`;
}

/** Marks by which the cloud's objects of a Service are recognized. */
export interface Marks {
    readonly owner: pulumi.Output<Owner>;
    /** Default name of the instance, and value of the ownership tag; unknown before the Service exists. */
    readonly name: pulumi.Output<string>;
    /** Ownership tags. */
    readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
}

/** Builds the marks of a Service. */
export function marksOf(ids: ServiceIds, uid: pulumi.Output<string>, clusterId: pulumi.Input<string>): Marks {
    const name = uid.apply(defaultLoadBalancerName);
    return {
        owner: pulumi.output({ ...ids, clusterId }),
        name,
        tags: { [OWNER_TAG]: name, [CLUSTER_TAG]: clusterId },
    };
}

/**
 * Builds options that import an existing resource unchanged.
 *
 * @param id id to import; undefined if the resource is created
 * @param keep inputs of an imported resource whose differences are ignored
 * @param ignored inputs whose changes are ignored in any case
 */
export function importOptions(
    id: string | undefined,
    keep: readonly string[] = [],
    ignored: readonly string[] = [],
): Pick<pulumi.CustomResourceOptions, "import" | "ignoreChanges"> {
    return id === undefined ? { ignoreChanges: [...ignored] } : { import: id, ignoreChanges: [...ignored, ...keep] };
}
