/** Facts of an ACK cluster in kube-system, for the cluster of a lab. */
import type { Client } from "./cluster";

/** Id of a lab's cluster that is given none. */
export const LAB_CLUSTER = "c-lab";

interface Answers {
    readonly GetCallerIdentity: { readonly AccountId: string };
    readonly DescribeVSwitches: {
        readonly VSwitches: {
            readonly VSwitch: readonly {
                readonly VSwitchId: string;
                readonly ZoneId: string;
                readonly VpcId: string;
            }[];
        };
    };
}

/**
 * Creates the ConfigMap `ack-cluster-profile` in a cluster, with the account, the VPC and the vSwitches of its cloud.
 * No network plugin runs in it, and none is named.
 *
 * @param serviceCidr range of the cluster's Services.
 */
export async function describeAsAck(
    cluster: Client,
    cloudUrl: string,
    { clusterId, serviceCidr }: { readonly clusterId: string; readonly serviceCidr: string },
): Promise<void> {
    const ask = async <Action extends keyof Answers>(product: string, action: Action): Promise<Answers[Action]> => {
        const answer = await fetch(`${cloudUrl}/_console`, {
            method: "POST",
            body: JSON.stringify({ product, action, params: {} }),
        });
        if (!answer.ok) throw new Error(`the cloud refused ${action}: ${await answer.text()}`);
        return ((await answer.json()) as { body: Answers[Action] }).body;
    };
    const [{ AccountId }, { VSwitches }] = await Promise.all([
        ask("Sts", "GetCallerIdentity"),
        ask("Vpc", "DescribeVSwitches"),
    ]);
    const vswitches = [...VSwitches.VSwitch].sort((a, b) => (a.ZoneId < b.ZoneId ? -1 : 1));
    await cluster.create("/api/v1/namespaces/kube-system/configmaps", {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "ack-cluster-profile", namespace: "kube-system" },
        data: {
            clusterid: clusterId,
            uid: AccountId,
            vpcid: vswitches[0]?.VpcId ?? "",
            "vsw-zone": vswitches.map(({ VSwitchId, ZoneId }) => `${VSwitchId}:${ZoneId}`).join(","),
            serviceCIDR: serviceCidr,
            ipStack: "ipv4",
        },
    });
}
