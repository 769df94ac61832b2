import { type ClusterReader, openCluster } from "../../kubernetes";
import { defined } from "../../schema/defined";

/** Which cluster an object is in, as a reference that may be kept. */
export interface ClusterReference {
    /** Path of the kubeconfig; absent = as kubectl finds it. */
    readonly kubeconfig?: string;
    /** Context of the kubeconfig; absent = its current one. */
    readonly context?: string;
}

/** Opens the cluster that an object is in. */
export function openReference({ kubeconfig, context }: ClusterReference): ClusterReader {
    return openCluster({
        ...defined({ kubeconfig, context }),
    });
}
