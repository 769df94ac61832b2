import type { Cluster, WriteOptions } from "./cluster";
import { metadataOf, type ObjectType } from "./objects";
import { isMap, type Json, type JsonMap } from "./properties";

/**
 * Objects are created by an ordinary POST, so their fields belong to the creation's manager. Before the first apply
 * that ownership passes to the manager of updates. Otherwise a field that a program drops would stay in the object. A
 * preview changes nothing.
 */
export async function adoptManagedFields(
    cluster: Cluster,
    type: ObjectType,
    live: JsonMap,
    from: string,
    to: string,
    options: WriteOptions,
): Promise<void> {
    const fields = metadataOf(live)["managedFields"];
    if (!Array.isArray(fields) || options.dryRun) return;
    const isCreation = (entry: Json): boolean =>
        isMap(entry) &&
        entry["manager"] === from &&
        entry["operation"] === "Update" &&
        entry["subresource"] === undefined;
    if (
        !fields.some(isCreation) ||
        fields.some((entry) => isMap(entry) && entry["manager"] === to && entry["operation"] === "Apply")
    )
        return;
    const adopted = fields.map((entry) =>
        isCreation(entry) && isMap(entry) ? { ...entry, manager: to, operation: "Apply" } : entry,
    );
    await cluster.patch(
        type,
        live,
        "application/json-patch+json",
        [
            { op: "test", path: "/metadata/resourceVersion", value: metadataOf(live)["resourceVersion"] ?? null },
            { op: "replace", path: "/metadata/managedFields", value: adopted },
        ],
        options,
    );
}
