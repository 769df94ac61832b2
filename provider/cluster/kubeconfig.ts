/**
 * Options of a cluster, and a reader of the kubeconfigs that the ACK console issues: one file, one user with a
 * certificate or a token. The Kubernetes client, which reads all others, takes 0.4 s to load in each process. Its types
 * must not appear here: users who type-check this package do not have them all.
 */
import type * as http from "node:http";
import { parse } from "yaml";
import { z } from "zod";
import { unlessThrown } from "../schema/defined";

export interface ClusterOptions {
    /**
     * Path or content of a kubeconfig. Default: `KUBECONFIG` (several files are merged), else `~/.kube/config`, else
     * the pod's service account.
     */
    readonly kubeconfig?: string;
    /** Context of the kubeconfig. Default: its current context. */
    readonly context?: string;
}

export interface Connection {
    readonly server: string;
    /** Returns agent and headers of a request. Tokens change with time. */
    access(): Promise<{ readonly agent: http.Agent; readonly headers: Readonly<Record<string, string>> }>;
}

/** True if a kubeconfig is given as text. A path has no line end and does not begin like YAML or JSON. */
export function isContent(kubeconfig: string): boolean {
    return kubeconfig.includes("\n") || /^\s*(?:\{|apiVersion:|kind:|clusters:)/.test(kubeconfig);
}

const base64 = z
    .base64()
    .min(1)
    .transform((text) => Buffer.from(text, "base64"));

const text = z.string().min(1);

const KUBECONFIG = z.looseObject({
    "current-context": z.string().optional(),
    contexts: z.array(z.looseObject({ name: text, context: z.looseObject({ cluster: text, user: text }) })),
    clusters: z.array(z.looseObject({ name: text, cluster: z.looseObject({ server: text }) })),
    users: z.array(z.looseObject({ name: text, user: z.unknown() })),
});

// Strict: a setting that is unknown here, such as a proxy or a credential plugin, is left to the Kubernetes client.
const CLUSTER = z.strictObject({ server: text, "certificate-authority-data": base64.optional() });
const USER = z.union([
    z.strictObject({ "client-certificate-data": base64, "client-key-data": base64 }),
    z.strictObject({ token: text }),
]);

/**
 * Reads server and credentials of a plain kubeconfig, or undefined if it is wrong or not plain.
 *
 * @param context name of the context. Default, also if it is empty: the current context
 */
export function readPlainKubeconfig(content: string, context: string | undefined) {
    const config = KUBECONFIG.safeParse(parsed(content)).data;
    if (config === undefined) return undefined;
    const chosen = only(config.contexts, context || config["current-context"])?.context;
    const cluster = CLUSTER.safeParse(only(config.clusters, chosen?.cluster)?.cluster).data;
    const user = USER.safeParse(only(config.users, chosen?.user)?.user).data;
    if (cluster === undefined || user === undefined) return undefined;
    const server = { server: cluster.server, ca: cluster["certificate-authority-data"] };
    if ("token" in user) return { ...server, cert: undefined, key: undefined, token: user.token };
    return { ...server, cert: user["client-certificate-data"], key: user["client-key-data"], token: undefined };
}

const TOKEN_FILE = z.looseObject({ tokenFile: text });

/** Returns the file of a user's token, if it has one. */
export function tokenFileOf(content: string, user: string | undefined): string | undefined {
    const { users = [] } = KUBECONFIG.pick({ users: true }).safeParse(parsed(content)).data ?? {};
    return TOKEN_FILE.safeParse(only(users, user)?.user).data?.tokenFile;
}

// Warnings would go to the program's output.
const parsed = (content: string): unknown => unlessThrown(() => parse(content, { logLevel: "error" }) as unknown);

/** Returns the only entry with a name, or undefined if there are none or several. */
function only<Entry extends { readonly name: string }>(entries: readonly Entry[], name: string | undefined) {
    const named = entries.filter((entry) => entry.name === name);
    return named.length === 1 ? named[0] : undefined;
}
