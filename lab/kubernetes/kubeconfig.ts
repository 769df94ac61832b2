/**
 * Kubeconfigs of the lab's clusters: certificates, tokens and passwords inline or in files, without credential plugins.
 */
import { existsSync, readFileSync } from "node:fs";
import type { AgentOptions } from "node:https";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parse } from "yaml";

/** Address and credentials of the API server. */
export interface Access {
    /** Empty if the context names no cluster. */
    readonly server: string;
    /** Namespace of the context, or empty when it names none. */
    readonly namespace: string;
    readonly tls: AgentOptions;
    readonly headers: Readonly<Record<string, string>>;
}

interface Named {
    readonly name: string;
}

interface Kubeconfig {
    readonly "current-context"?: string;
    readonly clusters?: readonly (Named & { readonly cluster: Readonly<Record<string, unknown>> })[];
    readonly contexts?: readonly (Named & { readonly context: Readonly<Record<string, unknown>> })[];
    readonly users?: readonly (Named & { readonly user: Readonly<Record<string, unknown>> })[];
}

/** A document and the folder that its file names are relative to. */
interface Source {
    readonly config: Kubeconfig;
    readonly folder: string;
}

/**
 * Reads the configuration of a provider.
 *
 * @param given content or path of a kubeconfig, or empty for the files of KUBECONFIG, else `~/.kube/config`
 * @param names context and cluster that override those of the kubeconfig, or empty for none
 * @throws Error if a kubeconfig cannot be read
 */
export function readAccess(given: string, names: { readonly context: string; readonly cluster: string }): Access {
    const sources = sourcesOf(given);
    if (sources.length === 0) return { server: "http://localhost:8080", namespace: "", tls: {}, headers: {} };
    const current = sources.map(({ config }) => config["current-context"]).find((name) => name);
    const context = find(sources, "contexts", names.context || current)?.entry.context ?? {};
    const cluster = find(sources, "clusters", names.cluster || textOf(context["cluster"]));
    const user = find(sources, "users", textOf(context["user"]));
    const ofUser = user?.entry.user ?? {};
    if (ofUser["exec"] !== undefined || ofUser["auth-provider"] !== undefined)
        throw new Error("the lab's kubernetes plugin has no credential plugins");
    const ofCluster = cluster?.entry.cluster ?? {};
    return {
        server: textOf(ofCluster["server"]),
        namespace: textOf(context["namespace"]),
        tls: {
            ca: data(ofCluster, "certificate-authority", cluster?.folder),
            cert: data(ofUser, "client-certificate", user?.folder),
            key: data(ofUser, "client-key", user?.folder),
            rejectUnauthorized: ofCluster["insecure-skip-tls-verify"] !== true,
            ...(ofCluster["tls-server-name"] ? { servername: textOf(ofCluster["tls-server-name"]) } : {}),
        },
        headers: authorization(ofUser),
    };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function sourcesOf(given: string): Source[] {
    const path = given.replace(/^~(?=\/)/, homedir());
    if (given !== "" && (given.includes("\n") || !existsSync(path))) return [{ config: parsed(given), folder: "." }];
    const files =
        given !== "" ? [path] : (process.env["KUBECONFIG"] || join(homedir(), ".kube/config")).split(delimiter);
    return files
        .filter((file) => existsSync(file))
        .map((file) => ({ config: parsed(readFileSync(file, "utf8")), folder: dirname(file) }));
}

function parsed(text: string): Kubeconfig {
    const config: unknown = parse(text);
    if (typeof config !== "object" || config === null) throw new Error("the kubeconfig is not a map");
    return config;
}

/** The first entry of a name, with the folder of its file. */
function find<List extends "clusters" | "contexts" | "users">(
    sources: readonly Source[],
    list: List,
    name: string | undefined,
): { readonly entry: NonNullable<Kubeconfig[List]>[number]; readonly folder: string } | undefined {
    for (const { config, folder } of sources) {
        const entry = (config[list] ?? []).find((one) => one.name === name);
        if (entry !== undefined) return { entry, folder };
    }
    return undefined;
}

/** Something that stands in the kubeconfig in base64, or in a file. */
function data(from: Readonly<Record<string, unknown>>, key: string, folder = "."): Buffer | undefined {
    const inline = textOf(from[`${key}-data`]);
    if (inline !== "") return Buffer.from(inline, "base64");
    const file = textOf(from[key]);
    return file === "" ? undefined : readFileSync(resolve(folder, file));
}

function authorization(user: Readonly<Record<string, unknown>>): Record<string, string> {
    const file = textOf(user["tokenFile"]);
    const token = textOf(user["token"]) || (file === "" ? "" : readFileSync(file, "utf8").trim());
    if (token !== "") return { Authorization: `Bearer ${token}` };
    const name = textOf(user["username"]);
    if (name === "") return {};
    return { Authorization: `Basic ${Buffer.from(`${name}:${textOf(user["password"])}`).toString("base64")}` };
}
