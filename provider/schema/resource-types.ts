import { componentType, dynamicType } from "./own-types";

/** Type tokens of resources, as states and previews have them. Rules and reports match on them without a cloud SDK. */

export const SERVICE_TYPE = componentType("ServiceLoadBalancer");
export const SHARED_TYPE = componentType("SharedLoadBalancer");

/** Established and requested immutable fields of a Service. */
export const CONTRACT_TYPE = dynamicType("ServiceContract");

/** Backends of server groups, by the group's key. */
export const BACKENDS_TYPE = dynamicType("Backends");

/** Use of a user-managed instance by a Service. */
export const REUSED_TYPE = dynamicType("ReusedLoadBalancer");

/** Check of the access control lists that a Service names. */
export const ACL_CHECK_TYPE = dynamicType("AclCheck");

/** Entries of the managed list of a Service's source ranges. */
export const ACL_ENTRIES_TYPE = dynamicType("AclEntries");

/** Service that a program or a chart applies. */
export const KUBERNETES_SERVICE_TYPE = "kubernetes:core/v1:Service";

export const CLB_INSTANCE_TYPE = "alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer";

/** The same, by the former name of the plugin. */
export const CLB_INSTANCE_FORMER_TYPE = "alicloud:slb/loadBalancer:LoadBalancer";

export const CLB_LISTENER_TYPE = "alicloud:slb/listener:Listener";
export const VSERVER_GROUP_TYPE = "alicloud:slb/serverGroup:ServerGroup";
export const VSERVER_GROUP_SERVER_TYPE = "alicloud:slb/serverGroupServerAttachment:ServerGroupServerAttachment";

/** Backends of an instance's default group. */
export const BACKEND_SERVER_TYPE = "alicloud:slb/backendServer:BackendServer";

/** The same, by another resource of the plugin. */
export const ATTACHMENT_TYPE = "alicloud:slb/attachment:Attachment";

export const ACL_TYPE = "alicloud:slb/acl:Acl";
export const ACL_ENTRY_TYPE = "alicloud:slb/aclEntryAttachment:AclEntryAttachment";
export const NLB_INSTANCE_TYPE = "alicloud:nlb/loadBalancer:LoadBalancer";
export const NLB_LISTENER_TYPE = "alicloud:nlb/listener:Listener";

/** Server group of NLB listeners. It belongs to the VPC, not to an instance. */
export const NLB_SERVER_GROUP_TYPE = "alicloud:nlb/serverGroup:ServerGroup";
export const NLB_SERVER_GROUP_SERVER_TYPE = "alicloud:nlb/serverGroupServerAttachment:ServerGroupServerAttachment";

export const NLB_TLS_POLICY_TYPE = "alicloud:nlb/securityPolicy:SecurityPolicy";
