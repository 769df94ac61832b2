import { rule } from "../core";

const CREATE = "CLB API CreateLoadBalancerTCPListener, error codes";

export const PORT_FREE = rule({
    id: "slb.listener.port-free",
    code: "ListenerAlreadyExists",
    message: "There is already a listener bound to the port on the specified load balancer.",
    when: "another listener has the port; a UDP listener may share its number with one TCP, HTTP or HTTPS listener",
    source: "testdata/alicloud-plugin (li-exists, li-two-same-port); ACK annotation reference, TCP and UDP on one port",
    enforcement: "always",
});

export const LISTENER_QUOTA = rule({
    id: "slb.listener.quota",
    code: "ListenerNumberOverLimit",
    message: "The maximum number of listeners is exceeded.",
    when: "the instance would have more listeners than `quotas.listenersPerLoadBalancer`",
    source: "CLB quotas (slb_quota_listeners_num); CLB API, common error codes",
});

export const TARGET_GIVEN = rule({
    id: "slb.listener.target-given",
    code: "MissingParameter",
    message: "The BackendServerPort or VServerGroupId is required at lease one.",
    when: "a listener is created with neither a group nor a backend port",
    source: CREATE,
});

export const ONE_TARGET = rule({
    id: "slb.listener.one-target",
    code: "Abs.VServerGroupIdAndMasterSlaveServerGroupId.MissMatch",
    message: "The parameters VServerGroupId or MasterSlaveServerGroupId miss match.",
    when: "a vServer group and a master-slave group are given together",
    source: CREATE,
});

export const GROUP_OF_INSTANCE = rule({
    id: "slb.listener.group-of-instance",
    code: "InvalidParam.VServerGroupId",
    message: "The specified VServerGroupId is invalid.",
    when: "the vServer group belongs to another instance",
    source: CREATE,
});

export const ACL_GIVEN = rule({
    id: "slb.listener.acl-given",
    code: "MissingParameter",
    message: "The parameter %s is required when AclStatus is on.",
    when: "access control is on without AclId or AclType",
    source: "CLB API CreateLoadBalancerTCPListener, parameters AclId and AclType",
});

export const ACL_IP_VERSION = rule({
    id: "slb.listener.acl-ip-version",
    code: "IpVersionConflict",
    message: "The ip version of this LoadBalancer and the Acl is conflict.",
    when: "ACL and instance differ in their IP version",
    source: CREATE,
});

export const STICKY_COMPLETE = rule({
    id: "slb.listener.sticky-complete",
    code: "MissingParameter",
    message: "The parameter %s is required.",
    when:
        "StickySession is on without StickySessionType, " +
        "type insert without CookieTimeout, or type server without Cookie",
    source: "CLB API CreateLoadBalancerHTTPListener, parameters StickySessionType, CookieTimeout, Cookie",
});

export const COOKIE_FORM = rule({
    id: "slb.listener.cookie-form",
    code: "InvalidParameter",
    message: "The specified parameter Cookie is not valid.",
    when: "the cookie holds `,`, `;` or a space, starts with `$`, or is not ASCII",
    source: "CLB API CreateLoadBalancerHTTPListener, parameter Cookie",
});

export const DRAIN_COMPLETE = rule({
    id: "slb.listener.drain-complete",
    code: "MissingParameter",
    message: "The parameter ConnectionDrainTimeout is required.",
    when: "ConnectionDrain is on without ConnectionDrainTimeout",
    source: "CLB API CreateLoadBalancerTCPListener, parameter ConnectionDrainTimeout",
});

export const HEALTH_URI_FORM = rule({
    id: "slb.listener.health-uri",
    code: "InvalidParameter",
    message: "The specified parameter HealthCheckURI is not valid.",
    when: "the URI does not start with `/` or holds other than letters, digits and `-/.%?#&_=`",
    source: "CLB API CreateLoadBalancerTCPListener, parameter HealthCheckURI",
});

export const HEALTH_CODES = rule({
    id: "slb.listener.health-codes",
    code: "InvalidParameter",
    message: "The specified parameter HealthCheckHttpCode is not valid.",
    when: "the list holds anything but http_2xx, http_3xx, http_4xx, http_5xx",
    source: "CLB API CreateLoadBalancerTCPListener, parameter HealthCheckHttpCode",
});

export const HEALTH_DOMAIN = rule({
    id: "slb.listener.health-domain",
    code: "InvalidParameter",
    message: "The specified parameter HealthCheckDomain is not valid.",
    when: "the domain is neither `$_ip` nor 1 to 80 letters, digits, dots and hyphens",
    source: "CLB API CreateLoadBalancerTCPListener, parameter HealthCheckDomain",
});

export const CERTIFICATE_GIVEN = rule({
    id: "slb.listener.certificate-given",
    code: "MissingParam.ServerCertificateId",
    message: "The parameter ServerCertificateId is required.",
    when: "an HTTPS listener has no server certificate",
    source: "CLB API CreateLoadBalancerHTTPSListener, parameter ServerCertificateId",
    enforcement: "always",
});

export const CERTIFICATE_EXISTS = rule({
    id: "slb.listener.certificate-exists",
    code: "CertificateNotExist",
    message: "The specified certificate does not exist.",
    when: "the server or CA certificate of an HTTPS listener is unknown",
    source: "testdata/alicloud-plugin (README, retry rules of slb.Listener)",
});

export const CERTIFICATE_VALID = rule({
    id: "slb.listener.certificate-valid",
    code: "CertificateExpired",
    message: "The specified certificate has expired.",
    when: "an HTTPS listener is given a certificate whose time is over",
    source: "ACK FAQ: updating an HTTPS listener to an expired certificate fails (the code is this lab's)",
});

export const TLS_POLICY_KNOWN = rule({
    id: "slb.listener.tls-policy",
    code: "TLSCipherPolicyNotExist",
    message: "The specified TLSCipherPolicy %s does not exist.",
    when: "the policy is none of those that every account has",
    source: "CLB API CreateLoadBalancerHTTPSListener, parameter TLSCipherPolicy",
});

export const FORWARD_COMPLETE = rule({
    id: "slb.listener.forward-complete",
    code: "MissingParameter",
    message: "The parameter ForwardPort is required.",
    when: "ListenerForward is on without ForwardPort",
    source: "CLB API CreateLoadBalancerHTTPListener, parameter ForwardPort",
});

export const FORWARD_TARGET = rule({
    id: "slb.listener.forward-target",
    code: "InvalidParameter.ForwardPort",
    message: "The HTTPS listener of the specified ForwardPort does not exist.",
    when: "an HTTP listener is to redirect to a port that has no HTTPS listener",
    source: "ACK annotation reference, forward-port (the code is this lab's)",
});

export const NOT_FORWARD_TARGET = rule({
    id: "slb.listener.not-forward-target",
    code: "OperationDenied.ListenerForward",
    message: "The listener is the forward target of another listener.",
    when: "an HTTPS listener is deleted while an HTTP listener redirects to it",
    source: "kubernetes/cloud-provider-alibaba-cloud deletes redirecting listeners first (the code is this lab's)",
});

export const FORWARD_FIXED = rule({
    id: "slb.listener.forward-fixed",
    code: "OperationFailed.ListenerForward",
    message: "The forward configuration of a listener can not be changed.",
    when: "ListenerForward or ForwardPort of an existing listener is set to another value",
    source:
        "kubernetes/cloud-provider-alibaba-cloud replaces a redirecting " +
        "listener instead of changing it (the code is this lab's)",
});

export const BANDWIDTH_SUM = rule({
    id: "slb.listener.bandwidth-sum",
    code: "InvalidParameter",
    message: "The specified Bandwidth is invalid. It exceeds the maximum bandwidth available to the instance.",
    when: "the bandwidths of all listeners exceed that of an instance charged by bandwidth",
    source: "CLB API, common error codes; CreateLoadBalancerTCPListener, parameter Bandwidth",
});

export const HASH_NEEDS_GUARANTEED = rule({
    id: "slb.listener.hash-scheduler-spec",
    code: "InvalidParameterValue.SpecNotSupport",
    message: "The loadBalancer of shared spec does not support the parameter value, %s.",
    when: "sch, tch or qch on a shared-resource instance",
    source: CREATE,
});

export const SCHEDULER_FIXED = rule({
    id: "slb.listener.scheduler-change",
    code: "OperationFailed.ActionNotSupport",
    message: "The loadbalancer does not support such action.",
    when: "the scheduler changes from wrr or rr to a hash, or from one hash to another",
    source:
        "CLB API SetLoadBalancerTCPListenerAttribute, parameter Scheduler; " +
        "the ACK annotation reference calls every change possible, so off unless switched on",
    enforcement: "off",
});
