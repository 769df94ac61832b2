/** One look at the cluster; what goes wrong with it is its answer. */

import { ClusterError } from "../../kubernetes";
import { firstLine } from "../../net";
import type { Check } from "./check";

/** What was found, without where it was looked for. */
export type Answer = Omit<Check, "area" | "what">;

/** Looks, and gives the check of this name. What this user may not see is skipped; without an answer of the API server it is an error. */
export async function attempt(what: string, look: () => Promise<Answer>): Promise<Check> {
    try {
        return { area: "cluster", what, ...(await look()) };
    } catch (error) {
        const forbidden = error instanceof ClusterError && error.kind === "forbidden";
        const found = firstLine(error);
        if (forbidden && what !== "API server")
            return {
                area: "cluster",
                what,
                state: "skipped",
                found: "this user may not look",
                remedy: "ask somebody who may read kube-system",
            };
        return {
            area: "cluster",
            what,
            state: "error",
            found,
            remedy: "check kubeconfig, context and network: kubectl get nodes",
        };
    }
}
