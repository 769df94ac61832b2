/**
 * Controller of a Service: claims it from the Cloud Controller Manager (CCM), and hands it back. The Service itself
 * stays.
 */
import { keyOfSetting } from "../service/annotations";
import type { ClusterReader, ServiceObject } from "../cluster";
import { CCM_FINALIZERS, CCM_LABELS, CLASS_ANNOTATION, ignoredByCcm, STACK_ANNOTATION } from "../service/controller";
import { isOwnClass, LOAD_BALANCER_CLASSES, type LoadBalancerType, NLB_CLASS } from "../schema/load-balancer-type";
import { absent, patchService, type ServiceKey } from "./patch-service";
import { changeClass } from "./service-class";

/**
 * Claims a Service: marks it for this package and removes CCM's finalizer and labels, in one write. Does not write a
 * Service that CCM ignores already.
 *
 * For a CLB, which CCM creates for Services without a class, the mark is an annotation. For an NLB, which CCM creates
 * for its class, the class changes.
 *
 * @throws Error if the Service does not exist.
 */
export async function claimService(cluster: ClusterReader, key: ServiceKey, type: LoadBalancerType): Promise<void> {
    const found = await (type === "nlb" ? claimByClass(cluster, key) : claimByAnnotation(cluster, key));
    if (!found)
        throw new Error(
            `Service ${key.namespace}/${key.name} is not in the cluster (any more), so it cannot be taken over. ` +
                "Remedy: apply it, then run again.",
        );
}

function claimByAnnotation(cluster: ClusterReader, key: ServiceKey): Promise<boolean> {
    return patchService(cluster, key, (service) => {
        if (ignoredByCcm(service)) return undefined;
        const hasClass = (service.spec?.loadBalancerClass ?? "") !== "";
        const mark = hasClass ? {} : { annotations: { [CLASS_ANNOTATION]: LOAD_BALANCER_CLASSES.clb } };
        return { metadata: { ...withoutMarks(service), ...mark } };
    });
}

/** Without its finalizer CCM ignores a Service of another type. Some CCMs follow the NLB annotation in any class. */
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

/**
 * Hands a Service, if it exists, to CCM: without managed annotations, and with CCM's class. CCM finds the instance by
 * its tag.
 */
export async function handBackService(cluster: ClusterReader, key: ServiceKey, type: LoadBalancerType): Promise<void> {
    await changeClass(cluster, key, {
        leaves: (service) => isOwnClass(service.spec?.loadBalancerClass),
        loadBalancerClass: type === "nlb" ? NLB_CLASS : undefined,
        annotations: [CLASS_ANNOTATION, STACK_ANNOTATION],
    });
}
