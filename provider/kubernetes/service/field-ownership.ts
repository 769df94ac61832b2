/**
 * Who owns the fields of a Service that the kubernetes plugin has created.
 *
 * The plugin creates by POST, and updates by server-side apply under another name. Its update hands the fields over first, its preview does not: the API server then keeps the ports of
 * the creation beside the desired ones, and refuses the preview of a port that changes its number (two ports of one name, or without one). Handing the fields over right after the
 * creation makes the first preview as good as all later ones.
 */
import { z } from "zod";

/** Name under which the plugin creates. */
const CREATOR = "pulumi-kubernetes";

const OUTPUTS = z.looseObject({
    __fieldManager: z.string(),
    metadata: z.looseObject({
        namespace: z.string(),
        name: z.string(),
        resourceVersion: z.string(),
        managedFields: z.array(
            z.looseObject({ manager: z.string(), operation: z.string(), subresource: z.string().optional() }),
        ),
    }),
});

/** A merge patch that hands the fields of the creation over, and the Service that it is for. */
export interface OwnershipPatch {
    readonly namespace: string;
    readonly name: string;
    readonly patch: object;
}

/**
 * The patch for a Service as its creation has left it; undefined where nothing is to be handed over, or where the plugin does not say under which name it updates.
 *
 * @param outputs of the resource `kubernetes:core/v1:Service`.
 */
export function ownershipPatch(outputs: unknown): OwnershipPatch | undefined {
    const read = OUTPUTS.safeParse(outputs);
    if (!read.success) return undefined;
    const { __fieldManager: manager, metadata } = read.data;
    const { namespace, name, resourceVersion, managedFields } = metadata;
    const created = managedFields.filter((entry) => isCreation(entry));
    if (created.length === 0 || managedFields.some((entry) => entry.operation === "Apply")) return undefined;
    return {
        namespace,
        name,
        patch: {
            metadata: {
                resourceVersion,
                managedFields: managedFields.map((entry) =>
                    isCreation(entry) ? { ...entry, manager, operation: "Apply" } : entry,
                ),
            },
        },
    };
}

const isCreation = (entry: { manager: string; operation: string; subresource?: string | undefined }): boolean =>
    entry.manager === CREATOR && entry.operation === "Update" && entry.subresource === undefined;
