/**
 * Who looks after a Service.
 *
 * `spec.loadBalancerClass` cannot be set on a living load balancer Service. See `provider/deploy/claim` for what names another controller instead.
 */
import { claimService, handBackService } from "../claim";
import { ignoredByCcm } from "../../kubernetes/service/controller";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { openReference } from "./cluster";
import { plain } from "./values";

/** Inputs of a claim. */
export interface ClaimInputs {
    /** `ack-loadbalancer`, or who else has the Service, as {@link read} finds it. */
    readonly controller: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /** Path of the kubeconfig; absent = as kubectl finds it. */
    readonly kubeconfig?: string;
    readonly context?: string;
    /** Deleting the claim hands the Service back to the Cloud Controller Manager. Default false: no controller manages it then. */
    readonly handBack?: boolean;
}

/** Takes the Service over. Writes nothing if it is ours already. */
export async function create(inputs: ClaimInputs): Promise<{ id: string; outs: ClaimInputs }> {
    await claimService(openReference(inputs), inputs, typeOf(inputs));
    return { id: `${inputs.namespace}/${inputs.name}`, outs: plain(inputs) };
}

/** Takes the Service over again, if it is another one, or if it was given back outside of this stack. */
export async function update(_id: string, _olds: ClaimInputs, news: ClaimInputs): Promise<{ outs: ClaimInputs }> {
    await claimService(openReference(news), news, typeOf(news));
    return { outs: plain(news) };
}

/** Who has the Service; the claim is gone with it. */
export async function read(
    id: string,
    props: ClaimInputs,
): Promise<{ id?: string; props?: ClaimInputs; inputs?: ClaimInputs }> {
    const service = await openReference(props).getService(props.namespace, props.name);
    if (service === undefined) {
        return {};
    }
    const controller = ignoredByCcm(service) ? props.controller : "cloud-controller-manager";
    const found = plain({ ...props, uid: service.metadata.uid ?? props.uid, controller });
    return { id, props: found, inputs: found };
}

/** Gives the Service back, if that was asked for; otherwise it stays as it is, and no controller makes a new load balancer for it. */
async function remove(_id: string, props: ClaimInputs): Promise<void> {
    if (props.handBack) {
        await handBackService(openReference(props), props, typeOf(props));
    }
}
export { remove as delete };

const typeOf = ({ loadBalancerType = "clb" }: ClaimInputs): LoadBalancerType => loadBalancerType;
