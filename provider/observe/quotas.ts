import { type Cloud, countOfCluster, readQuotas } from "../alicloud";
import type { ObservedQuotas } from "../plan";
import type { LoadBalancerType } from "../schema/load-balancer-type";

/**
 * The quotas of the account and what is used of them. What the cloud does not say, for lack of a permission or of a way to it, is assumed: nothing fails for that.
 *
 * @param exposed Services of the run that show an address: they have their instance.
 */
export async function observeQuotas(
    cloud: Cloud,
    type: LoadBalancerType,
    { clusterId, exposed }: { readonly clusterId: string; readonly exposed: number },
): Promise<ObservedQuotas> {
    const [account, ofCluster] = await Promise.all([readQuotas(cloud, [type]), countOfCluster(cloud, type, clusterId)]);
    return { account, recoverable: Math.max(0, (ofCluster ?? account.instances[type] ?? 0) - exposed) };
}
