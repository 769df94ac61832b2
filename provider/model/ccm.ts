/**
 * What the Cloud Controller Manager (CCM) leaves on a Service, and how it is told to leave one alone.
 *
 * Observed of the controller itself ("testdata/parity", the recordings named `clb-class-…`): it looks at Services of type LoadBalancer without a class and without the
 * annotation {@link STAND_ASIDE}, and at every Service that still bears its finalizer.
 */

/** Finalizers that CCM puts on the Services that it looks after: CLB, NLB. */
export const CCM_FINALIZERS: readonly string[] = ["service.k8s.alibaba/resources", "service.k8s.alibaba/nlb"];

/** Labels that CCM keeps on them: the hash of what it has applied, and the instance. */
export const CCM_LABELS: readonly string[] = ["service.beta.kubernetes.io/hash", "service.k8s.alibaba/loadbalancer-id"];

/** Annotation that names another controller for a living Service, whose `spec.loadBalancerClass` can no longer be set. With any value but the empty one CCM stands aside. */
export const STAND_ASIDE = "service.beta.kubernetes.io/class";

/** What a Service says of who looks after it. */
export interface Managed {
    readonly metadata: {
        readonly finalizers?: readonly string[];
        readonly annotations?: Readonly<Record<string, string>>;
        readonly labels?: Readonly<Record<string, string>>;
    };
    readonly spec?: { readonly loadBalancerClass?: string };
}

/** Whether CCM looks after a Service. It acts on its finalizer even where everything else tells it to stand aside. */
export function managedByCcm(service: Managed): boolean {
    return (service.metadata.finalizers ?? []).some((finalizer) => CCM_FINALIZERS.includes(finalizer));
}

/** Whether CCM will not touch a Service: it is another controller's, and the finalizer is gone. */
export function leftAloneByCcm(service: Managed): boolean {
    const named = (service.spec?.loadBalancerClass ?? "") !== "" || (service.metadata.annotations?.[STAND_ASIDE] ?? "") !== "";
    return named && !managedByCcm(service);
}
