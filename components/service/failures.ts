import * as pulumi from "@pulumi/pulumi";
import { CloudError } from "../../provider/cloud";
import { ClusterError } from "../../provider/cluster";

/**
 * Returns the message of a ClusterError for the contract: thrown in an Output, it would show once per resource.
 *
 * @throws any other error
 */
export function clusterFailure(error: unknown): string {
    if (error instanceof ClusterError) return error.message;
    throw error;
}

/**
 * Returns the result of work that precedes the contract.
 *
 * @throws RunError for a ClusterError, which the engine shows without a stack trace; any other error
 */
export const orRunError = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
        throw new pulumi.RunError(clusterFailure(error));
    });

/** Returns the message of a CloudError for the contract. @throws any other error */
export function cloudFailure(error: unknown): string {
    if (error instanceof CloudError) return error.message;
    throw error;
}

/**
 * Reports a failure only once: the run fails at once, but Outputs made of the promise are handled later, and Node would
 * warn of each.
 */
export const reportOnce = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
        if (process.listenerCount("rejectionHandled") === 0) process.on("rejectionHandled", () => undefined);
        throw error;
    });
