import { ANNOTATIONS_DOCUMENT, CLB_API, CLB_QUOTAS, diagnosis, FAQ, FAQ_REUSE } from "./row";

/** Errors about listeners, certificates and access control lists. */
export const listenerErrors = [
    diagnosis("listener-port-taken", FAQ_REUSE, {
        codes: ["ListenerAlreadyExists", /^ResourceAlreadyExist\.[Ll]istener/],
        messages: [/listener with the specified port already exists/i],
        cause: "The load balancer already has a listener on this port that does not belong to the Service.",
        remedy:
            "Use another port or another load balancer. On a reused one, " +
            'alibaba-cloud-loadbalancer-force-override-listeners: "true" replaces the listener: only do that if ' +
            "nothing uses the port any more.",
    }),
    diagnosis("listener-quota", CLB_QUOTAS, {
        codes: ["ListenerNumberOverLimit", "VipTooManyListeners"],
        messages: [/quota of .*listeners?/i],
        cause: "The load balancer has as many listeners as it may have (50 by default).",
        remedy: "Give the Service fewer ports or a separate load balancer, or raise the quota in Quota Center.",
    }),
    diagnosis("certificate-missing", ANNOTATIONS_DOCUMENT, {
        codes: [
            "CertificateNotExist",
            "ServerCertificateId.NotExist",
            /^(?:Server)?Certificate(?:Id)?\.?Not(?:Exist|Found)/,
            /^ResourceNotFound\.[Cc]ert/,
        ],
        messages: [
            /specified (?:server ?)?certificate(?:id)?\b.*\b(?:does not|not) exist/i,
            /specified parameter ServerCertificateId is not valid/i,
        ],
        cause:
            "There is no server certificate with the id given for an HTTPS (CLB) or TCPSSL (NLB) listener in this " +
            "region of this account.",
        remedy:
            "Check alibaba-cloud-loadbalancer-cert-id (and the certificates of " +
            "alibaba-cloud-loadbalancer-domain-extensions): a CLB certificate id has the form <account>_<id> and " +
            "belongs to one region; upload it there first. An NLB uses certificates of Certificate Management " +
            "Service, whose ids have the form <number>-<region>, also in cacert-id.",
    }),
    diagnosis("certificate-expired", ANNOTATIONS_DOCUMENT, {
        codes: [/Certificate\.?(?:Is)?Expired/i],
        messages: [/certificate\b.*\b(?:has )?expired/i],
        cause: "The certificate of an HTTPS listener is out of date; the cloud refuses to use it again.",
        remedy:
            "Upload the renewed certificate and put its id into alibaba-cloud-loadbalancer-cert-id: the listener is " +
            "changed in place.",
    }),
    diagnosis("certificate-in-use", CLB_API, {
        codes: ["CertificateAndPrivateKeyIsRefered", "CACertificateIsRefered"],
        cause: "A certificate cannot be deleted while a listener or a domain extension uses it.",
        remedy:
            "Let every listener use another certificate first (alibaba-cloud-loadbalancer-cert-id, " +
            "alibaba-cloud-loadbalancer-domain-extensions), then delete it.",
    }),
    diagnosis("acl-missing", CLB_API, {
        codes: ["AclNotExist", "InvalidAclId.NotFound"],
        cause: "There is no access control list with this id in this region.",
        remedy:
            "Check alibaba-cloud-loadbalancer-acl-id; the list must exist in the load balancer's region. If the list " +
            "of spec.loadBalancerSourceRanges was deleted, run pulumi up --replace with the URN of the Service's " +
            "alicloud:slb/acl:Acl: a refresh fails for a list that is gone.",
    }),
    diagnosis("listener-gone", CLB_API, {
        codes: ["ListenerNotFound", "ResourceNotFound.listener"],
        messages: [/specified resource does not exist/i],
        cause: "The listener does not exist any more: it was deleted outside this package.",
        remedy: "Run pulumi refresh, then pulumi up: the listener is made again.",
    }),
];

export const networkErrors = [
    diagnosis("other-vpc", FAQ, {
        codes: ["NetworkConflict"],
        cause: "The internal load balancer named by alibaba-cloud-loadbalancer-id is in another VPC than the cluster.",
        remedy: "Name a load balancer of the cluster's VPC. Only an NLB can be reused across VPCs.",
    }),
    diagnosis("vswitch-full", FAQ, {
        codes: ["VSwitchAvailableIpNotExist"],
        messages: [/specified vswitch has no available ip/i],
        cause: "The vSwitch has no free address left for the load balancer.",
        remedy:
            "Set alibaba-cloud-loadbalancer-vswitch-id to another vSwitch of the same VPC. It is used when the load " +
            "balancer is created.",
    }),
    diagnosis("vswitch-missing", FAQ, {
        codes: ["InvalidVSwitchId.NotFound", "InvalidVswitchID.NotFound"],
        messages: [/specified vswitch(?:id)? does not exist/i, /vpc subnet is not exist/i],
        cause:
            "There is no vSwitch with this id in this region: alibaba-cloud-loadbalancer-vswitch-id is wrong, or " +
            "the cluster's own vSwitch was deleted.",
        remedy: "Set alibaba-cloud-loadbalancer-vswitch-id to a vSwitch of the cluster's VPC that exists.",
    }),
];
