import { initialGroup } from "../../provider/builder";
import type { AnyContext } from "./context";

/** What holds where the Service states nothing, from the creation of its instance on; nothing where a resource of the program is its group. */
export function initialOf({ service, cluster, references }: AnyContext): Readonly<Record<string, string>> {
    return references.resourceGroupId === undefined ? initialGroup(service.settings, cluster.facts) : {};
}

/** Inputs of a resource that stay as they are once it is there: its resource group, where only the cluster's is asked for. Another group of the cluster is for what is made from then on. */
export function keptInputs({ service, references }: AnyContext): string[] {
    const named = service.settings.resourceGroupId !== undefined || references.resourceGroupId !== undefined;
    return named ? [] : ["resourceGroupId"];
}
