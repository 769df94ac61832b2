import { shortLine } from "../net";
import { ignoring } from "../schema/defined";

/** Reasons why the cluster gave no usable answer, and their remedies. */
const REMEDIES = {
    /** The kubeconfig is missing, cannot be read, or names no server. */
    "invalid-kubeconfig": "set KUBECONFIG to the cluster's kubeconfig file, or pass its path or content as kubeconfig",
    /** The kubeconfig names a server without TLS on another machine. */
    unencrypted:
        "name the API server by https:// in the kubeconfig; only a proxy on the same machine (kubectl proxy) may be " +
        "named by http://",
    /** No connection, no answer in time, or a certificate that is not trusted. */
    unreachable:
        "check that the API server's address can be reached from this machine (VPN, internal endpoint, security " +
        "group) and that the kubeconfig's certificate authority is the cluster's",
    /** HTTP 401, or the credential plugin failed. */
    unauthorized:
        "get a new kubeconfig: its certificate or token is out of date or revoked, or its credential plugin failed",
    /** HTTP 403. */
    forbidden: "bind a ClusterRole of docs/ram-policy.md to this user",
    /** HTTP 404 and 410: no such object or kind. */
    "not-found": "check namespace and name",
    /** HTTP 409: the object was changed at the same time. */
    conflict: "run again",
    /** The object of this name has another UID: it was created again, or this is another cluster. */
    "other-object":
        "correct kubeconfig or context if this is another cluster; " +
        "if the object was deleted and created again, run pulumi up --refresh",
    /** Another HTTP 4xx, or an answer that is no Kubernetes object. */
    invalid:
        "check that the kubeconfig's server is a Kubernetes API server of version 1.21 or newer (discovery.k8s.io/v1)",
    /** HTTP 5xx and 429 in the last try, or an answer that is not JSON. */
    failed: "run again later; look at the API server's health (kubectl get --raw /readyz?verbose)",
};

export type ClusterErrorKind = keyof typeof REMEDIES;

interface Failure extends Pick<ClusterError, "kind" | "action" | "server" | "httpStatus"> {
    /** Answer of the server or the network. It is redacted, as the server's URL is. */
    readonly detail: string;
    readonly attempts?: number;
}

/** Failure to read or write the cluster. It is never turned into an empty list, which would look like no backends. */
export class ClusterError extends Error {
    readonly kind: ClusterErrorKind;
    /** For instance `list nodes`. */
    readonly action: string;
    /** URL of the API server, without a password. */
    readonly server?: string;
    readonly httpStatus?: number;
    /** Answer of the server or the network, without secrets. */
    override readonly cause: string;
    readonly remedy: string;

    constructor({ kind, action: asked, server: url, httpStatus, detail, attempts = 1 }: Failure) {
        const action = shortLine(asked);
        const cause = shortLine(detail);
        const remedy = REMEDIES[kind];
        const tries = attempts > 1 ? ` (${attempts} tries)` : "";
        const server = url === undefined ? undefined : shortLine(url);
        const at = server === undefined ? "" : ` at ${server}`;
        super(`Kubernetes: ${action} failed${at}: ${kind}${tries}\n  cause: ${cause}\n  remedy: ${remedy}`);
        this.name = "ClusterError";
        this.kind = kind;
        this.action = action;
        this.cause = cause;
        this.remedy = remedy;
        if (server !== undefined) this.server = server;
        if (httpStatus !== undefined) this.httpStatus = httpStatus;
    }
}

/** Waits for an answer, which is undefined if it fails for one of these reasons. */
export const ignoreKinds = <Answer>(kinds: readonly ClusterErrorKind[], answer: Promise<Answer>) =>
    ignoring((error) => error instanceof ClusterError && kinds.includes(error.kind), answer);

export function kindOfStatus(status: number): ClusterErrorKind {
    if (status === 401) return "unauthorized";
    if (status === 403) return "forbidden";
    if (status === 404 || status === 410) return "not-found";
    if (status === 409) return "conflict";
    return status === 429 || status >= 500 ? "failed" : "invalid";
}
