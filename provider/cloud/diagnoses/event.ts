import { CCM_SOURCE, notesDocument } from "../../schema/documents";
import { ANNOTATIONS_DOCUMENT, diagnosis, FAQ } from "./row";

/** Reasons of the Cloud Controller Manager's events at a Service, those of failures first. */
export const eventReasons = [
    diagnosis("backends-skipped", CCM_SOURCE, {
        codes: ["SkipSyncBackends"],
        messages: [/not sync pods\b/i, /skip delete and update backends/i],
        cause:
            "CCM leaves pods out of a server group, because it finds no network interface for their addresses or " +
            "they are outside the VPC. Meanwhile it removes no backend of that group.",
        remedy:
            "Look at the pods that the event names and at their node: an interface of Terway may still be coming. " +
            "Pods outside the VPC cannot be backends: remove service.beta.kubernetes.io/backend-type: eni.",
    }),
    diagnosis("source-ranges-of-reused-nlb", CCM_SOURCE, {
        codes: ["FeatureNotSupported"],
        cause: "CCM ignores spec.loadBalancerSourceRanges of a Service on a reused NLB: every client is admitted.",
        remedy: "Restrict the clients by a security group of the NLB, or give the Service a separate NLB.",
    }),
    diagnosis("elastic-ip-unknown", CCM_SOURCE, {
        codes: ["FailedSetEIPAddress"],
        messages: [/get eip error/i],
        cause:
            "CCM could not read the elastic IP address of the load balancer (external-ip-type: eip), and wrote the " +
            "load balancer's own address into the Service's status.",
        remedy:
            "Allow CCM vpc:DescribeEipAddresses, and check that an elastic IP address is associated with the load " +
            "balancer.",
    }),
    diagnosis("object-not-written", CCM_SOURCE, {
        codes: [/^Failed(?:AddFinalizer|RemoveFinalizer|AddHash|RemoveHash|UpdateStatus|UpdateReadinessGate)$/],
        cause: "CCM could not write to the Service or its pods: finalizer, label, status or readiness gate.",
        remedy:
            "Read the whole error in the event. For a refusal allow it by the ClusterRole of CCM; look for an " +
            "admission webhook that refuses the change. CCM tries again by itself.",
    }),
    diagnosis("clean-failed", FAQ, {
        codes: ["CleanLoadBalancerFailed"],
        messages: [/error deleting load ?balancer/i],
        cause:
            "CCM could not delete the load balancer of a Service, for a reason that is not in this table. The " +
            "Service stays until it can.",
        remedy:
            "Read the whole error in the events: kubectl -n <namespace> describe svc <service>. Do not remove the " +
            "finalizer before the load balancer is gone: nobody would delete it then.",
    }),
    // CCM puts the reason behind these words, and every row that knows a reason precedes this row.
    diagnosis("sync-failed", FAQ, {
        codes: ["SyncLoadBalancerFailed"],
        messages: [/error syncing load ?balancer/i],
        cause:
            "CCM could not bring the load balancer in line with the Service, for a reason that is not in this " +
            "table.",
        remedy:
            "Read the whole error in the events: kubectl -n <namespace> describe svc <service>. CCM before " +
            "v1.9.3.276-g372aa98-aliyun writes no events; upgrade it to see them.",
    }),
    diagnosis("preserved", ANNOTATIONS_DOCUMENT, {
        codes: ["PreservedOnDelete"],
        messages: [/will be preserved after the service is deleted/i],
        cause: "The load balancer stays when the Service is deleted, and is still billed. This is no error.",
        remedy:
            "Nothing needs to be done. To have it deleted with the Service, remove " +
            'alibaba-cloud-loadbalancer-preserve-lb-on-delete; any text in it, even "false", preserves.',
    }),
    diagnosis("service-changed", notesDocument("Notes on CCM-managed load balancers"), {
        codes: ["AnnotationChanged", "ServiceSpecChanged", "TypeChanged", "DeleteTimestampChanged"],
        cause: "The Service was changed, and CCM begins to bring its load balancer in line. This is no error.",
        remedy: "Read the next event: EnsuredLoadBalancer reports success, SyncLoadBalancerFailed an error.",
    }),
    diagnosis("ensured", CCM_SOURCE, {
        codes: ["EnsuredLoadBalancer"],
        cause: "The load balancer is as the Service asks for it. This is no error.",
        remedy: "Nothing needs to be done. If clients get no answer: ack-loadbalancer explain namespace/name.",
    }),
    diagnosis("cleaned", CCM_SOURCE, {
        codes: ["CleanLoadBalancer"],
        cause: "The load balancer of the Service was deleted, or handed over to another controller.",
        remedy: "Nothing needs to be done, unless the Service is to have a load balancer: look at its class and type.",
    }),
];
