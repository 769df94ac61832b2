import * as fs from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import * as os from "node:os";
import * as path from "node:path";
import * as tls from "node:tls";
import type { KubeConfig } from "@kubernetes/client-node";
import { firstLine } from "../net";
import { type ClusterOptions, type Connection, isContent } from "./cluster-options";
import { ClusterError } from "./error";
import { readPlainKubeconfig } from "./plain-kubeconfig";

/** Opens the kubeconfig. @throws ClusterError of kind "invalid-kubeconfig" */
export async function connect(options: ClusterOptions): Promise<Connection> {
    return plainConnection(options) ?? clientConnection(options);
}

/** A connection whose credentials stay the same; undefined where the kubeconfig needs the Kubernetes client. */
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

/** The text of the one kubeconfig that is meant; undefined if there is none, or several, or it cannot be read. */
function contentOf(kubeconfig: string | undefined): string | undefined {
    if (kubeconfig && isContent(kubeconfig)) return kubeconfig;
    const usual = process.env["KUBECONFIG"] || path.join(homeFolder() ?? "", ".kube", "config");
    try {
        return fs.readFileSync(kubeconfig ? expanded(kubeconfig) : usual, "utf8");
    } catch {
        return undefined;
    }
}

/** A path as a person writes it; in KUBECONFIG, `~` is a name like others. */
const expanded = (file: string): string => file.replace(/^~(?=\/)/, homeFolder() ?? "~");

function checkedServer(given: string): string {
    const server = given.replace(/\/+$/, "");
    if (!URL.canParse(server)) throw invalid(`the server "${server}" is not a URL`);
    return server;
}

/** It keeps connections open, where the client's own agent opens one per request. */
function keepAliveAgent(server: string, options: https.AgentOptions): http.Agent {
    if (!server.startsWith("https:")) return new http.Agent({ keepAlive: true });
    try {
        // It is made again for each connection; here it says whether certificate and key can be read.
        if (options.key !== undefined) tls.createSecureContext(options);
    } catch (error) {
        throw invalid(`client certificate and key cannot be read: ${firstLine(error)}`);
    }
    return new https.Agent({ keepAlive: true, ...options });
}

/** A token that was cut out of a terminal may hold line breaks, for which Node would throw an error of its own. */
function checkedHeaders(headers: Record<string, string>): Record<string, string> {
    try {
        for (const [name, value] of Object.entries(headers)) http.validateHeaderValue(name, value);
    } catch {
        throw invalid("the token holds a line break or another character that a header cannot hold");
    }
    return headers;
}

/** The Kubernetes client is loaded here for what it does best: several kubeconfigs, credential plugins, proxies. */
async function clientConnection(options: ClusterOptions): Promise<Connection> {
    const config = await loadKubeConfig(options);
    const cluster = config.getCurrentCluster();
    if (!cluster?.server)
        throw invalid(`the context "${config.getCurrentContext() || "(none)"}" names no cluster with a server`);
    const server = checkedServer(cluster.server);

    let agent: { readonly identity: string; readonly value: http.Agent } | undefined;
    return {
        server,
        async access() {
            const opts: https.RequestOptions & { headers: Record<string, string> } = { headers: {} };
            try {
                await config.applyToHTTPSOptions(opts);
            } catch (error) {
                throw new ClusterError({
                    kind: "unauthorized",
                    action: "get credentials",
                    server,
                    detail: firstLine(error),
                });
            }
            if (opts.auth) opts.headers["Authorization"] = `Basic ${Buffer.from(opts.auth).toString("base64")}`;
            checkedHeaders(opts.headers);
            if (cluster.proxyUrl && opts.agent instanceof http.Agent)
                return { agent: opts.agent, headers: opts.headers };
            const { ca, cert, key, rejectUnauthorized, servername } = opts;
            // A client certificate may be renewed.
            const identity = JSON.stringify([String(cert), String(key)]);
            if (agent?.identity !== identity) {
                const verification = rejectUnauthorized === undefined ? {} : { rejectUnauthorized };
                agent = {
                    identity,
                    value: keepAliveAgent(server, { ca, cert, key, servername, ...verification }),
                };
            }
            return { agent: agent.value, headers: opts.headers };
        },
    };
}

/** The kubeconfig as the Kubernetes client has it, for its informers. @throws ClusterError of kind "invalid-kubeconfig" */
export async function loadKubeConfig(options: ClusterOptions): Promise<KubeConfig> {
    const { KubeConfig } = await import("@kubernetes/client-node");
    const config = new KubeConfig();
    try {
        load(config, options);
    } catch (error) {
        throw invalid(firstLine(error));
    }
    return config;
}

function load(config: KubeConfig, { kubeconfig, context }: ClusterOptions): void {
    if (kubeconfig === undefined || kubeconfig === "") {
        if (!defaultExists())
            throw new Error("no kubeconfig is given, KUBECONFIG is not set, and ~/.kube/config does not exist");
        config.loadFromDefault();
    } else if (isContent(kubeconfig)) config.loadFromString(kubeconfig);
    else config.loadFromFile(expanded(kubeconfig));
    if (context !== undefined && context !== "") {
        if (!config.getContextObject(context))
            throw new Error(
                `there is no context "${context}"; there are: ${config
                    .getContexts()
                    .map(({ name }) => name)
                    .join(", ")}`,
            );
        config.setCurrentContext(context);
    }
}

/** Undefined for a user whom the machine does not know, as in a container, where HOME is not set either. */
function homeFolder(): string | undefined {
    try {
        return os.homedir();
    } catch {
        return undefined;
    }
}

/** Without any source the library falls back to http://localhost:8080, which hides the mistake. */
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
