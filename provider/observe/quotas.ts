import { type Cloud, countInstances, listQuotas } from "../alicloud";
import type { ObservedQuotas } from "../plan";
import type { LoadBalancerType } from "../schema/load-balancer-type";

/**
 * The quotas of the account and what is used of them. What the cloud does not say, for lack of a permission or of a way to it, is unknown: nothing fails for that.
 *
 * @param exposed Services of the run that show an address: they have their instance.
 */
export async function observeQuotas(
    cloud: () => Cloud,
    type: LoadBalancerType,
    { clusterId, exposed }: { readonly clusterId: string; readonly exposed: number },
): Promise<ObservedQuotas> {
    const [limits, instances, ofCluster] = await Promise.all([
        known(() => listQuotas(cloud(), type)),
        known(() => countInstances(cloud(), type)),
        known(() => countInstances(cloud(), type, clusterId)),
    ]);
    return { limits, instances, recoverable: Math.max(0, (ofCluster ?? instances ?? 0) - exposed) };
}

async function known<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
    try {
        return await ask();
    } catch {
        // Whoever needs the cloud for more than a number refuses the run, and says why.
        return undefined;
    }
}
