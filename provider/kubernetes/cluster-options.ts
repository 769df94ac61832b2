/** How a cluster is reached. The types of the Kubernetes client are kept out of here, since every program that type-checks this package would need all of theirs. */
import type * as http from "node:http";

/** Which cluster to speak to. */
export interface ClusterOptions {
    /** Path or content of a kubeconfig. Default: `KUBECONFIG` (several files are merged), else `~/.kube/config`, else the pod's service account. */
    readonly kubeconfig?: string;
    /** Context of the kubeconfig. Default: its current context. */
    readonly context?: string;
}

/** What one request needs: it may change with time, because tokens do. */
export interface Access {
    readonly agent: http.Agent;
    readonly headers: Readonly<Record<string, string>>;
}

/** A server and the way to be let in. */
export interface Connection {
    readonly server: string;
    access(): Promise<Access>;
}

/** Whether a kubeconfig is given as text. A path has no line end and does not begin like YAML or JSON. */
export function isContent(kubeconfig: string): boolean {
    return kubeconfig.includes("\n") || /^\s*(?:\{|apiVersion:|kind:|clusters:)/.test(kubeconfig);
}
