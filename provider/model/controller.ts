/** Whether the Cloud Controller Manager (CCM) looks after a Service. Two controllers on one Service would undo each other's work. */

/** Finalizers by which CCM keeps a Service until its load balancer is gone. Source: "Notes on service load balancing configuration", notes on CCM-managed load balancers. */
export const CCM_FINALIZERS: readonly string[] = ["service.k8s.alibaba/resources", "service.k8s.alibaba/nlb"];

/** Labels that CCM puts on a Service that it has served. */
export const CCM_LABELS: readonly string[] = ["service.beta.kubernetes.io/hash", "service.k8s.alibaba/loadbalancer-id"];

/** Metadata of a Service, as far as it tells. */
export interface Marked {
    readonly labels?: Readonly<Record<string, unknown>>;
    readonly finalizers?: readonly unknown[];
}

/** What CCM has left on a Service, for people; empty if it is not at work there. */
export function ccmMarks({ labels = {}, finalizers = [] }: Marked): string[] {
    return [
        ...finalizers.filter((finalizer) => CCM_FINALIZERS.includes(String(finalizer))).map((finalizer) => `finalizer ${String(finalizer)}`),
        ...CCM_LABELS.filter((label) => label in labels).map((label) => `label ${label}=${String(labels[label])}`),
    ];
}

/** How a Service gets from CCM to this package, for a refusal to say. */
export const WAY_OUT =
    "take the Service out of CCM's hands first: to keep the load balancer, annotate it with alibaba-cloud-loadbalancer-preserve-lb-on-delete, delete the Service, " +
    "and name the instance with alibaba-cloud-loadbalancer-id; otherwise delete the Service and let this stack create it. A manifest that was copied from the cluster must lose these marks";
