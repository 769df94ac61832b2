/** Who looks after a Service: takes it over from the Cloud Controller Manager (CCM), and gives it back. The Service itself stays, with its UID, address and nodePorts. */
import { type Cluster, ClusterError, type ServiceObject } from "../kubernetes";
import { CCM_FINALIZERS, CCM_LABELS, ignoredByCcm, CLASS_ANNOTATION } from "../kubernetes/service/ccm-marks";
import { STACK_ANNOTATION } from "../kubernetes/service/service";
import { LOAD_BALANCER_CLASSES } from "../schema/load-balancer-type";

/** The Service in question. */
export interface ServiceKey {
    readonly namespace: string;
    readonly name: string;
    /** `metadata.uid`: one that was made anew in the meantime is another Service. */
    readonly uid: string;
}

/** What a Service of our class loses on its way through another type, kept on it so that a second try still knows it. */
interface Kept {
    readonly loadBalancerSourceRanges?: readonly string[];
    readonly healthCheckNodePort?: number;
    readonly ingress?: readonly object[];
}

const KEPT_ANNOTATION = "ack-loadbalancer.io/handing-back";

/** How often a patch is tried again after another client has changed the Service at the same moment. */
const TRIES = 5;

/**
 * Takes a Service over: CCM is kept away, and its finalizer and labels go, in one write, so that no moment is left in which it could act on one without the other.
 *
 * A Service that CCM leaves alone already is not written.
 *
 * @throws Error if the Service is gone.
 */
export async function claimService(cluster: Cluster, key: ServiceKey): Promise<void> {
    const found = await rewrite(cluster, key, (service) => (ignoredByCcm(service) ? undefined : claimPatch(service)));
    if (!found) {
        throw new Error(
            `Service ${key.namespace}/${key.name} is not in the cluster (any more), so it cannot be taken over. Remedy: apply it, then run again.`,
        );
    }
}

function claimPatch({ metadata, spec }: ServiceObject): object {
    const finalizers = (metadata.finalizers ?? []).filter((finalizer) => !CCM_FINALIZERS.includes(finalizer));
    return {
        metadata: {
            finalizers: finalizers.length > 0 ? finalizers : null,
            labels: absent(CCM_LABELS),
            ...((spec?.loadBalancerClass ?? "") === ""
                ? { annotations: { [CLASS_ANNOTATION]: LOAD_BALANCER_CLASSES.clb } }
                : {}),
        },
    };
}

/**
 * Gives a Service to CCM: without our annotations, and without our class. The class of a load balancer Service cannot change, so it changes by way of type NodePort, which keeps the
 * nodePorts: nodes answer all the time. CCM then finds the instance by its tag. A Service that does not exist needs nothing.
 */
export async function handBackService(cluster: Cluster, key: ServiceKey): Promise<void> {
    await rewrite(cluster, key, (service) =>
        service.spec?.loadBalancerClass === LOAD_BALANCER_CLASSES.clb ? dropClassPatch(service) : undefined,
    );
    let kept: Kept = {};
    await rewrite(cluster, key, (service) => {
        kept = JSON.parse(service.metadata.annotations?.[KEPT_ANNOTATION] ?? "{}") as Kept;
        return returnPatch(service, kept);
    });
    const service = await cluster.getService(key.namespace, key.name);
    if (kept.ingress !== undefined && service?.metadata.uid === key.uid) {
        // The API server empties the status of a Service that is no load balancer.
        await cluster.patchServiceStatus(key.namespace, key.name, { ingress: kept.ingress });
    }
}

function dropClassPatch({ spec, status }: ServiceObject): object {
    const kept: Kept = {
        ...(spec?.loadBalancerSourceRanges === undefined
            ? {}
            : { loadBalancerSourceRanges: spec.loadBalancerSourceRanges }),
        ...(spec?.healthCheckNodePort === undefined ? {} : { healthCheckNodePort: spec.healthCheckNodePort }),
        ...(status?.loadBalancer?.ingress === undefined ? {} : { ingress: status.loadBalancer.ingress }),
    };
    return {
        metadata: { annotations: { [KEPT_ANNOTATION]: JSON.stringify(kept) } },
        spec: {
            type: "NodePort",
            loadBalancerClass: null,
            loadBalancerSourceRanges: null,
            healthCheckNodePort: null,
            allocateLoadBalancerNodePorts: null,
        },
    };
}

function returnPatch(
    { metadata, spec }: ServiceObject,
    { loadBalancerSourceRanges, healthCheckNodePort }: Kept,
): object | undefined {
    const ours = [CLASS_ANNOTATION, STACK_ANNOTATION, KEPT_ANNOTATION].filter(
        (annotation) => annotation in (metadata.annotations ?? {}),
    );
    if (ours.length === 0 && spec?.type === "LoadBalancer") {
        return undefined;
    }
    return {
        metadata: { annotations: absent(ours) },
        spec: {
            type: "LoadBalancer",
            ...(loadBalancerSourceRanges === undefined ? {} : { loadBalancerSourceRanges }),
            ...(healthCheckNodePort === undefined ? {} : { healthCheckNodePort }),
        },
    };
}

/** A merge patch takes away what it says is null. */
function absent(keys: readonly string[]): Record<string, null> {
    return Object.fromEntries(keys.map((key) => [key, null]));
}

/**
 * Patches the Service as it is at the moment, or not at all where there is nothing to do; once more, if another client was faster.
 *
 * @returns false if the Service is gone.
 */
async function rewrite(
    cluster: Cluster,
    key: ServiceKey,
    patchOf: (service: ServiceObject) => object | undefined,
): Promise<boolean> {
    for (let tries = 1; ; tries++) {
        const service = await cluster.getService(key.namespace, key.name);
        if (service === undefined || service.metadata.uid !== key.uid) {
            return false;
        }
        const patch = patchOf(service) as { metadata?: object } | undefined;
        if (patch === undefined) {
            return true;
        }
        try {
            await cluster.patchService(key.namespace, key.name, {
                ...patch,
                metadata: { ...patch.metadata, resourceVersion: service.metadata.resourceVersion },
            });
            return true;
        } catch (error) {
            if (!(error instanceof ClusterError && error.kind === "conflict") || tries >= TRIES) {
                throw error;
            }
        }
    }
}
