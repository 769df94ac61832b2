/** Errors of cluster, cloud and plugin, as a run shows them. */
import * as pulumi from "@pulumi/pulumi";
import { CloudError, diagnose, formatDiagnosis } from "../../provider/cloud";
import { ClusterError } from "../../provider/cluster";
import { systemClock } from "../../provider/net";
import { errorHook, perRun } from "./run";

/**
 * Returns the message of a ClusterError for the contract: thrown in an Output, it would show once per resource.
 *
 * @throws any other error
 */
export function clusterFailure(error: unknown): string {
    if (error instanceof ClusterError) return error.message;
    throw error;
}

/** Waits for a read, or returns its {@link clusterFailure} for the contract. */
export const orFailure = <Result>(read: Promise<Result>): Promise<Result | { readonly failure: string }> =>
    read.catch((error: unknown) => ({ failure: clusterFailure(error) }));

/**
 * Returns the result of work that precedes the contract.
 *
 * @throws RunError for a ClusterError, which the engine shows without a stack trace, or any other error
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

/**
 * Hook that explains errors of the alicloud plugin. All resources share it, as hook names are global in a run.
 *
 * A destroy without `--run-program` has no hooks and shows only the plugin's error.
 */
export const diagnoseHook = perRun(() => errorHook("ack-loadbalancer-explain", explainFailure));

/** Logs cause and remedy of known errors. It never retries, because the plugin already has. */
export async function explainFailure({ name, failedOperation, errors }: pulumi.ErrorHookArgs): Promise<boolean> {
    const known = diagnose(errors[0] ?? "");
    if (known !== undefined) await pulumi.log.warn(`${failedOperation} of ${name} failed:\n${formatDiagnosis(known)}`);
    return false;
}

/**
 * Tries of an operation that the cloud refuses for its rate, and milliseconds between them. Quotas are counted in
 * minutes, and chance decides which operations pass in each: with 20 tries some of 400 creations failed.
 */
export const THROTTLED = { tries: 60, leastMs: 5_000, mostMs: 15_000 };

/**
 * Tries an operation again if the cloud refused it for its rate, and explains other errors. The plugin itself repeats
 * some of its calls only.
 *
 * @param remove deletes what a throttled creation has made, because the engine repeats all of it
 */
export async function retryThrottled(
    args: pulumi.ErrorHookArgs,
    remove: (args: pulumi.ErrorHookArgs) => Promise<void>,
): Promise<boolean> {
    const { tries, leastMs, mostMs } = THROTTLED;
    if (!(args.errors[0] ?? "").includes("Throttling") || args.errors.length >= tries) return explainFailure(args);
    await systemClock.sleep(leastMs + Math.random() * (mostMs - leastMs));
    if (args.failedOperation === "create") await remove(args);
    return true;
}
