import { CLUSTER_TAG } from "../../model/names";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { number, object, readAnswer } from "../http/answer";
import type { Cloud } from "../http/client";

const COUNT = object({ TotalCount: number });

/**
 * How many instances there are in the region (DescribeLoadBalancers, ListLoadBalancers); undefined if the answer does not say.
 *
 * @param options.clusterId counts only those that were made for Services of this cluster
 */
export async function countInstances(
    cloud: Cloud,
    type: LoadBalancerType,
    { clusterId, signal }: { readonly clusterId?: string; readonly signal: AbortSignal },
): Promise<number | undefined> {
    if (type === "nlb") {
        const action = "ListLoadBalancers";
        const tag = clusterId === undefined ? {} : { "Tag.1.Key": CLUSTER_TAG, "Tag.1.Value": clusterId };
        const answer = await cloud.call("nlb", action, { MaxResults: 1, ...tag }, { signal });
        return readAnswer(action, COUNT, answer).TotalCount;
    }
    const action = "DescribeLoadBalancers";
    const Tags = JSON.stringify([{ TagKey: CLUSTER_TAG, TagValue: clusterId }]);
    const filter = clusterId === undefined ? {} : { Tags };
    const answer = await cloud.call("slb", action, { PageNumber: 1, PageSize: 1, ...filter }, { signal });
    return readAnswer(action, COUNT, answer).TotalCount;
}
