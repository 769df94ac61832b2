/** Reader and writer of a Kubernetes cluster. */
export { openCluster, type ClusterReader } from "./reader";
export { SharedReads } from "./shared-reads";
export { isContent, type ClusterOptions } from "./kubeconfig";
export { ClusterError } from "./error";
