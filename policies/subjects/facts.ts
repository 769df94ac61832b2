/** The schema of cluster facts in the configuration of rules and on the command line. */

import { z } from "zod";
import { CLUSTER_TYPES, type ClusterFacts, NETWORK_PLUGINS } from "../../provider/schema/facts";

const port = z.int().min(1).max(65535);
const list = z.array(z.string().min(1));

export const CLUSTER_FACTS = z.strictObject({
    clusterId: z.string().min(1).exactOptional(),
    compatibility: z.string().exactOptional(),
    clusterType: z.enum(CLUSTER_TYPES).exactOptional(),
    edgeLink: z.boolean().exactOptional(),
    networkPlugin: z.enum(NETWORK_PLUGINS).exactOptional(),
    createdAt: z.string().exactOptional(),
    kubernetesVersion: z.string().exactOptional(),
    kubeProxyMode: z.enum(["iptables", "ipvs"]).exactOptional(),
    vpcId: z.string().exactOptional(),
    vpcCidrs: list.exactOptional(),
    vswitches: list.exactOptional(),
    resourceGroupId: z.string().exactOptional(),
    deniedLoadBalancers: list.exactOptional(),
    nodePortRange: z.strictObject({ from: port, to: port }).exactOptional(),
}) satisfies z.ZodType<Partial<ClusterFacts>>;
