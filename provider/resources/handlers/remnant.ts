/**
 * Remnant of an instance whose creation ended half-way. The instance depends on this resource and is deleted with it,
 * so it is deleted last.
 *
 * An instance has its protections from its creation on, and until `release` or `nlb/zones` is recorded, nothing
 * would switch them off: a failed or killed creation would leave an instance that nobody can delete, in the state or
 * outside of it. The resource makes no call until it is deleted.
 */
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import * as sweep from "../sweep";
import { applying, managing, openPlace, type Place } from "./handler";

interface RemnantInputs extends Place {
    readonly loadBalancerType: LoadBalancerType;
    /** Name with which the instance is created. */
    readonly name: string;
    /** Value of the ownership tag, derived from the Service's UID. */
    readonly owner: string;
    /** The instance stays when the Service is deleted. Default false. */
    readonly preserve?: boolean;
}

const { create, update, read, remove } = managing<RemnantInputs>({
    ...applying<RemnantInputs>(
        ({ name }) => name,
        () => Promise.resolve(),
    ),
    read: () => Promise.resolve({}),
    /** Deletes instances of the name and mark, without listeners. A released instance is gone before. */
    delete: async ({ loadBalancerType, name, owner, preserve, ...place }) => {
        if (preserve) return;
        const remove = loadBalancerType === "nlb" ? sweep.nlbLoadBalancer : sweep.clbLoadBalancer;
        await remove(openPlace(place), { name, owner });
    },
});
export { create, update, read, remove as delete };
