/** Type tokens of resources, as states and previews have them: rules and reports match on them, so that no cloud SDK is loaded. */

/** The component that users write. */
export const SERVICE_TYPE = "ack-loadbalancer:index:ServiceLoadBalancer";

/** The resource that holds the established and the requested immutable fields. */
export const CONTRACT_TYPE = "pulumi-nodejs:dynamic/ack-loadbalancer:ServiceContract";

/** The backends of a vServer group that this package manages. */
export const BACKENDS_TYPE = "pulumi-nodejs:dynamic/ack-loadbalancer:ServerGroupBackends";

/** One load balancer for several Services of a program. */
export const SHARED_TYPE = "ack-loadbalancer:index:SharedLoadBalancer";

/** A Service's use of a user-managed instance. */
export const REUSED_TYPE = "pulumi-nodejs:dynamic/ack-loadbalancer:ReusedLoadBalancer";

/** What takes the protection from an instance before it is deleted. */
export const RELEASE_TYPE = "pulumi-nodejs:dynamic/ack-loadbalancer:LoadBalancerRelease";

/** A look at the access control lists that a Service names. */
export const ACL_CHECK_TYPE = "pulumi-nodejs:dynamic/ack-loadbalancer:AclCheck";

/** The entries of a list that was made for a Service's source ranges. */
export const ACL_ENTRIES_TYPE = "pulumi-nodejs:dynamic/ack-loadbalancer:AclEntries";

/** The status of a Service. */
export const STATUS_TYPE = "pulumi-nodejs:dynamic/ack-loadbalancer:ServiceStatus";

/** A Service that a program or a chart applies. */
export const KUBERNETES_SERVICE_TYPE = "kubernetes:core/v1:Service";

/** A CLB instance. */
export const CLB_INSTANCE_TYPE = "alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer";

/** The same, by the plugin's former name. */
export const CLB_INSTANCE_FORMER_TYPE = "alicloud:slb/loadBalancer:LoadBalancer";

/** A listener of a CLB instance. */
export const CLB_LISTENER_TYPE = "alicloud:slb/listener:Listener";

/** A vServer group. */
export const VSERVER_GROUP_TYPE = "alicloud:slb/serverGroup:ServerGroup";

/** One backend of a vServer group. */
export const VSERVER_GROUP_SERVER_TYPE = "alicloud:slb/serverGroupServerAttachment:ServerGroupServerAttachment";

/** Backends of an instance's default group. */
export const BACKEND_SERVER_TYPE = "alicloud:slb/backendServer:BackendServer";

/** The same, by another resource of the plugin. */
export const ATTACHMENT_TYPE = "alicloud:slb/attachment:Attachment";

/** An access control list. */
export const ACL_TYPE = "alicloud:slb/acl:Acl";

/** One entry of an access control list. */
export const ACL_ENTRY_TYPE = "alicloud:slb/aclEntryAttachment:AclEntryAttachment";

/** An NLB instance. */
export const NLB_INSTANCE_TYPE = "alicloud:nlb/loadBalancer:LoadBalancer";

/** A listener of an NLB instance. */
export const NLB_LISTENER_TYPE = "alicloud:nlb/listener:Listener";

/** A server group of NLB listeners. It belongs to the VPC, not to an instance. */
export const NLB_SERVER_GROUP_TYPE = "alicloud:nlb/serverGroup:ServerGroup";

/** One server of such a group. */
export const NLB_SERVER_GROUP_SERVER_TYPE = "alicloud:nlb/serverGroupServerAttachment:ServerGroupServerAttachment";

/** A custom TLS policy for NLB listeners. */
export const NLB_TLS_POLICY_TYPE = "alicloud:nlb/securityPolicy:SecurityPolicy";
