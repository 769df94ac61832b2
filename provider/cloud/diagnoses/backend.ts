import { BUSY_GROUP_CODES } from "../http/failure";
import { ANNOTATIONS_DOCUMENT, CLB_API, CLB_QUOTAS, diagnosis, FAQ } from "./row";

export const backendErrors = [
    // The messages of the two quotas differ by one letter. The plural is longer and has to be tried first.
    diagnosis("server-group-quota", FAQ, {
        messages: [/backend server number has reached (?:to )?the quota limit of this load ?balancers/i],
        cause:
            "The server groups of this load balancer hold as many backends as the quota allows. With " +
            "externalTrafficPolicy Cluster every node is a backend of every port.",
        remedy:
            "Set externalTrafficPolicy: Local, with which only nodes with a pod are backends; or keep Cluster and " +
            "choose nodes with alibaba-cloud-loadbalancer-backend-label; or raise the quota (200 by default) in " +
            "Quota Center.",
    }),
    diagnosis("backend-quota", FAQ, {
        codes: ["BackendServerNumberOverLimit", "InstanceBackendServerNumberOverLimit"],
        messages: [/backend server number has reached (?:to )?the quota limit of this load ?balancer(?!s)/i],
        cause:
            "The load balancer has as many backends as it may have. The backends of all Services that share it " +
            "count together.",
        remedy:
            "Give this Service a separate load balancer (remove alibaba-cloud-loadbalancer-id from a Service that " +
            "does not exist yet). Fewer backends help too: externalTrafficPolicy: Local, or " +
            "alibaba-cloud-loadbalancer-backend-label with Cluster. Or raise the quota (200 by default) in Quota " +
            "Center.",
    }),
    diagnosis("instances-per-server-quota", CLB_QUOTAS, {
        messages: [/(?:ecs|server|eni)\b.*\battached to\b.*\b(?:quota|limit|maximum)/i],
        cause:
            "A node is a backend of as many load balancers as the quota allows (50 by default). With " +
            "externalTrafficPolicy Cluster every Service adds every node.",
        remedy:
            "Set externalTrafficPolicy: Local or choose nodes with alibaba-cloud-loadbalancer-backend-label; or " +
            "raise the quota in Quota Center.",
    }),
    diagnosis("eni-on-shared-instance", FAQ, {
        messages: [/load ?balancer does not support backend servers of eni type/i],
        cause:
            "The load balancer is a shared-resource instance; those take no elastic network interfaces, so pods " +
            "cannot be its backends.",
        remedy:
            "Use a performance-guaranteed instance. For CCM versions before v2.5.0 set " +
            'alibaba-cloud-loadbalancer-spec: "slb.s1.small"; from v2.5.0 set ' +
            'alibaba-cloud-loadbalancer-instance-charge-type: "PayBySpec" with it, or leave both out and get ' +
            "PayByCLCU, which excludes spec. A reused instance is changed in the CLB console.",
    }),
    diagnosis("server-group-busy", CLB_API, {
        codes: BUSY_GROUP_CODES,
        messages: [/vserver ?group is (?:being )?process/i],
        cause:
            "The server group is being changed by another call: of a second run, of the sync controller, of CCM, or " +
            "in the console. The tries of this package are used up.",
        remedy:
            "Wait until the other change is done, then run again; it continues where this run stopped. If it comes " +
            "back, look for a second controller of the Service: ack-loadbalancer explain namespace/name.",
    }),
    diagnosis("no-backend", FAQ, {
        codes: ["UnAvailableLoadBalancer"],
        messages: [
            /there are no available nodes for (?:network)?load ?balancer/i,
            /no backend servers? (?:is|are) associated/i,
        ],
        cause:
            "No pod of the Service is ready, or its pods run only on nodes that are never backends (control plane, " +
            "excluded, not ready).",
        remedy:
            "Check that spec.selector matches running, ready pods (kubectl get endpointslices -l " +
            "kubernetes.io/service-name=<service>) and that they run on worker nodes.",
    }),
    diagnosis("eni-not-found", FAQ, {
        messages: [/can ?not find eni ?id for ip/i, /specified eni ip address (?:cannot|can not) be found/i],
        cause:
            "No network interface of the VPC has the pod's address: the cluster does not run Terway, whose pods " +
            "alone have addresses of the VPC.",
        remedy:
            'Remove the annotation service.beta.kubernetes.io/backend-type: eni, or say networkPlugin: "terway" ' +
            "only where the cluster runs Terway. If it does, check that vpcId is the cluster's VPC.",
    }),
    diagnosis("target-port-name", FAQ, {
        messages: [/specified port must be between 1 and 65535/i],
        cause:
            "With pods as backends the port of the backend is targetPort, and a name was given where the cloud " +
            "needs a number.",
        remedy: "Write spec.ports[].targetPort as an integer. CCM itself resolves names only in newer versions.",
    }),
    diagnosis("server-group-in-use", FAQ, {
        codes: ["RspoolVipExist", "RspoolRuleExist"],
        messages: [/there are (?:vips|rules) associating with this vserver group/i],
        cause:
            "A listener or a forwarding rule still sends traffic to the server group, so the group cannot be " +
            "deleted. This is usual on a reused load balancer (alibaba-cloud-loadbalancer-id), whose listeners " +
            "others may have pointed at the group.",
        remedy:
            "Delete the listener of the Service's port in the CLB console, or point it at another group; then run " +
            "again.",
    }),
    diagnosis("server-group-gone", CLB_API, {
        codes: ["ResourceNotFound.serverGroup"],
        messages: [/specified vservergroupid does not exist/i],
        cause: "The server group does not exist any more: it was deleted outside this package.",
        remedy: "Run pulumi refresh, then pulumi up: the group and its backends are made again.",
    }),
    diagnosis("backend-not-running", CLB_API, {
        codes: [
            "ObtainIpFail",
            "InvalidServerId.NotFound",
            "InvalidServerId.NotExist",
            "ResourceNotFound.vServers",
            "ResourceNotFound.Ecs",
            "ResourceNotFound.Eni",
        ],
        messages: [/backend servers? do not exist or are not running/i],
        cause:
            "A backend is not a running server that the load balancer can reach: it was stopped or released after " +
            "the cluster was read, or its id is not of this region.",
        remedy:
            "Run again, which reads the cluster again; if it stays, look for a node whose instance is stopped or " +
            "whose spec.providerID is wrong.",
    }),
    diagnosis("backend-other-vpc", CLB_API, {
        codes: ["InvalidBackendServers.Inconsistent"],
        messages: [/does not support the network type of the ecs instance/i],
        cause: "The backends are not all in the load balancer's VPC.",
        remedy:
            "Check that the nodes (or with Terway the pods) are in the VPC of the load balancer; a reused one " +
            "(alibaba-cloud-loadbalancer-id) has to be in the cluster's.",
    }),
    diagnosis("vgroup-port", ANNOTATIONS_DOCUMENT, {
        messages: [/can not find vgroup by name/i],
        cause: "The server group that a port of the Service needs was not found or could not be made.",
        remedy:
            "If alibaba-cloud-loadbalancer-vgroup-port is set, check that each group id exists on the load balancer " +
            "named by alibaba-cloud-loadbalancer-id.",
    }),
];

/** Symptoms that users see, without an error of an API. */
export const trafficSymptoms = [
    diagnosis("tls-intercepted", ANNOTATIONS_DOCUMENT, {
        messages: [/wrong version number/i],
        cause:
            "A client inside the cluster called the load balancer's address; kube-proxy sent the TLS traffic " +
            "straight to the pods' plain HTTP port, past the HTTPS listener.",
        remedy:
            "Call the Service's cluster address inside the cluster (<service>.<namespace>.svc.cluster.local). Where " +
            "the public name must be used, set alibaba-cloud-loadbalancer-hostname: then the traffic goes through " +
            "the load balancer.",
    }),
    diagnosis("no-events", FAQ, {
        messages: [/events:.*<none>/i],
        cause:
            "The Service has no events: events are kept for an hour only, CCM before v1.9.3.276-g372aa98-aliyun " +
            "writes none, and a run of this package writes EnsuredLoadBalancer once it has served the Service.",
        remedy:
            "For a Service of this package read the output of the last pulumi up: without a recent " +
            "EnsuredLoadBalancer no run has made or changed its address within the hour. For one of CCM upgrade " +
            "CCM, change the Service to have it synced again, and look once more; on a newer version open a ticket.",
    }),
    diagnosis("pending", FAQ, {
        messages: [/<pending>/i],
        cause: "The Service has no address yet: its load balancer is being made, or what makes it has failed.",
        remedy:
            "For a Service of this package run pulumi up and read its errors. For one of CCM read the events " +
            "(kubectl -n <namespace> describe svc <service>) and look their text up here; without events, upgrade " +
            "CCM.",
    }),
];
