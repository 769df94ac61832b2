/** Merge patches of one Service that hold even when other clients write it at the same moment. */
import { type ClusterReader, ClusterError, type ServiceObject } from "../kubernetes";

/** The Service in question. */
export interface ServiceKey {
    readonly namespace: string;
    readonly name: string;
    /** `metadata.uid`: one that was made anew in the meantime is another Service. */
    readonly uid: string;
}

/** How often a patch is tried again after another client has changed the Service at the same moment. */
const TRIES = 5;

/**
 * Patches the Service as it is at the moment, or not at all where there is nothing to do; once more, if another client was faster.
 *
 * @returns false if the Service is gone.
 */
export async function patchService(
    cluster: ClusterReader,
    key: ServiceKey,
    patchOf: (service: ServiceObject) => object | undefined,
): Promise<boolean> {
    for (let tries = 1; ; tries++) {
        const service = await cluster.getService(key.namespace, key.name);
        if (service === undefined || service.metadata.uid !== key.uid) {
            return false;
        }
        const patch = patchOf(service) as { metadata?: object } | undefined;
        if (patch === undefined) {
            return true;
        }
        try {
            await cluster.patchService(key.namespace, key.name, {
                ...patch,
                metadata: { ...patch.metadata, resourceVersion: service.metadata.resourceVersion },
            });
            return true;
        } catch (error) {
            if (!(error instanceof ClusterError && error.kind === "conflict") || tries >= TRIES) {
                throw error;
            }
        }
    }
}

/** A merge patch takes away what it says is null. */
export function absent(keys: readonly string[]): Record<string, null> {
    return Object.fromEntries(keys.map((key) => [key, null]));
}
