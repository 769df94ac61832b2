/** Codes of diagnostics, a closed set. */

/** Problems of a manifest, the facts about a cluster or a component's arguments. */
export type InputCode =
    /** The text is not well-formed YAML. */
    | "manifest-syntax"
    /** A YAML document is well-formed but is not a Kubernetes object. */
    | "manifest-document"
    /** A fact about the cluster cannot be right. */
    | "cluster-facts"
    /** A component was given no Service, or more than one. */
    | "component-arguments"
    /** A file cannot be read, or a folder holds nothing to check. */
    | "input-unreadable"
    /** A saved preview is not what `pulumi preview --json` prints. */
    | "preview-format"
    /** The configuration of the policies names an unknown rule or setting, or a value that is not allowed. */
    | "policy-config"
    /** Two Services use one listener of a load balancer that they share. */
    | "listener-collision";

/** Problems of a Service apart from its annotations. */
export type ServiceCode =
    /** The Service is not of type LoadBalancer, so no load balancer belongs to it. */
    | "service-type"
    /** `spec.loadBalancerClass` names another controller, or a type that the cluster does not support. */
    | "service-class"
    /** Another controller manages the Service. */
    | "service-controller"
    /** A field of the Service is missing, has the wrong type, or has no effect behind a load balancer. */
    | "service-field"
    /** An entry of `spec.ports` is not valid. */
    | "service-port";

/** Problems of an annotation or a typed setting. */
export type AnnotationCode =
    /** The key has a prefix of this cloud but names no annotation. */
    | "annotation-unknown"
    /** The key has the legacy `alicloud-` prefix. */
    | "annotation-legacy"
    /** The value is not a string. */
    | "annotation-type"
    /** The value is empty and therefore counts as not set. */
    | "annotation-empty"
    /** The value still is a placeholder, for example `${VSWITCH_ID}`. */
    | "annotation-placeholder"
    /** The value is not among the allowed ones. */
    | "annotation-value"
    /** The Cloud Controller Manager reads the value; this version of the package does not support it. */
    | "annotation-unsupported"
    /** No document describes the annotation; it is known from the source of the Cloud Controller Manager. */
    | "annotation-undocumented"
    /** The Cloud Controller Manager version of the cluster does not know the annotation yet. */
    | "annotation-version"
    /** Another annotation has to be set together with this one. */
    | "annotation-companion"
    /** The annotation cannot be combined with another one, or with the cluster. */
    | "annotation-exclusion"
    /** The annotation applies to listeners or backends that this Service does not have. */
    | "annotation-scope"
    /** The value names a port that the Service does not have, or not with that protocol. */
    | "annotation-port"
    /** The value is allowed, but does something that its author may not expect. */
    | "annotation-effect"
    /** A typed setting and an annotation have different values. */
    | "setting-conflict";

/** Problems and notes about the reuse of a user-managed load balancer. */
export type ReuseCode =
    /** There is no such load balancer. */
    | "instance-missing"
    /** A cluster made the load balancer; it is deleted with the Service that it was made for. */
    | "instance-of-cluster"
    /** The load balancer is that of an API server. */
    | "instance-of-api-server"
    /** The load balancer is on the list of those that no Service may use. */
    | "instance-denied"
    /** The load balancer is locked, failed or being deleted. */
    | "instance-locked"
    /** The Service asks for another address type. */
    | "address-type"
    /** The Service asks for another IP version. */
    | "ip-version"
    /** The load balancer is in another VPC. */
    | "vpc"
    /** It is not known whether the load balancer is in the cluster's VPC. */
    | "vpc-unknown"
    /** An NLB is in another VPC than its server groups. */
    | "vpc-crossed"
    /** The Service asks for a value that only the owner of the load balancer sets. */
    | "fixed-setting"
    /** The Service asks for another instance charge type. */
    | "charge-type"
    /** A shared-performance CLB takes no network interfaces of pods. */
    | "shared-performance"
    /** The Service already has another load balancer. */
    | "bound-elsewhere"
    /** Another cluster uses the load balancer under the same cluster id. */
    | "cluster-id-taken"
    /** A server group with the name of the Service's is not its own. */
    | "name-taken"
    /** The listener belongs to another Service. */
    | "listener-of-service"
    /** The listener is one of a redirect. */
    | "listener-redirect"
    /** A user-managed listener is replaced. */
    | "listener-replaced"
    /** A user-managed listener has the port. */
    | "listener-taken"
    /** Listeners that are not forced stay user-managed. */
    | "listeners-unmanaged"
    /** There is no such vServer group. */
    | "group-missing"
    /** The vServer group is managed for a Service. */
    | "group-of-service"
    /** The vServer group is not of the load balancer, or holds other kinds of backends. */
    | "group-unfit"
    /** The load balancer is not as it was when the Service was attached. */
    | "instance-changed";

/** Problems that prevent the update or adoption of a load balancer. */
export type PlanCode =
    /** An immutable field is requested with another value than the established one. */
    | "immutable-field"
    /** Service and cloud differ in what a takeover cannot reconcile. */
    | "takeover-refused"
    /** Service and cloud differ in a value; a takeover needs permission to change it. */
    | "takeover-difference"
    /** Worth knowing about a takeover. */
    | "takeover-note"
    /** The account may not have as much in the cloud as the Services need. */
    | "quota";

/** Problems and notes about the backends of a Service. */
export type BackendCode =
    /** A server group has no backends. */
    | "no-backends"
    /** Pods run on a node that is never a backend. */
    | "node-skipped"
    /** A pod cannot be attached. */
    | "pod-skipped"
    /** Weights are limited to 100, so that shares of traffic are rounded. */
    | "weights-rounded"
    /** Pods at the edge cannot be reached. */
    | "edge-unreachable"
    /** Pods at the edge need a network between cloud and edge. */
    | "edge-link"
    /** Nodes outside the VPC are never backends. */
    | "edge-nodes-skipped";

/** A rule of the policy pack; the diagnostic names which. */
export type PolicyCode = "policy";
