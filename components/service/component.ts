/** A component and the names and options of its children. */
import type * as pulumi from "@pulumi/pulumi";
import type { Account } from "../../provider/schema/account";

export interface Component {
    readonly parent: pulumi.ComponentResource;
    /** Prefix of the children's names, unique in the stack, which may have several clusters. */
    readonly name: string;
    /** Name in messages, `namespace/name`, or the component's name if either part is an Output. */
    readonly subject: string;
    /** Account and region of the load balancer. */
    readonly account: Account;
}

/**
 * Builds the name of a child. The component's name must come first for aliases of the component to work.
 *
 * @param key name of a child among several of a type
 */
export function childName({ name }: Pick<Component, "name">, key?: string): string {
    return key === undefined ? name : `${name}/${key}`;
}

/**
 * Builds options to import an existing resource unchanged.
 *
 * @param id id to import, or undefined if the resource is created
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
