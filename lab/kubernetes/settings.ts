/** The plugin's configuration. */
import { Api } from "./api";
import { readAccess } from "./kubeconfig";
import { equal, plain, unknown, type JsonMap } from "./properties";

export interface Settings {
    readonly api: Api;
    /** Namespace of objects that name none. */
    readonly namespace: string;
    readonly serverSideApply: boolean;
    readonly mutableConfigMaps: boolean;
    readonly mutableSecrets: boolean;
    /** Objects of a cluster that cannot be reached count as gone. Off unless asked for. */
    readonly deleteUnreachable: boolean;
}

const environmentNames: Readonly<Record<string, string>> = {
    enableServerSideApply: "PULUMI_K8S_ENABLE_SERVER_SIDE_APPLY",
    enableConfigMapMutable: "PULUMI_K8S_ENABLE_CONFIGMAP_MUTABLE",
    enableSecretMutable: "PULUMI_K8S_ENABLE_SECRET_MUTABLE",
    deleteUnreachable: "PULUMI_K8S_DELETE_UNREACHABLE",
};

function text(args: JsonMap, name: string): string {
    const value = args[name];
    return typeof value === "string" && value !== unknown ? value : typeof value === "boolean" ? String(value) : "";
}

function flag(args: JsonMap, name: string, otherwise: boolean): boolean {
    const value = text(args, name) || (process.env[environmentNames[name] ?? ""] ?? "");
    return value === "" ? otherwise : value === "true";
}

const openApi = (args: JsonMap): Api =>
    new Api(readAccess(text(args, "kubeconfig"), { context: text(args, "context"), cluster: text(args, "cluster") }));

export function loadSettings(rawArgs: JsonMap): Settings {
    const args = plain(rawArgs);
    let api: Api;
    try {
        api = openApi(args);
    } catch (error) {
        throw new Error(
            `unable to load Kubernetes client configuration from kubeconfig file. Make sure you have: \n\n` +
                " \t • set up the provider as per " +
                "https://www.pulumi.com/registry/packages/kubernetes/installation-configuration/ \n\n " +
                (error instanceof Error ? error.message : String(error)),
            { cause: error },
        );
    }
    return {
        api,
        namespace: text(args, "namespace") || api.contextNamespace || "default",
        serverSideApply: flag(args, "enableServerSideApply", true),
        mutableConfigMaps: flag(args, "enableConfigMapMutable", false),
        mutableSecrets: flag(args, "enableSecretMutable", false),
        deleteUnreachable: flag(args, "deleteUnreachable", false),
    };
}

/** Changed keys of a configuration, and whether it names another cluster, which replaces every object. */
export function compareConfig(olds: JsonMap, news: JsonMap): { changed: string[]; otherCluster: boolean } {
    const [before, after] = [plain(olds), plain(news)];
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const changed = names.filter((name) => !equal(before[name], after[name])).sort();
    if (!changed.some((name) => ["kubeconfig", "context", "cluster"].includes(name)))
        return { changed, otherCluster: false };
    try {
        const [left, right] = [openApi(before), openApi(after)];
        return { changed, otherCluster: left.server !== right.server };
    } catch {
        return { changed, otherCluster: true };
    }
}
