import { readFile } from "node:fs/promises";
import { parse, stringify } from "yaml";

/** Access of a client to an API server. */
export interface Access {
    /** For example "https://127.0.0.1:6443". */
    server: string;
    /** PEM of the certificate that the server's certificate must verify against. */
    certificate: string;
    /** Bearer token. */
    token: string;
}

const NAME = "lab";

interface Kubeconfig {
    clusters: { cluster: { server: string; "certificate-authority-data": string } }[];
    users: { user: { token: string } }[];
}

/** Returns the text of a kubeconfig with one context, which refers to no files. */
export function writeKubeconfig(access: Access): string {
    return stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": NAME,
        contexts: [{ name: NAME, context: { cluster: NAME, user: NAME, namespace: "default" } }],
        clusters: [
            {
                name: NAME,
                cluster: {
                    server: access.server,
                    "certificate-authority-data": Buffer.from(access.certificate).toString("base64"),
                },
            },
        ],
        users: [{ name: NAME, user: { token: access.token } }],
    });
}

/**
 * Reads a kubeconfig as {@link writeKubeconfig} writes it.
 * @throws Error if server, certificate or token are not in the text itself.
 */
export function parseKubeconfig(text: string): Access {
    const config = parse(text) as Partial<Kubeconfig> | null;
    const cluster = config?.clusters?.[0]?.cluster;
    const token = config?.users?.[0]?.user.token;
    if (cluster?.server === undefined || cluster["certificate-authority-data"] === undefined || token === undefined) {
        throw new Error("not a kubeconfig of lab/cluster: it needs server, certificate-authority-data and token");
    }
    return {
        server: cluster.server,
        certificate: Buffer.from(cluster["certificate-authority-data"], "base64").toString("utf8"),
        token,
    };
}

export async function readKubeconfig(file: string): Promise<Access> {
    return parseKubeconfig(await readFile(file, "utf8"));
}
