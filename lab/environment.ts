import * as fs from "node:fs";
import * as path from "node:path";
import { kubectlCache } from "./cluster/programs";
import { pulumiVariables } from "./pulumi/home";
import type { Cli } from "./pulumi/install";
import { REPOSITORY } from "./repository";

/** Facts of a lab's cloud in `cloud.json`. */
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

/**
 * Secrets provider of a stack whose key is in the lab, which the CLI takes for HashiCorp Vault. With a passphrase the
 * CLI computes a key in a million rounds at each start, which takes longer than most runs.
 */
export const SECRETS_PROVIDER = "hashivault://lab";

/** Memory is there: the CLI and plugins in Go, which run for seconds, collect garbage less often. */
export const SPARING = { GOGC: "400" };

/** Variables of the user that would lead a program out of the lab. */
const OUTSIDE = /^(ALICLOUD_|ALIBABA_?CLOUD_|PULUMI_|VAULT_|KUBE|SSL_CERT|.*_ENDPOINT$)/;

export interface Parts {
    /** Scratch folder of the lab. */
    readonly dir: string;
    readonly cloud: CloudFacts;
    readonly kubeconfig: string;
    /** Path of the kubectl that fits the cluster. */
    readonly kubectl: string;
    readonly cli: Cli;
}

/** Variables that connect a program to the lab: cluster and cloud, keys, certificates, the Pulumi backend, PATH. */
export function labVariables(
    { dir, cloud, kubeconfig, kubectl, cli }: Parts,
    outer: NodeJS.ProcessEnv,
): Record<string, string> {
    const endpoint = `127.0.0.1:${cloud.port}`;
    const endpoints = PRODUCTS.flatMap((product) => [
        [`ALIBABA_CLOUD_ENDPOINT_${product}`, endpoint],
        [`${product}_ENDPOINT`, endpoint],
    ]);
    const folders = [
        path.join(REPOSITORY, "node_modules/.bin"),
        path.join(REPOSITORY, "lab/bin"),
        cli.folder,
        outer["PATH"] ?? "",
        path.dirname(kubectl),
    ];
    return {
        ...Object.fromEntries(endpoints),
        LAB_DIR: dir,
        LAB_CLOUD: cloud.url,
        VAULT_SERVER_URL: `${cloud.url}/_keys`,
        VAULT_SERVER_TOKEN: "lab",
        KUBECONFIG: kubeconfig,
        KUBECACHEDIR: kubectlCache(kubeconfig),
        ALIBABA_CLOUD_ACCESS_KEY_ID: cloud.accessKeyId,
        ALIBABA_CLOUD_ACCESS_KEY_SECRET: fs.readFileSync(cloud.secretFile, "utf8").trim(),
        ALIBABA_CLOUD_REGION: cloud.region,
        ALIBABA_CLOUD_ACCOUNT_TYPE: "Domestic",
        // Go trusts these alone, Node these beside its own.
        SSL_CERT_FILE: bundle(
            path.join(dir, "ssl-certificates.pem"),
            outer["SSL_CERT_FILE"] ?? SYSTEM_CERTIFICATES,
            cloud.caFile,
        ),
        NODE_EXTRA_CA_CERTS: bundle(
            path.join(dir, "node-certificates.pem"),
            outer["NODE_EXTRA_CA_CERTS"],
            cloud.caFile,
        ),
        ...pulumiVariables(dir, cli, outer),
        ...SPARING,
        NODE_COMPILE_CACHE: outer["NODE_COMPILE_CACHE"] ?? path.join(REPOSITORY, "dist/.compile-cache"),
        PATH: folders.join(path.delimiter),
    };
}

/** Path at which Debian's packages keep the certificates that the system trusts. */
const SYSTEM_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

/** Returns a file with the certificates of the lab and, if there is such a file, of another. */
function bundle(file: string, others: string | undefined, own: string): string {
    if (others === undefined || !fs.existsSync(others)) return own;
    fs.writeFileSync(file, `${fs.readFileSync(others, "utf8")}\n${fs.readFileSync(own, "utf8")}`);
    return file;
}

/** The user's own variables, less those that would lead out of the lab, and the lab's. */
export function environment(variables: Readonly<Record<string, string>>, outer: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...Object.fromEntries(Object.entries(outer).filter(([name]) => !OUTSIDE.test(name))), ...variables };
}
