/** What is configured together with what a cluster says of itself: pure functions. */

import { collector, type Diagnostic } from "../../diagnostics";
import type { ClusterFacts } from "../../schema/facts";
import { parseKubernetesVersion } from "../../schema/versions";
import type { Discovery } from "./interpret";

/** Facts as they are configured: everything may be left to the cluster. */
export type ConfiguredFacts = Partial<ClusterFacts>;

/** Facts that a cluster says of itself. */
const DISCOVERED = ["clusterId", "vpcId", "vswitches", "networkPlugin", "kubeProxyMode", "kubernetesVersion"] as const;

/** What is configured, and what the cluster says where nothing is. Of a Kubernetes version only what rules compare: a patch of the control plane is no change of a Service. */
export function withDiscovered(configured: ConfiguredFacts, discovery: Discovery): ConfiguredFacts {
    const version = parseKubernetesVersion(discovery.kubernetesVersion ?? "");
    const said = { ...discovery, kubernetesVersion: version === undefined ? undefined : `v${version.join(".")}` };
    const found = DISCOVERED.filter((fact) => configured[fact] === undefined && said[fact] !== undefined);
    return { ...configured, ...Object.fromEntries(found.map((fact) => [fact, said[fact]])) };
}

/** Where a run acts, as far as it is known. */
export interface RunPlace {
    /** Id of the account that calls are signed for. */
    readonly accountId?: string;
    readonly region?: string;
}

/** Every configured value that the cluster contradicts, and an account or a region that is not the cluster's. vSwitches are no contradiction: a VPC has others than those of the control plane. */
export function contradictions(
    configured: ConfiguredFacts,
    discovery: Discovery,
    place: RunPlace = {},
): readonly Diagnostic[] {
    const report = collector("cluster-facts");
    for (const fact of ["clusterId", "vpcId", "networkPlugin", "kubeProxyMode", "kubernetesVersion"] as const) {
        const [given, found] = [configured[fact], discovery[fact]];
        if (given === undefined || found === undefined || same(fact, given, found)) continue;
        report.error(
            { subject: "cluster facts", path: [fact] },
            `"${given}" is configured, but the cluster says that it is "${found}"`,
            `remove ${fact} from the configuration, or reach the cluster that is meant (kubeconfig, context)`,
        );
    }
    if (differ(place.accountId, discovery.accountId))
        report.error(
            { subject: "account" },
            `the credentials are of account ${place.accountId}, but the cluster belongs to account ${discovery.accountId}`,
            "use credentials of the cluster's account, or reach the cluster that is meant (kubeconfig, context)",
        );
    if (differ(place.region, discovery.region))
        report.error(
            { subject: "region" },
            `the run is for region ${place.region}, but the cluster stands in ${discovery.region}`,
            `set alicloud:region to ${discovery.region}, or reach the cluster that is meant (kubeconfig, context)`,
        );
    return report.diagnostics;
}

const differ = (one: string | undefined, other: string | undefined): boolean =>
    one !== undefined && other !== undefined && one !== other;

/** Of a Kubernetes version only what rules compare; Terway Edge looks like Terway or like nothing. */
function same(fact: (typeof DISCOVERED)[number], given: unknown, found: unknown): boolean {
    if (fact === "kubernetesVersion")
        return String(parseKubernetesVersion(String(given))) === String(parseKubernetesVersion(String(found)));
    if (fact === "networkPlugin" && given === "terway-edge") return true;
    return given === found;
}
