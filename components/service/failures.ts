import { CloudError } from "../../provider/alicloud";
import { ClusterError } from "../../provider/kubernetes";

/**
 * What a cluster that cannot be read says, for the contract to refuse the run with: thrown where an Output is computed, it would show once for each resource that uses it.
 *
 * @throws whatever else went wrong.
 */
export function clusterFailure(error: unknown): string {
    if (error instanceof ClusterError) {
        return error.message;
    }
    throw error;
}

/** The same for the cloud. */
export function cloudFailure(error: unknown): string {
    if (error instanceof CloudError) {
        return error.message;
    }
    throw error;
}
