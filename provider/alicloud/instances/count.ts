import { CLUSTER_TAG } from "../../model/names";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { number, object, readAnswer } from "../http/answer";
import type { Cloud } from "../http/client";

/** Milliseconds for the call: a number alone is not worth a longer wait. */
const LIMIT_MS = 5_000;

const COUNT = object({ TotalCount: number });

/**
 * How many instances there are in the region (DescribeLoadBalancers, ListLoadBalancers); undefined if the answer does not say.
 *
 * @param clusterId counts only those that were made for Services of this cluster
 */
export async function countInstances(
    cloud: Cloud,
    type: LoadBalancerType,
    clusterId?: string,
): Promise<number | undefined> {
    const options = { signal: AbortSignal.timeout(LIMIT_MS) };
    if (type === "nlb") {
        const action = "ListLoadBalancers";
        const tag = clusterId === undefined ? {} : { "Tag.1.Key": CLUSTER_TAG, "Tag.1.Value": clusterId };
        const answer = await cloud.call("nlb", action, { MaxResults: 1, ...tag }, options);
        return readAnswer(action, COUNT, answer).TotalCount;
    }
    const action = "DescribeLoadBalancers";
    const Tags = JSON.stringify([{ TagKey: CLUSTER_TAG, TagValue: clusterId }]);
    const filter = clusterId === undefined ? {} : { Tags };
    const answer = await cloud.call("slb", action, { PageNumber: 1, PageSize: 1, ...filter }, options);
    return readAnswer(action, COUNT, answer).TotalCount;
}
