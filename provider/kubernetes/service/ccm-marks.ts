/** Whether the Cloud Controller Manager (CCM) manages a Service. Two controllers on one Service would undo each other's work. */

import { isOwnClass, NLB_CLASS } from "../../schema/load-balancer-type";

/** Finalizers by which CCM keeps a Service until its load balancer is gone. Source: "Notes on service load balancing configuration", notes on CCM-managed load balancers. */
export const CCM_FINALIZERS: readonly string[] = ["service.k8s.alibaba/resources", "service.k8s.alibaba/nlb"];

/** Labels that CCM puts on a Service that it has served. */
export const CCM_LABELS: readonly string[] = [
    "service.beta.kubernetes.io/hash",
    "service.k8s.alibaba/loadbalancer-id",
    // Of the source ranges of a Service with an NLB.
    "service.k8s.alibaba/security-group-id",
];

/** The metadata that has these marks. */
export interface Marked {
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
}

/** What CCM has left on a Service, for people; empty if it is not at work there. */
export function ccmMarks({ labels = {}, finalizers = [] }: Marked): string[] {
    return [
        ...finalizers
            .filter((finalizer) => CCM_FINALIZERS.includes(finalizer))
            .map((finalizer) => `finalizer ${finalizer}`),
        ...CCM_LABELS.filter((label) => label in labels).map((label) => `label ${label}=${labels[label] ?? ""}`),
    ];
}

/** Annotation that names another controller for an existing Service, whose `spec.loadBalancerClass` can no longer be set. With any value but the empty one CCM stands aside. */
export const CLASS_ANNOTATION = "service.beta.kubernetes.io/class";

/** Annotation of a Service whose class is being changed by way of type NodePort, with all that it loses meanwhile. */
export const CLASS_CHANGE_ANNOTATION = "ack-loadbalancer.io/changing-class";

/** Annotations without {@link CLASS_ANNOTATION}, where it names this package: a followed Service carries it, and it is none of its settings. */
export function withoutOwnMark(annotations: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
        Object.entries(annotations).filter(([key, value]) => key !== CLASS_ANNOTATION || !isOwnClass(value)),
    );
}

/** What decides which controller manages a Service. */
export interface Managed {
    readonly metadata: {
        readonly finalizers?: readonly string[];
        readonly annotations?: Readonly<Record<string, string>>;
        readonly labels?: Readonly<Record<string, string>>;
    };
    readonly spec?: { readonly loadBalancerClass?: string };
}

/** Whether CCM manages a Service. It acts on its finalizer even where everything else tells it to stand aside. */
export function managedByCcm(service: Managed): boolean {
    return (service.metadata.finalizers ?? []).some((finalizer) => CCM_FINALIZERS.includes(finalizer));
}

/** Whether CCM will not touch a Service: it is another controller's, and the finalizer is gone. */
export function ignoredByCcm(service: Managed): boolean {
    const { loadBalancerClass = "" } = service.spec ?? {};
    const named =
        (loadBalancerClass !== "" && loadBalancerClass !== NLB_CLASS) ||
        (service.metadata.annotations?.[CLASS_ANNOTATION] ?? "") !== "";
    return named && !managedByCcm(service);
}

/** How a Service gets from CCM to this package, as a remedy. */
export const RELEASE_REMEDY =
    "take the Service over with its load balancer and address: adopt (docs/migrate-from-ccm.md). A manifest that was copied from the cluster must lose these marks. " +
    "Deleting the Service deletes its load balancer, and with alibaba-cloud-loadbalancer-preserve-lb-on-delete still its listeners and vServer groups";
