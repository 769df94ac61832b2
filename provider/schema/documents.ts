/** The documents that the rules follow, cited the same way everywhere. */

const CLB_TITLE = "Configure Classic Load Balancer (CLB) Using Annotations";

/** Alibaba Cloud, Container Service for Kubernetes: the annotations of a CLB. */
export const clbDocument = (section: string): string => `${CLB_TITLE}, "${section}"`;

/** What the same document says before its first section. */
export const CLB_INTRODUCTION = `${CLB_TITLE}, introduction`;

/** Alibaba Cloud, Container Service for Kubernetes: what is created, updated and deleted when. */
export const notesDocument = (section: string): string =>
    `Notes on service load balancing configuration and CCM resource update policies, "${section}"`;

/** Alibaba Cloud, Container Service for Kubernetes: questions and answers. */
export const faqDocument = (section: string): string => `FAQ about Services, "${section}"`;

/** Alibaba Cloud, Container Service for Kubernetes: clusters with edge nodes. */
export const edgeDocument = (section: string): string =>
    `Use LoadBalancer Services to expose applications in ACK Edge clusters, "${section}"`;

const NLB_TITLE = "Configure Network Load Balancer (NLB) Using Annotations";

/** Alibaba Cloud, Container Service for Kubernetes: the annotations of an NLB. */
export const nlbDocument = (section: string): string => `${NLB_TITLE}, "${section}"`;

/** What both documents of annotations say before their first sections. */
export const INTRODUCTIONS = `${CLB_INTRODUCTION}; ${NLB_TITLE}, introduction`;

/** Alibaba Cloud, Container Service for Kubernetes: what changed from version to version. */
export const RELEASE_NOTES = "Cloud Controller Manager, release notes";

/** The annotations that the open-source Cloud Controller Manager reads. */
export const CCM_SOURCE = "kubernetes/cloud-provider-alibaba-cloud, pkg/controller/service/reconcile/annotation";
