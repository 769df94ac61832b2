import { redact } from "../net";

/**
 * Why the cluster gave no answer that can be used.
 * - invalid-kubeconfig: the kubeconfig is missing, cannot be read, or names no server.
 * - unreachable: no connection, no answer in time, or a certificate that is not trusted.
 * - unauthorized: the server does not know the caller (401, or the credential plugin failed).
 * - forbidden: the caller may not do this (403).
 * - not-found: the object or the kind is not there (404).
 * - conflict: the object was changed at the same time (409).
 * - other-object: an object of this name is there, with another UID: it was made anew, or this is another cluster.
 * - invalid: the server refuses the request as wrong (other 4xx), or what it answers is no Kubernetes object.
 * - failed: the server failed (5xx, 429) until the tries were used up, or its answer is not JSON.
 */
export type ClusterErrorKind =
    | "invalid-kubeconfig"
    | "unreachable"
    | "unauthorized"
    | "forbidden"
    | "not-found"
    | "conflict"
    | "other-object"
    | "invalid"
    | "failed";

const remedies: Readonly<Record<ClusterErrorKind, string>> = {
    "invalid-kubeconfig": "set KUBECONFIG to the cluster's kubeconfig file, or pass its path or content as kubeconfig",
    unreachable:
        "check that the API server's address can be reached from this machine (VPN, internal endpoint, security group) and that the kubeconfig's certificate authority is the cluster's",
    unauthorized:
        "get a new kubeconfig: its certificate or token is out of date or revoked, or its credential plugin failed",
    forbidden: "bind a ClusterRole of docs/ram-policy.md to this user",
    "not-found": "check namespace and name",
    conflict: "run again",
    "other-object":
        "correct kubeconfig or context if this is another cluster; if the object was deleted and made anew, run pulumi up --refresh",
    invalid:
        "check that the kubeconfig's server is a Kubernetes API server of version 1.21 or newer (discovery.k8s.io/v1)",
    failed: "run again later; look at the API server's health (kubectl get --raw /readyz?verbose)",
};

/** What is known of a failure. */
export interface ClusterFailure {
    readonly kind: ClusterErrorKind;
    /** What was being done, for instance `list nodes`. */
    readonly action: string;
    /** The API server's URL, which may hold a password. */
    readonly server?: string;
    readonly httpStatus?: number;
    /** What the server or the network answered. */
    readonly detail: string;
    readonly attempts?: number;
}

/** The cluster could not be read or written. Never turned into an empty list: missing knowledge must not look like missing backends. */
export class ClusterError extends Error {
    readonly kind: ClusterErrorKind;
    readonly action: string;
    readonly server?: string;
    readonly httpStatus?: number;
    /** What the server or the network answered, without secrets. */
    override readonly cause: string;
    readonly remedy: string;

    constructor(failure: ClusterFailure) {
        const cause = redact(failure.detail).trim();
        const remedy = remedies[failure.kind];
        const tries = failure.attempts !== undefined && failure.attempts > 1 ? ` (${failure.attempts} tries)` : "";
        const server = failure.server === undefined ? undefined : redact(failure.server);
        const at = server === undefined ? "" : ` at ${server}`;
        super(
            `Kubernetes: ${failure.action} failed${at}: ${failure.kind}${tries}\n  cause: ${cause}\n  remedy: ${remedy}`,
        );
        this.name = "ClusterError";
        this.kind = failure.kind;
        this.action = failure.action;
        this.cause = cause;
        this.remedy = remedy;
        if (server !== undefined) this.server = server;
        if (failure.httpStatus !== undefined) this.httpStatus = failure.httpStatus;
    }
}

/** The kind that an HTTP status stands for. */
export function kindOfStatus(status: number): ClusterErrorKind {
    if (status === 401) return "unauthorized";
    if (status === 403) return "forbidden";
    if (status === 404 || status === 410) return "not-found";
    if (status === 409) return "conflict";
    return status === 429 || status >= 500 ? "failed" : "invalid";
}
