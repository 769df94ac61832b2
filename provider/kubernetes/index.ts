/** The Kubernetes cluster: plain objects out, Service status in. */
export { openCluster, type ClusterReader } from "./reader";
export { SharedReads } from "./shared-reads";
export type { ClientOptions } from "./client";
export { isContent, type ClusterOptions } from "./cluster-options";
export { ClusterError, type ClusterErrorKind } from "./error";
export type * from "./types";
