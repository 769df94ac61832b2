/** Failures of a reconciliation as findings: reason, cause and remedy. */
import { CloudError, CredentialsError, nlb } from "../alicloud";
import { ClusterError } from "../kubernetes";
import { firstLine } from "../net";
import type { BindingFinding } from "./binding/status";

/** What a failed reconciliation says in the binding's condition. */
export function findingOf(error: unknown): BindingFinding {
    if (error instanceof CloudError) {
        const { action, code, detail, kind } = error;
        return {
            synced: false,
            reason: kind === "final" ? "CallRefused" : "CloudUnavailable",
            cause: `${action} failed: ${code}${detail === "" || detail === code ? "" : `: ${detail}`}${error.cause === undefined ? "" : ` (${error.cause})`}`,
            remedy: error.remedy ?? "none needed if it was an outage: the controller tries again",
        };
    }
    if (error instanceof nlb.JobError)
        return {
            synced: false,
            reason: "CallRefused",
            cause: `${error.action} failed in the background (job ${error.jobId})`,
            remedy: "none needed if it was an outage: the controller tries again; else look the job up in the NLB console",
        };
    if (error instanceof CredentialsError)
        return {
            synced: false,
            reason: "CallRefused",
            cause: firstLine(error),
            remedy: "check the RAM role or key pair of the controller",
        };
    const remedy = error instanceof ClusterError ? error.remedy : "look at the controller's log";
    return { synced: false, reason: "Failed", cause: firstLine(error), remedy };
}
