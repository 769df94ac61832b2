import * as fs from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import * as os from "node:os";
import * as path from "node:path";
import * as tls from "node:tls";
import type { KubeConfig } from "@kubernetes/client-node";
import { firstLine } from "../net";
import { defined, unlessThrown } from "../schema/defined";
import { ClusterError } from "./error";
import { type ClusterOptions, type Connection, isContent, readPlainKubeconfig, tokenFileOf } from "./kubeconfig";

/** Connects by a kubeconfig. @throws ClusterError of kind "invalid-kubeconfig" */
export async function connect(options: ClusterOptions): Promise<Connection> {
    return plainConnection(options) ?? clientConnection(options);
}

/** Returns undefined if the kubeconfig needs the Kubernetes client. */
function plainConnection({ kubeconfig, context }: ClusterOptions): Connection | undefined {
    const content = contentOf(kubeconfig);
    const plain = content === undefined ? undefined : readPlainKubeconfig(content, context);
    if (plain === undefined) return undefined;
    const { token, ca, cert, key } = plain;
    const server = checkedServer(plain.server);
    const headers = checkedHeaders(token === undefined ? {} : { Authorization: `Bearer ${token}` });
    const access = { agent: keepAliveAgent(server, { ca, cert, key }), headers };
    return { server, access: () => Promise.resolve(access) };
}

/** Returns undefined for several kubeconfigs, none, or a file that cannot be read. */
const contentOf = (kubeconfig: string | undefined): string | undefined =>
    kubeconfig && isContent(kubeconfig) ? kubeconfig : unlessThrown(() => fs.readFileSync(pathsOf(kubeconfig), "utf8"));

const pathsOf = (kubeconfig: string | undefined): string =>
    kubeconfig ? expanded(kubeconfig) : process.env["KUBECONFIG"] || path.join(homeFolder() ?? "", ".kube", "config");

/** Expands `~` in a path that a person wrote. In KUBECONFIG it is a plain character. */
const expanded = (file: string): string => file.replace(/^~(?=\/)/, homeFolder() ?? "~");

function checkedServer(given: string): string {
    const server = given.replace(/\/+$/, "");
    if (!URL.canParse(server)) throw invalid(`the server "${server}" is not a URL`);
    return server;
}

/**
 * Returns an agent that keeps connections open, unlike that of the Kubernetes client, which opens a connection for each
 * request. Its connections share what is made of the certificates.
 */
function keepAliveAgent(server: string, { ca, cert, key, ...options }: https.AgentOptions): http.Agent {
    if (!server.startsWith("https:")) return new http.Agent({ keepAlive: true });
    try {
        return new https.Agent({
            keepAlive: true,
            secureContext: tls.createSecureContext({ ca, cert, key }),
            ...options,
        });
    } catch (error) {
        throw invalid(`client certificate and key cannot be read: ${firstLine(error)}`);
    }
}

/** A token that was copied from a terminal may contain line breaks, for which Node's own error has no remedy. */
function checkedHeaders(headers: Record<string, string>): Record<string, string> {
    try {
        for (const [name, value] of Object.entries(headers)) http.validateHeaderValue(name, value);
    } catch {
        throw invalid("the token holds a line break or another character that a header cannot hold");
    }
    return headers;
}

/** Connects by the Kubernetes client, which reads several kubeconfigs, credential plugins and proxies. */
async function clientConnection(options: ClusterOptions): Promise<Connection> {
    const config = await loadKubeConfig(options);
    const cluster = config.getCurrentCluster();
    if (!cluster?.server)
        throw invalid(`the context "${config.getCurrentContext() || "(none)"}" names no cluster with a server`);
    const server = checkedServer(cluster.server);
    let cached: { readonly identity: string; readonly agent: http.Agent } | undefined;
    return {
        server,
        async access() {
            const opts: https.RequestOptions & { headers: Record<string, string> } = { headers: {} };
            try {
                await config.applyToHTTPSOptions(opts);
            } catch (error) {
                const detail = firstLine(error);
                throw new ClusterError({ kind: "unauthorized", action: "get credentials", server, detail });
            }
            const { auth, headers, ca, cert, key, rejectUnauthorized, servername } = opts;
            if (auth) headers["Authorization"] = `Basic ${Buffer.from(auth).toString("base64")}`;
            checkedHeaders(headers);
            if (cluster.proxyUrl && opts.agent instanceof http.Agent) return { agent: opts.agent, headers };
            // A client certificate may be renewed.
            const identity = JSON.stringify([String(cert), String(key)]);
            if (cached?.identity !== identity) {
                const tlsOptions = { ca, cert, key, servername, ...defined({ rejectUnauthorized }) };
                cached = { identity, agent: keepAliveAgent(server, tlsOptions) };
            }
            return { agent: cached.agent, headers };
        },
    };
}

/** Loads the kubeconfig of the Kubernetes client. @throws ClusterError of kind "invalid-kubeconfig" */
export async function loadKubeConfig({ kubeconfig, context }: ClusterOptions): Promise<KubeConfig> {
    const { KubeConfig } = await import("@kubernetes/client-node");
    const config = new KubeConfig();
    try {
        if (!kubeconfig) {
            // Without any source the client falls back to http://localhost:8080, which hides the mistake.
            if (!defaultExists())
                throw new Error("no kubeconfig is given, KUBECONFIG is not set, and ~/.kube/config does not exist");
            const files = (process.env["KUBECONFIG"] ?? "").split(path.delimiter).filter((file) => file !== "");
            if (files.length > 1) mergeFiles(config, files);
            else config.loadFromDefault();
        } else if (isContent(kubeconfig)) config.loadFromString(kubeconfig);
        else config.loadFromFile(expanded(kubeconfig));
        if (context && !config.getContextObject(context)) {
            const names = config.getContexts().map(({ name }) => name);
            throw new Error(`there is no context "${context}"; there are: ${names.join(", ")}`);
        }
    } catch (error) {
        throw invalid(firstLine(error));
    }
    if (context) config.setCurrentContext(context);
    const files = kubeconfig && isContent(kubeconfig) ? [""] : pathsOf(kubeconfig).split(path.delimiter);
    for (const file of files) {
        const tokenFile = tokenFileOf(contentOf(file || kubeconfig) ?? "", config.getCurrentUser()?.name);
        if (tokenFile !== undefined) config.addAuthenticator(tokenIn(path.resolve(path.dirname(file), tokenFile)));
    }
    return config;
}

/** Merges as kubectl does: missing files are left out, and the first to name something counts. */
function mergeFiles(config: KubeConfig, files: readonly string[]): void {
    const there = files.filter((file) => fs.existsSync(file));
    const parts = (there.length === 0 ? files : there).map((file) => {
        config.loadFromFile(file);
        const { clusters, users, contexts, currentContext } = config;
        return { clusters, users, contexts, currentContext };
    });
    const firsts = <Named extends { readonly name: string }>(all: readonly Named[]): Named[] =>
        all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
    config.loadFromOptions({
        clusters: firsts(parts.flatMap(({ clusters }) => clusters)),
        users: firsts(parts.flatMap(({ users }) => users)),
        contexts: firsts(parts.flatMap(({ contexts }) => contexts)),
        currentContext: parts.find(({ currentContext }) => currentContext)?.currentContext,
    });
}

/** Reads a token for each request: its file may be renewed. The Kubernetes client does not know `tokenFile`. */
const tokenIn = (file: string): Parameters<KubeConfig["addAuthenticator"]>[0] => ({
    isAuthProvider: () => true,
    applyAuthentication: async (_, opts) => {
        const token = await fs.promises.readFile(file, "utf8");
        opts.headers = { ...opts.headers, Authorization: `Bearer ${token.trim()}` };
    },
});

/** Returns undefined for a user without an entry and without HOME, as in a container. */
const homeFolder = (): string | undefined => unlessThrown(() => os.homedir());

function defaultExists(): boolean {
    const home = homeFolder();
    return (
        Boolean(process.env["KUBECONFIG"]) ||
        (home !== undefined && fs.existsSync(path.join(home, ".kube", "config"))) ||
        fs.existsSync("/var/run/secrets/kubernetes.io/serviceaccount/token")
    );
}

function invalid(detail: string): ClusterError {
    return new ClusterError({ kind: "invalid-kubeconfig", action: "read the kubeconfig", detail });
}
