/** What a run would go by that configures nothing of its cluster. */

import type { Discovery } from "../../kubernetes/discovery";
import type { Check } from "./check";

/** Facts without which a stack has to configure something, with what it needs them for. */
const NEEDED = {
    clusterId: "names and ownership marks",
    region: "every call, unless the environment or alicloud:region names it",
    vpcId: "NLBs, and comparing vSwitches",
    vswitches: "internal load balancers that name none",
    networkPlugin: "whether pods or nodes are backends",
} as const;

/** Facts with a row of their own among those of the cluster. */
const SHOWN_OF_CLUSTER: readonly string[] = ["networkPlugin", "kubeProxyMode", "kubernetesVersion"];

/** A row for each other fact that the cluster says of itself, and one for each that it does not. */
export function diagnoseFacts(discovery: Discovery): Check[] {
    const missing = Object.entries(NEEDED).filter(([fact]) => discovery[fact as keyof typeof NEEDED] === undefined);
    const said = Object.entries(discovery)
        .filter(([fact]) => !SHOWN_OF_CLUSTER.includes(fact))
        .map(([fact, value]): Check => ({
            area: "facts",
            what: fact,
            state: "ok",
            found: Array.isArray(value) ? value.join(", ") : String(value),
        }));
    return [
        ...said,
        ...missing.map(([fact, use]): Check => ({
            area: "facts",
            what: fact,
            state: "warning",
            found: `the cluster does not say it; it decides ${use}`,
            remedy: fact === "region" ? "set ALIBABA_CLOUD_REGION" : `pulumi config set ${fact} …`,
        })),
    ];
}
