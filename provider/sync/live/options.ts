/** How the process of the controller runs. */
import type { LogLevel } from "./log";

/** How the controller runs. */
export interface SyncOptions {
    readonly kubeconfig?: string;
    readonly context?: string;
    /** Namespace of the Lease. */
    readonly namespace: string;
    /** Id of the cluster in ownership marks; undefined: the one that the cluster says of itself. */
    readonly clusterId?: string;
    /** User-managed server groups that bindings may fill, as `<namespace>/<id>`. */
    readonly userManagedGroups: readonly string[];
    /** Name of the Lease, and of the resources that the manifests install. */
    readonly leaseName: string;
    /** Seconds between two reads of every group. */
    readonly resyncSeconds: number;
    /** Port of health and figures; 0 = none. */
    readonly port: number;
    /** Whether readiness gates of pods are set. */
    readonly readinessGates: boolean;
    readonly once: boolean;
    readonly dryRun: boolean;
    readonly logLevel: LogLevel;
}
