import * as pulumi from "@pulumi/pulumi";
import { diagnose, formatDiagnosis } from "../../provider/alicloud";
import { systemClock } from "../../provider/net";
import { errorHook, perRun } from "./run";

/**
 * Hook that explains errors of the alicloud plugin; one for all resources, as hook names are global in a run.
 *
 * A destroy without `--run-program` has no hooks and shows only the plugin's error.
 */
export const diagnoseHook = perRun(() => errorHook("ack-loadbalancer-explain", explainFailure));

/** Logs cause and remedy of known errors; never retries, because the plugin already has. */
export async function explainFailure({ name, failedOperation, errors }: pulumi.ErrorHookArgs): Promise<boolean> {
    const known = diagnose(errors[0] ?? "");
    if (known !== undefined) await pulumi.log.warn(`${failedOperation} of ${name} failed:\n${formatDiagnosis(known)}`);
    return false;
}

/** Milliseconds before a retry, randomized: quotas are counted per minute. */
const RETRY_MS = { least: 10_000, most: 20_000 } as const;

/**
 * Retries throttled operations and explains other errors. The plugin retries only some calls; the engine calls the hook
 * at most 100 times.
 *
 * @param remove deletes what a throttled creation has made, because the engine repeats all of it
 */
export async function retryThrottled(
    args: pulumi.ErrorHookArgs,
    remove: (args: pulumi.ErrorHookArgs) => Promise<void>,
): Promise<boolean> {
    if (!(args.errors[0] ?? "").includes("Throttling")) return explainFailure(args);
    await systemClock.sleep(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
    if (args.failedOperation === "create") await remove(args);
    return true;
}
