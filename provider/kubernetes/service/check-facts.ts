/** Whether the facts about a cluster can be right. */

import { collector, type Diagnostic } from "../../diagnostics";
import { isCidr } from "../../schema/cidr";
import { CLUSTER_TYPES, type ClusterFacts, compatibilityOf, NETWORK_PLUGINS } from "../../schema/facts";
import { NEWEST_CCM, parseCcmVersion, parseKubernetesVersion } from "../../schema/versions";

/** What is wrong with the facts themselves. Only what the reading rules rely on is checked. */
export function checkFacts(facts: ClusterFacts): readonly Diagnostic[] {
    const report = collector("cluster-facts");
    const refuse = (field: keyof ClusterFacts, cause: string, remedy: string): void =>
        report.error({ subject: "cluster facts", path: [field] }, cause, remedy);
    if (facts.clusterId === "")
        refuse("clusterId", "the id is empty", "give the id of the ACK cluster; names and ownership marks contain it");
    if (parseCcmVersion(compatibilityOf(facts)) === undefined) {
        refuse(
            "compatibility",
            `"${facts.compatibility}" is not a Cloud Controller Manager version`,
            `write it as kubectl shows it, for example ${NEWEST_CCM} or v1.9.3.164-g2105d2e-aliyun`,
        );
    }
    if (facts.clusterType !== undefined && !CLUSTER_TYPES.includes(facts.clusterType)) {
        refuse(
            "clusterType",
            `"${facts.clusterType}" is no type of cluster`,
            `write one of ${CLUSTER_TYPES.join(", ")}`,
        );
    }
    if (facts.networkPlugin !== undefined && !NETWORK_PLUGINS.includes(facts.networkPlugin)) {
        refuse(
            "networkPlugin",
            `"${facts.networkPlugin}" is no network plug-in of ACK`,
            `write one of ${NETWORK_PLUGINS.join(", ")}`,
        );
    } else if (facts.clusterType === "edge" && facts.networkPlugin === "terway") {
        refuse(
            "networkPlugin",
            "an ACK Edge cluster runs Terway Edge or Flannel (VXLAN), not Terway",
            "write terway-edge or flannel, as the console shows it",
        );
    }
    if (facts.kubernetesVersion !== undefined && parseKubernetesVersion(facts.kubernetesVersion) === undefined) {
        refuse(
            "kubernetesVersion",
            `"${facts.kubernetesVersion}" is not a Kubernetes version`,
            "write it as kubectl version shows it, for example v1.34.1",
        );
    }
    if (facts.createdAt !== undefined && Number.isNaN(Date.parse(facts.createdAt))) {
        refuse(
            "createdAt",
            `"${facts.createdAt}" is not a date`,
            "write an ISO 8601 date, for example 2024-05-17T08:00:00Z",
        );
    }
    const range = facts.nodePortRange;
    if (
        range !== undefined &&
        !(
            Number.isInteger(range.from) &&
            Number.isInteger(range.to) &&
            range.from >= 1 &&
            range.from <= range.to &&
            range.to <= 65535
        )
    ) {
        refuse(
            "nodePortRange",
            `${range.from}-${range.to} is not a range of ports`,
            "give two whole numbers from 1 to 65535, the smaller one first",
        );
    }
    for (const cidr of facts.vpcCidrs ?? []) {
        if (!isCidr(cidr))
            refuse(
                "vpcCidrs",
                `"${cidr}" is not an address range`,
                "write the VPC's ranges in CIDR notation, for example 10.0.0.0/8",
            );
    }
    return report.diagnostics;
}
