/** Codes of diagnostics, a closed set. */

/** Problems of a manifest, the facts about a cluster or a component's arguments. */
export type InputCode =
    | "manifest-syntax"
    | "manifest-document"
    | "cluster-facts"
    /** A component was given no Service, or several. */
    | "component-arguments"
    /** A file cannot be read, or a folder holds nothing to check. */
    | "input-unreadable"
    | "preview-format"
    /** The configuration of the policies names an unknown rule or setting, or a value that is not allowed. */
    | "policy-config"
    /** Two Services use the same listener of a load balancer that they share. */
    | "listener-collision";

/** Problems of a Service apart from its annotations. */
export type ServiceCode =
    /** The Service is not of type LoadBalancer, so no load balancer belongs to it. */
    | "service-type"
    /** `spec.loadBalancerClass` names another controller, or a type that the cluster does not support. */
    | "service-class"
    | "service-controller"
    /** A field of the Service is missing, has the wrong type, or has no effect behind a load balancer. */
    | "service-field"
    | "service-port";

/** Problems of an annotation or a typed setting. */
export type AnnotationCode =
    /** The key has a prefix of this cloud but names no annotation. */
    | "annotation-unknown"
    | "annotation-legacy"
    | "annotation-type"
    | "annotation-empty"
    | "annotation-placeholder"
    | "annotation-value"
    /** The Cloud Controller Manager reads the value, but this version of the package does not support it. */
    | "annotation-unsupported"
    /** No document describes the annotation, which is known from the source of the Cloud Controller Manager. */
    | "annotation-undocumented"
    /** The Cloud Controller Manager version of the cluster does not know the annotation yet. */
    | "annotation-version"
    | "annotation-companion"
    /** The annotation cannot be combined with another, or with the cluster. */
    | "annotation-exclusion"
    /** The annotation applies to listeners or backends that this Service does not have. */
    | "annotation-scope"
    /** The value names a port that the Service does not have, or not with that protocol. */
    | "annotation-port"
    /** The value is allowed, but does something that its author may not expect. */
    | "annotation-effect"
    | "setting-conflict";

/** Problems and notes about the reuse of a user-managed load balancer. */
export type ReuseCode =
    | "instance-missing"
    /** A cluster made the load balancer, which is deleted with the Service that it was made for. */
    | "instance-of-cluster"
    | "instance-of-api-server"
    | "instance-denied"
    /** The load balancer is locked, failed or being deleted. */
    | "instance-locked"
    | "address-type"
    | "ip-version"
    | "vpc"
    | "vpc-unknown"
    /** An NLB is in another VPC than its server groups. */
    | "vpc-crossed"
    /** The Service asks for a value that only the owner of the load balancer sets. */
    | "fixed-setting"
    | "charge-type"
    /** A shared-performance CLB takes no network interfaces of pods. */
    | "shared-performance"
    /** The Service already has another load balancer. */
    | "bound-elsewhere"
    /** Another cluster uses the load balancer under the same cluster id. */
    | "cluster-id-taken"
    /** A server group with the name of the Service's is not its own. */
    | "name-taken"
    | "listener-of-service"
    | "listener-redirect"
    | "listener-replaced"
    | "listener-taken"
    /** Listeners that are not forced stay user-managed. */
    | "listeners-unmanaged"
    | "group-missing"
    | "group-of-service"
    /** The vServer group is not of the load balancer, or holds other kinds of backends. */
    | "group-unfit"
    /** The load balancer is not as it was when the Service was attached. */
    | "instance-changed";

/** Problems that prevent the update or adoption of a load balancer. */
export type PlanCode =
    /** An immutable field is requested with another value than the established value. */
    | "immutable-field"
    /** The account may not have as much in the cloud as the Services need. */
    | "quota";

/** Problems and notes about the backends of a Service. */
export type BackendCode =
    | "no-backends"
    /** Pods run on a node that is never a backend. */
    | "node-skipped"
    | "pod-skipped"
    /** No pod has a named target port. */
    | "port-unnamed"
    /** Weights are limited to 100, so shares of traffic are rounded. */
    | "weights-rounded"
    | "edge-unreachable"
    /** Pods at the edge need a network between cloud and edge. */
    | "edge-link"
    /** Nodes outside the VPC are never backends. */
    | "edge-nodes-skipped";

/** A rule of the policy pack, which the diagnostic names. */
export type PolicyCode = "policy";
