/** Who looks after a Service: takes it over from the Cloud Controller Manager (CCM), and gives it back. The Service itself stays, with its UID, address and nodePorts. */
import type { ClusterReader, ServiceObject } from "../kubernetes";
import { keyOfSetting } from "../annotations";
import {
    CCM_FINALIZERS,
    CCM_LABELS,
    CLASS_ANNOTATION,
    ignoredByCcm,
    STACK_ANNOTATION,
} from "../kubernetes/service/controller";
import { isOwnClass, LOAD_BALANCER_CLASSES, type LoadBalancerType, NLB_CLASS } from "../schema/load-balancer-type";
import { absent, patchService, type ServiceKey } from "./patch-service";
import { changeClass } from "./service-class";

export type { ServiceKey } from "./patch-service";

/**
 * Takes a Service over: CCM is kept away, and its finalizer and labels go, in one write, so that no moment is left in which it could act on one without the other.
 *
 * With a CLB, which CCM makes for Services without a class, an annotation names this package. CCM makes an NLB for its class whatever annotations say, so the class changes.
 * A Service that CCM leaves alone already is not written.
 *
 * @throws Error if the Service is gone.
 */
export async function claimService(cluster: ClusterReader, key: ServiceKey, type: LoadBalancerType): Promise<void> {
    const found = await (type === "nlb" ? claimByClass(cluster, key) : claimByAnnotation(cluster, key));
    if (!found) {
        throw new Error(
            `Service ${key.namespace}/${key.name} is not in the cluster (any more), so it cannot be taken over. Remedy: apply it, then run again.`,
        );
    }
}

function claimByAnnotation(cluster: ClusterReader, key: ServiceKey): Promise<boolean> {
    return patchService(cluster, key, (service) =>
        ignoredByCcm(service)
            ? undefined
            : {
                  metadata: {
                      ...withoutMarks(service),
                      ...((service.spec?.loadBalancerClass ?? "") === ""
                          ? { annotations: { [CLASS_ANNOTATION]: LOAD_BALANCER_CLASSES.clb } }
                          : {}),
                  },
              },
    );
}

/** Without its finalizer CCM does nothing for a Service that is of another type. The annotation that asks for an NLB too goes, because some CCMs follow it whatever the class is. */
function claimByClass(cluster: ClusterReader, key: ServiceKey): Promise<boolean> {
    return changeClass(cluster, key, {
        leaves: (service) => !ignoredByCcm(service),
        metadata: (service) => ({ ...withoutMarks(service), annotations: absent([keyOfSetting("type")]) }),
        loadBalancerClass: LOAD_BALANCER_CLASSES.nlb,
        annotations: [],
    });
}

function withoutMarks({ metadata }: ServiceObject): object {
    const finalizers = (metadata.finalizers ?? []).filter((finalizer) => !CCM_FINALIZERS.includes(finalizer));
    return { finalizers: finalizers.length > 0 ? finalizers : null, labels: absent(CCM_LABELS) };
}

/** Gives a Service to CCM: without our annotations, and of the class by which CCM knows its kind. CCM then finds the instance by its tag. A Service that does not exist needs nothing. */
export async function handBackService(cluster: ClusterReader, key: ServiceKey, type: LoadBalancerType): Promise<void> {
    await changeClass(cluster, key, {
        leaves: (service) => isOwnClass(service.spec?.loadBalancerClass),
        loadBalancerClass: type === "nlb" ? NLB_CLASS : undefined,
        annotations: [CLASS_ANNOTATION, STACK_ANNOTATION],
    });
}
