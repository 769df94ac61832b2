import { collector, type Diagnostic } from "../diagnostics";
import { isCidr } from "../schema/cidr";
import { CLUSTER_TYPES, type ClusterFacts, compatibilityOf, NETWORK_PLUGINS } from "../schema/facts";
import { NEWEST_CCM, parseCcmVersion, parseKubernetesVersion } from "../schema/versions";

/** Checks those facts about a cluster that the rules for Services rely on. */
export function checkFacts(facts: ClusterFacts): readonly Diagnostic[] {
    const report = collector("cluster-facts");
    const refuse = (field: keyof ClusterFacts, cause: string, remedy: string): void =>
        report.error({ subject: "cluster facts", path: [field] }, cause, remedy);
    const { clusterId, compatibility, clusterType, networkPlugin, kubernetesVersion, createdAt, nodePortRange } = facts;
    if (clusterId === "")
        refuse("clusterId", "the id is empty", "give the id of the ACK cluster; names and ownership marks contain it");
    if (parseCcmVersion(compatibilityOf(facts)) === undefined) {
        const remedy = `write it as kubectl shows it, for example ${NEWEST_CCM} or v1.9.3.164-g2105d2e-aliyun`;
        refuse("compatibility", `"${compatibility}" is not a Cloud Controller Manager version`, remedy);
    }
    if (clusterType !== undefined && !CLUSTER_TYPES.includes(clusterType))
        refuse("clusterType", `"${clusterType}" is no type of cluster`, `write one of ${CLUSTER_TYPES.join(", ")}`);
    if (networkPlugin !== undefined && !NETWORK_PLUGINS.includes(networkPlugin)) {
        const cause = `"${networkPlugin}" is no network plug-in of ACK`;
        refuse("networkPlugin", cause, `write one of ${NETWORK_PLUGINS.join(", ")}`);
    }
    if (clusterType === "edge" && networkPlugin === "terway") {
        const cause = "an ACK Edge cluster runs Terway Edge or Flannel (VXLAN), not Terway";
        refuse("networkPlugin", cause, "write terway-edge or flannel, as the console shows it");
    }
    if (kubernetesVersion !== undefined && parseKubernetesVersion(kubernetesVersion) === undefined) {
        const cause = `"${kubernetesVersion}" is not a Kubernetes version`;
        refuse("kubernetesVersion", cause, "write it as kubectl version shows it, for example v1.34.1");
    }
    if (createdAt !== undefined && Number.isNaN(Date.parse(createdAt)))
        refuse("createdAt", `"${createdAt}" is not a date`, "write an ISO 8601 date, for example 2024-05-17T08:00:00Z");
    if (nodePortRange !== undefined && !isPortRange(nodePortRange)) {
        const cause = `${nodePortRange.from}-${nodePortRange.to} is not a range of ports`;
        refuse("nodePortRange", cause, "give two whole numbers from 1 to 65535, the smaller one first");
    }
    for (const cidr of facts.vpcCidrs ?? [])
        if (!isCidr(cidr)) {
            const cause = `"${cidr}" is not an address range`;
            refuse("vpcCidrs", cause, "write the VPC's ranges in CIDR notation, for example 10.0.0.0/8");
        }
    return report.diagnostics;
}

const isPortRange = ({ from, to }: NonNullable<ClusterFacts["nodePortRange"]>): boolean =>
    Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from <= to && to <= 65535;
