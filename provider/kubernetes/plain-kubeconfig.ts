/**
 * Kubeconfigs that hold everything themselves: one file, and a user with a certificate or a token in it, as the ACK console gives it out. Whatever is more than that, or
 * wrong, is left to the Kubernetes client, which takes 0.4 s of a processor to load: in each process of each run, and a quarter of the time of a stack of few Services.
 */
import { parse } from "yaml";
import { z } from "zod";

/** A server and the credentials for it. */
export interface PlainAccess {
    readonly server: string;
    readonly ca: Buffer | undefined;
    readonly cert: Buffer | undefined;
    readonly key: Buffer | undefined;
    readonly token: string | undefined;
}

const base64 = z
    .base64()
    .min(1)
    .transform((text) => Buffer.from(text, "base64"));

const text = z.string().min(1);

const kubeconfigSchema = z.looseObject({
    "current-context": z.string().optional(),
    contexts: z.array(z.looseObject({ name: text, context: z.looseObject({ cluster: text, user: text }) })),
    clusters: z.array(z.looseObject({ name: text, cluster: z.looseObject({ server: text }) })),
    users: z.array(z.looseObject({ name: text, user: z.unknown() })),
});

/** Strict, so that a setting which is not known here (a proxy, a credential plugin, a file) is never passed over. */
const clusterSchema = z.strictObject({ server: text, "certificate-authority-data": base64.optional() });
const userSchema = z.union([
    z.strictObject({ "client-certificate-data": base64, "client-key-data": base64 }),
    z.strictObject({ token: text }),
]);

/**
 * Reads a kubeconfig.
 *
 * @param context which one; the current one if undefined or empty
 * @returns undefined if it says more than can be read here, or is wrong
 */
export function readPlainKubeconfig(content: string, context: string | undefined): PlainAccess | undefined {
    const config = kubeconfigSchema.safeParse(parsed(content)).data;
    if (config === undefined) return undefined;
    const chosen = only(config.contexts, context || config["current-context"])?.context;
    const cluster = clusterSchema.safeParse(only(config.clusters, chosen?.cluster)?.cluster).data;
    const user = userSchema.safeParse(only(config.users, chosen?.user)?.user).data;
    if (cluster === undefined || user === undefined) return undefined;
    return {
        server: cluster.server,
        ca: cluster["certificate-authority-data"],
        cert: "token" in user ? undefined : user["client-certificate-data"],
        key: "token" in user ? undefined : user["client-key-data"],
        token: "token" in user ? user.token : undefined,
    };
}

function parsed(content: string): unknown {
    try {
        // Its warnings would go to the program's own output.
        return parse(content, { logLevel: "error" });
    } catch {
        return undefined;
    }
}

/** The entry of a name, if there is exactly one. */
function only<Entry extends { readonly name: string }>(entries: readonly Entry[], name: string | undefined) {
    const found = entries.filter((entry) => entry.name === name);
    return found.length === 1 ? found[0] : undefined;
}
