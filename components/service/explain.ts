import * as pulumi from "@pulumi/pulumi";
import { diagnose, formatDiagnosis } from "../../provider/cloud";
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

/**
 * Tries of an operation that the cloud refuses for its rate, and milliseconds between them: quotas are counted in
 * minutes, and not all operations return at once.
 */
export const THROTTLED = { tries: 20, leastMs: 5_000, mostMs: 15_000 };

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
