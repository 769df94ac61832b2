import { collector, type Diagnostic } from "../diagnostics";
import { isCidr } from "../schema/cidr";
import { CLUSTER_TYPES, type ClusterFacts, compatibilityOf, NETWORK_PLUGINS } from "../schema/facts";
import { NEWEST_CCM, parseCcmVersion, parseKubernetesVersion } from "../schema/versions";

/** Checks those facts about a cluster that the rules for Services rely on. */
export function checkFacts(facts: ClusterFacts): readonly Diagnostic[] {
    const report = collector("cluster-facts");
    const check = (field: keyof ClusterFacts, isWrong: boolean, cause: string, remedy: string): void => {
        if (isWrong) report.error({ subject: "cluster facts", path: [field] }, cause, remedy);
    };
    const { clusterId, compatibility, clusterType, networkPlugin, kubernetesVersion, createdAt, nodePortRange } = facts;
    check(
        "clusterId",
        clusterId === "",
        "the id is empty",
        "give the id of the ACK cluster; names and ownership marks contain it",
    );
    check(
        "compatibility",
        parseCcmVersion(compatibilityOf(facts)) === undefined,
        `"${compatibility}" is not a Cloud Controller Manager version`,
        `write it as kubectl shows it, for example ${NEWEST_CCM} or v1.9.3.164-g2105d2e-aliyun`,
    );
    check(
        "clusterType",
        clusterType !== undefined && !CLUSTER_TYPES.includes(clusterType),
        `"${clusterType}" is no type of cluster`,
        `write one of ${CLUSTER_TYPES.join(", ")}`,
    );
    check(
        "networkPlugin",
        networkPlugin !== undefined && !NETWORK_PLUGINS.includes(networkPlugin),
        `"${networkPlugin}" is no network plug-in of ACK`,
        `write one of ${NETWORK_PLUGINS.join(", ")}`,
    );
    check(
        "networkPlugin",
        clusterType === "edge" && networkPlugin === "terway",
        "an ACK Edge cluster runs Terway Edge or Flannel (VXLAN), not Terway",
        "write terway-edge or flannel, as the console shows it",
    );
    check(
        "kubernetesVersion",
        kubernetesVersion !== undefined && parseKubernetesVersion(kubernetesVersion) === undefined,
        `"${kubernetesVersion}" is not a Kubernetes version`,
        "write it as kubectl version shows it, for example v1.34.1",
    );
    check(
        "createdAt",
        createdAt !== undefined && Number.isNaN(Date.parse(createdAt)),
        `"${createdAt}" is not a date`,
        "write an ISO 8601 date, for example 2024-05-17T08:00:00Z",
    );
    check(
        "nodePortRange",
        nodePortRange !== undefined && !isPortRange(nodePortRange),
        `${nodePortRange?.from}-${nodePortRange?.to} is not a range of ports`,
        "give two whole numbers from 1 to 65535, the smaller one first",
    );
    for (const cidr of facts.vpcCidrs ?? [])
        check(
            "vpcCidrs",
            !isCidr(cidr),
            `"${cidr}" is not an address range`,
            "write the VPC's ranges in CIDR notation, for example 10.0.0.0/8",
        );
    return report.diagnostics;
}

const isPortRange = ({ from, to }: NonNullable<ClusterFacts["nodePortRange"]>): boolean =>
    Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from <= to && to <= 65535;
