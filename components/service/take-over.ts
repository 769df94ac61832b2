import type * as pulumi from "@pulumi/pulumi";

/** Options of a resource that is taken into state if it is there already. Nothing is written then; `keep` names what stays as it is although the program says something else. */
export function takeOver(
    id: string | undefined,
    keep: readonly string[] = [],
): Pick<pulumi.CustomResourceOptions, "import" | "ignoreChanges"> {
    return id === undefined ? {} : { import: id, ...(keep.length === 0 ? {} : { ignoreChanges: [...keep] }) };
}
