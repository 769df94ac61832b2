/**
 * Ownership of the fields of a Service that the kubernetes plugin has created.
 *
 * The plugin creates by POST and updates by server-side apply under another name. Its update hands the fields over
 * first, its preview does not: the API server then merges the created ports with the desired ones, and refuses the
 * preview of a changed port number. Handing the fields over after the creation makes the first preview work too.
 */
import { z } from "zod";

const CREATOR = "pulumi-kubernetes";

const MANAGED_FIELDS = z.looseObject({
    manager: z.string(),
    operation: z.string(),
    subresource: z.string().optional(),
});

const OUTPUTS = z.looseObject({
    __fieldManager: z.string(),
    metadata: z.looseObject({
        namespace: z.string(),
        name: z.string(),
        resourceVersion: z.string(),
        managedFields: z.array(MANAGED_FIELDS),
    }),
});

/**
 * Returns the merge patch that hands over the fields of a Service after its creation; undefined if there is nothing
 * to hand over, or the plugin's name for updates is unknown.
 *
 * @param outputs of the resource `kubernetes:core/v1:Service`.
 */
export function ownershipPatch(
    outputs: unknown,
): { readonly namespace: string; readonly name: string; readonly patch: object } | undefined {
    const read = OUTPUTS.safeParse(outputs);
    if (!read.success) return undefined;
    const { __fieldManager: manager, metadata } = read.data;
    const { namespace, name, resourceVersion, managedFields: entries } = metadata;
    if (!entries.some(isCreation) || entries.some(({ operation }) => operation === "Apply")) return undefined;
    const managedFields = entries.map((entry) =>
        isCreation(entry) ? { ...entry, manager, operation: "Apply" } : entry,
    );
    return { namespace, name, patch: { metadata: { resourceVersion, managedFields } } };
}

const isCreation = ({ manager, operation, subresource }: z.output<typeof MANAGED_FIELDS>): boolean =>
    manager === CREATOR && operation === "Update" && subresource === undefined;
