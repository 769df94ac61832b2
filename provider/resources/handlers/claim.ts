/**
 * Claim on a Service that another tool applies.
 *
 * `spec.loadBalancerClass` cannot be set on an existing load balancer Service; see `provider/resources/claim` for the
 * marks.
 */
import { ignoredByCcm } from "../../service/controller";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { claimService, handBackService } from "../claim";
import {
    type ClusterReference,
    type Created,
    type Observed,
    observed,
    openReference,
    plain,
    type Updated,
} from "./handler";

/** Inputs of a claim. */
export interface ClaimInputs extends ClusterReference {
    /** `ack-loadbalancer`, or the controller that {@link read} observed. */
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

/** Claims the Service. Writes nothing if it is claimed already. */
export async function create(inputs: ClaimInputs): Promise<Created<ClaimInputs>> {
    await claimService(openReference(inputs), inputs, typeOf(inputs));
    return { id: `${inputs.namespace}/${inputs.name}`, outs: plain(inputs) };
}

/** Claims the Service again, if it was recreated, or handed back outside of the stack. */
export async function update(_id: string, _olds: ClaimInputs, news: ClaimInputs): Promise<Updated<ClaimInputs>> {
    await claimService(openReference(news), news, typeOf(news));
    return { outs: plain(news) };
}

/** Reads the controller of the Service. */
export async function read(id: string, props: ClaimInputs): Promise<Observed<ClaimInputs>> {
    const service = await openReference(props).getService(props.namespace, props.name);
    if (service === undefined) return {};
    const controller = ignoredByCcm(service) ? props.controller : "cloud-controller-manager";
    return observed(id, { ...props, uid: service.metadata.uid ?? props.uid, controller });
}

/** Hands the Service back if `handBack` is set. Otherwise it stays as it is, and gets no new load balancer. */
async function remove(_id: string, props: ClaimInputs): Promise<void> {
    if (props.handBack) await handBackService(openReference(props), props, typeOf(props));
}
export { remove as delete };

const typeOf = ({ loadBalancerType = "clb" }: ClaimInputs): LoadBalancerType => loadBalancerType;
