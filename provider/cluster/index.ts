/** Reader and writer of a Kubernetes cluster. */
export { openCluster, type ClusterReader } from "./reader";
export { SharedReads } from "./shared-reads";
export type { ClientOptions } from "./client";
export { isContent, type ClusterOptions } from "./kubeconfig";
export { ClusterError, type ClusterErrorKind } from "./error";
export type * from "../service/objects";
