import { instancesOf } from "../../provider/plan/reuse/instances";
import type { ObservedLoadBalancer, ObservedServerGroup } from "../../provider/schema/observed";
import type { ReuseRequest } from "../../provider/service/reuse";
import { observeGroups, observeLoadBalancer } from "../../provider/plan/reuse/instances";
import type { Backend } from "../../provider/schema/backend";
import type { Account } from "../../provider/schema/account";
import { openAccount } from "../../provider/cloud";
import { accountKey } from "./account";

/** User-managed load balancers that a program reuses, each read once. */
export class ObservedInstances {
    readonly #instances = new Map<string, Promise<ObservedLoadBalancer | undefined>>();
    readonly #groups = new Map<string, Promise<ObservedServerGroup[]>>();
    readonly #backends = new Map<string, Promise<readonly Backend[]>>();

    /** @throws CloudError if a call fails */
    async read(request: ReuseRequest, account: Account): Promise<ObservedLoadBalancer | undefined> {
        const { loadBalancerType, loadBalancerId } = request;
        const place = accountKey(account);
        const cloud = openAccount(account);
        const api = () => instancesOf(cloud, loadBalancerType);
        const instance = await once(this.#instances, `${place} ${loadBalancerId}`, () =>
            observeLoadBalancer(api(), loadBalancerId),
        );
        return (
            instance &&
            observeGroups(request, instance, {
                listGroups: (id, ids) =>
                    once(this.#groups, `${place} ${ids.join(" ")}`, () => api().listGroups(id, ids)),
                listBackends: (group) => once(this.#backends, `${place} ${group}`, () => api().listBackends(group)),
            })
        );
    }
}

/** Shares the first read of a key. */
function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
    const reading = known.get(key) ?? read();
    known.set(key, reading);
    return reading;
}
