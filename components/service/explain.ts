import * as pulumi from "@pulumi/pulumi";
import { diagnose, formatDiagnosis } from "../../provider/alicloud";
import { systemClock } from "../../provider/net";
import { errorHook, perRun } from "./run";

/**
 * The hook that explains errors which the alicloud plugin raises; one for all resources, because hook names are global in a run.
 *
 * The plugin shows the cloud's error as it came. Where it is a known one, a warning with cause, remedy and document follows. Nothing is tried again: the plugin has
 * done that where it helps. A destroy runs without the program, unless `--run-program` is given, and shows the plugin's words alone.
 */
export const diagnoseHook = perRun(() => errorHook("ack-loadbalancer-explain", explainFailure));

/** What the hook does: it warns with cause and remedy of an error that is known, and has nothing tried again. */
export async function explainFailure({ name, failedOperation, errors }: pulumi.ErrorHookArgs): Promise<boolean> {
    const known = diagnose(errors[0] ?? "");
    if (known !== undefined) {
        await pulumi.log.warn(`${failedOperation} of ${name} failed:\n${formatDiagnosis(known)}`);
    }
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
 * @param remove deletes what a refused creation has made, since the engine starts it from the beginning.
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
