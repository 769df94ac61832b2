import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { kubectlCache } from "./cluster/programs";

/** What the cloud of a lab says of itself in `cloud.json`. */
export interface CloudFacts {
    readonly port: number;
    readonly url: string;
    readonly pid: number;
    readonly caFile: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretFile: string;
}

/** Products whose endpoint programs may ask for. */
const PRODUCTS = ["SLB", "NLB", "VPC", "ECS", "TAG", "CAS", "LOCATION", "BSSOPENAPI", "STS", "QUOTAS"] as const;

/** Root of this repository, the same for the sources and for `dist`. */
export const REPOSITORY = path.dirname(require.resolve("ack-loadbalancer/package.json"));

/** Variables of the user that would lead a program out of the lab. */
const OUTSIDE = /^(ALICLOUD_|ALIBABA_?CLOUD_|PULUMI_|KUBE|SSL_CERT|.*_ENDPOINT$)/;

/**
 * The variables that put a program into the lab: where cluster and cloud are, keys, certificates, the Pulumi backend, PATH.
 *
 * With `ENGINE=path` the lab's own `pulumi` and resource plugins are left out of PATH, and those that are found there are used.
 */
export function labVariables(
    dir: string,
    cloud: CloudFacts,
    kubeconfig: string,
    kubectl: string,
    outer: NodeJS.ProcessEnv,
): Record<string, string> {
    const endpoint = `127.0.0.1:${cloud.port}`;
    const endpoints = PRODUCTS.flatMap((product) => [
        [`ALIBABA_CLOUD_ENDPOINT_${product}`, endpoint],
        [`${product}_ENDPOINT`, endpoint],
    ]);
    const modules = path.join(REPOSITORY, "node_modules");
    const folders = [
        ...(outer["ENGINE"] === "path" ? [toolsOnly(dir, outer)] : []),
        path.join(modules, ".bin"),
        path.join(modules, "@pulumi/pulumi"),
        ...(outer["ENGINE"] === "path" ? [] : [path.join(REPOSITORY, "lab/bin")]),
        outer["PATH"] ?? "",
        path.dirname(kubectl),
    ];
    return {
        ...Object.fromEntries(endpoints),
        LAB_DIR: dir,
        LAB_CLOUD: cloud.url,
        KUBECONFIG: kubeconfig,
        KUBECACHEDIR: kubectlCache(kubeconfig),
        ALIBABA_CLOUD_ACCESS_KEY_ID: cloud.accessKeyId,
        ALIBABA_CLOUD_ACCESS_KEY_SECRET: fs.readFileSync(cloud.secretFile, "utf8").trim(),
        ALIBABA_CLOUD_REGION: cloud.region,
        ALIBABA_CLOUD_ACCOUNT_TYPE: "Domestic",
        SSL_CERT_FILE: cloud.caFile,
        NODE_EXTRA_CA_CERTS: cloud.caFile,
        PULUMI_BACKEND_URL: `file://${path.join(dir, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: passphrase(dir),
        PULUMI_HOME: path.join(dir, "pulumi-home"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        NODE_COMPILE_CACHE: outer["NODE_COMPILE_CACHE"] ?? path.join(REPOSITORY, "dist/.compile-cache"),
        PATH: folders.join(path.delimiter),
    };
}

/** The user's own variables, less those that would lead out of the lab, and the lab's. */
export function environment(variables: Readonly<Record<string, string>>, outer: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...Object.fromEntries(Object.entries(outer).filter(([name]) => !OUTSIDE.test(name))), ...variables };
}

/** Programs of the lab that are no stand-ins for anything. */
const TOOLS = ["labcloud", "labcluster", "kubectl"] as const;

/**
 * A folder with the lab's tools and without its engine and plugins.
 *
 * @throws Error if PATH has no `pulumi`, so that a run that is meant for a real engine never falls back to the lab's.
 */
function toolsOnly(dir: string, outer: NodeJS.ProcessEnv): string {
    const found = (outer["PATH"] ?? "")
        .split(path.delimiter)
        .filter((folder) => folder !== path.join(REPOSITORY, "lab/bin") && fs.existsSync(path.join(folder, "pulumi")));
    if (found.length === 0)
        throw new Error(
            "ENGINE=path, but PATH has no pulumi. Remedy: install the Pulumi CLI and the alicloud and kubernetes plugins, and put them on PATH; or leave ENGINE out.",
        );
    const folder = path.join(dir, "tools");
    fs.mkdirSync(folder, { recursive: true });
    for (const tool of TOOLS) {
        const link = path.join(folder, tool);
        if (!fs.existsSync(link)) fs.symlinkSync(path.join(REPOSITORY, "lab/bin", tool), link);
    }
    return folder;
}

/** One passphrase for each lab, so that a second shell can use its stacks. */
function passphrase(dir: string): string {
    const file = path.join(dir, "passphrase");
    if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(12).toString("hex"), { mode: 0o600 });
    return fs.readFileSync(file, "utf8");
}
