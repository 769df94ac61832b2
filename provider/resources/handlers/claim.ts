/**
 * Claim on a Service that another tool applies.
 *
 * `spec.loadBalancerClass` cannot be set on an existing load balancer Service; see `provider/resources/claim` for the
 * marks.
 */
import { ignoredByCcm } from "../../service/controller";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { claimService, handBackService } from "../claim";
import { applying, type ClusterReference, managing, openReference } from "./handler";

interface ClaimInputs extends ClusterReference {
    /** `ack-loadbalancer`, or the controller that `read` observed. */
    readonly controller: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /**
     * Deleting the claim hands the Service back to the Cloud Controller Manager. Default false: no controller manages
     * it.
     */
    readonly handBack?: boolean;
}

const { create, update, read, remove } = managing<ClaimInputs>({
    /** Claims the Service. Writes nothing if it is claimed already: it may be recreated, or handed back by others. */
    ...applying<ClaimInputs>(
        ({ namespace, name }) => `${namespace}/${name}`,
        (inputs) => claimService(openReference(inputs), inputs, inputs.loadBalancerType),
    ),
    read: async (props) => {
        const service = await openReference(props).getService(props.namespace, props.name);
        if (service === undefined) return undefined;
        const controller = ignoredByCcm(service) ? props.controller : "cloud-controller-manager";
        return { uid: service.metadata.uid ?? props.uid, controller };
    },
    /** Hands the Service back if `handBack` is set. Otherwise it stays as it is, and gets no new load balancer. */
    delete: async (props) => {
        if (props.handBack) await handBackService(openReference(props), props, props.loadBalancerType);
    },
});
export { create, update, read, remove as delete };
