import type { Cloud } from "../http/client";
import { CloudError, isVerdict } from "../http/error";

/** What the cloud says to a request that it was only to check. Source: NLB API, parameter DryRun. */
export type DryRunAnswer =
    | { readonly verdict: "passed" }
    | { readonly verdict: "refused"; readonly error: CloudError }
    /** It could not be asked: the credentials may only read, or the cloud is out of reach. */
    | { readonly verdict: "unanswered"; readonly reason: string };

/** The error code by which the NLB API says that a request would be carried out. */
const PASSED = "DryRunOperation";

/** Asks whether the cloud would carry a request out; it changes nothing. Never throws for what the cloud answers. */
export async function dryRun(
    cloud: Cloud,
    action: string,
    params: Readonly<Record<string, unknown>>,
): Promise<DryRunAnswer> {
    try {
        await cloud.call("nlb", action, { ...params, DryRun: true }, { idempotent: true });
        return { verdict: "passed" };
    } catch (error) {
        if (!(error instanceof CloudError)) {
            throw error;
        }
        if (error.code === PASSED) {
            return { verdict: "passed" };
        }
        if (!isVerdict(error)) {
            return { verdict: "unanswered", reason: error.code };
        }
        return { verdict: "refused", error };
    }
}
