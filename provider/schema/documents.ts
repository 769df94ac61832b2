const CLB_TITLE = "Configure Classic Load Balancer (CLB) Using Annotations";

export const clbDocument = (section: string): string => `${CLB_TITLE}, "${section}"`;

export const CLB_INTRODUCTION = `${CLB_TITLE}, introduction`;

export const notesDocument = (section: string): string =>
    `Notes on service load balancing configuration and CCM resource update policies, "${section}"`;

export const faqDocument = (section: string): string => `FAQ about Services, "${section}"`;

export const edgeDocument = (section: string): string =>
    `Use LoadBalancer Services to expose applications in ACK Edge clusters, "${section}"`;

const NLB_TITLE = "Configure Network Load Balancer (NLB) Using Annotations";

export const nlbDocument = (section: string): string => `${NLB_TITLE}, "${section}"`;

export const INTRODUCTIONS = `${CLB_INTRODUCTION}; ${NLB_TITLE}, introduction`;

export const RELEASE_NOTES = "Cloud Controller Manager, release notes";

export const releaseNotes = (version: string): string => `${RELEASE_NOTES}, "${version}"`;

/** Annotations that the open-source Cloud Controller Manager reads. */
export const CCM_SOURCE = "kubernetes/cloud-provider-alibaba-cloud, pkg/controller/service/reconcile/annotation";
