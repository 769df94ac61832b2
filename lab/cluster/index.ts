/**
 * A real Kubernetes control plane on 127.0.0.1, with kwok in the place of kubelets: nodes and pods are objects only.
 * See README.md beside this file.
 */
export { clusterStatus, startCluster, stopCluster } from "./cluster";
export type { Cluster, ClusterStatus, StartOptions } from "./cluster";
export { compactEtcd, killApiServer, startApiServer } from "./outage";
export { type Inventory, restoreInventory, takeInventory } from "./inventory";
export { installTools } from "./install";
export type { Tools } from "./sources";
export { DEFAULT_NETWORK, kubectlCache, type Network } from "./programs";
export type { ClusterState } from "./state";
export { ApiError, applyFile, applyYaml, Client, kubectl, waitFor } from "./client";
export type { PatchType } from "./client";
export { addNode, removeNode, setNodeReady, setPodReady, setSchedulable } from "./nodes";
export type { Node, NodeSpec } from "./nodes";
export { endpointSlices, scaleDeployment, waitForDeployment, waitForEndpoints } from "./workloads";
export type { Endpoint, EndpointSlice } from "./workloads";
