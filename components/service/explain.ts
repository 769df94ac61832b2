import * as pulumi from "@pulumi/pulumi";
import { diagnose, formatDiagnosis } from "../../provider/alicloud";
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
