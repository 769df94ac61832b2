import * as pulumi from "@pulumi/pulumi";
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

/**
 * The same where nothing is registered yet that could refuse the run.
 *
 * @throws RunError with what the cluster says, which the engine shows without a stack trace; whatever else went wrong.
 */
export const orRunError = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
        throw new pulumi.RunError(clusterFailure(error));
    });

/** The same for the cloud. */
export function cloudFailure(error: unknown): string {
    if (error instanceof CloudError) {
        return error.message;
    }
    throw error;
}

/**
 * What a program waits for before it registers anything. If it fails, the run has its error at once; the Outputs that the program has made of it are looked at later, and Node would
 * warn of each.
 */
export const failingOnce = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
        if (process.listenerCount("rejectionHandled") === 0) process.on("rejectionHandled", () => undefined);
        throw error;
    });
