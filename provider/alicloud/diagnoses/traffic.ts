import type { DiagnosisRow } from "./row";
import { ANNOTATIONS_DOCUMENT, FAQ } from "./documents";

/** Symptoms that users see, rather than errors of an API. */
export const traffic: readonly DiagnosisRow[] = [
    {
        code: "tls-intercepted",
        messages: [/wrong version number/i],
        cause: "A client inside the cluster called the load balancer's address; kube-proxy sent the TLS traffic straight to the pods' plain HTTP port, past the HTTPS listener.",
        remedy: "Call the Service's cluster address inside the cluster (<service>.<namespace>.svc.cluster.local). Where the public name must be used, set alibaba-cloud-loadbalancer-hostname: then the traffic goes through the load balancer.",
        source: ANNOTATIONS_DOCUMENT,
    },
    {
        code: "no-events",
        messages: [/events:.*<none>/i],
        cause: "The Service has no events: CCM before v1.9.3.276-g372aa98-aliyun writes none, events are kept for an hour only, and this package writes none: its runs report what they do.",
        remedy: "For a Service of this package read the output of the last pulumi up. For one of CCM upgrade CCM, change the Service to have it synced again, and look once more; on a newer version open a ticket.",
        source: FAQ,
    },
    {
        code: "pending",
        messages: [/<pending>/i],
        cause: "The Service has no address yet: its load balancer is being made, or what makes it has failed.",
        remedy: "For a Service of this package run pulumi up and read its errors. For one of CCM read the events (kubectl -n <namespace> describe svc <service>) and look their text up here; without events, upgrade CCM.",
        source: FAQ,
    },
    {
        // CCM puts the reason behind these words; every row that knows a reason stands before this one.
        code: "sync-failed",
        messages: [/error syncing load ?balancer/i],
        cause: "CCM could not bring the load balancer in line with the Service, for a reason that is not in this table.",
        remedy: "Read the whole error in the events: kubectl -n <namespace> describe svc <service>. CCM before v1.9.3.276-g372aa98-aliyun writes no events; upgrade it to see them.",
        source: FAQ,
    },
];
