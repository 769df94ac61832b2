import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { isMapping } from "../../provider/diagnostics";
import type { ClusterType, NetworkPlugin } from "../../provider/schema/facts";
import type { AdoptArgs } from "../adoption";
import type { ClusterArgs } from "../service/cluster";

/** Configuration of the GitOps stack, as `Pulumi.yaml` describes it. */
export interface StackConfig {
    /** Folder of Pulumi.yaml. */
    readonly projectFolder: string;
    /** Folder of manifests, absolute. */
    readonly manifests: string;
    readonly cluster: ClusterArgs;
    /** Services, as `namespace/name`, whose create-only settings may change this time. */
    readonly allowReplacement: Readonly<Record<string, readonly string[]>>;
    /** Services, as `namespace/name`, whose vServer groups may become empty. */
    readonly allowEmpty: readonly string[];
    /** Services, as `namespace/name`, that somebody else applies. */
    readonly follow: readonly string[];
    /** Services, as `namespace/name`, that are taken over from the Cloud Controller Manager with their load balancers. They are followed, too. */
    readonly adopt: Readonly<Record<string, AdoptArgs>>;
    /** Services, as `namespace/name`, that go back to the Cloud Controller Manager with their load balancers once they leave the stack. */
    readonly handBack: readonly string[];
    /** Services, as `namespace/name`, that cannot be deleted, nor their instances. */
    readonly protect: readonly string[];
}

/**
 * Reads the configuration of the stack.
 *
 * @throws RunError if a required key is missing, or with everything that has another shape than it must have; the engine shows it as it is.
 */
export function readConfig(): StackConfig {
    const config = new pulumi.Config();
    const optional = <Key extends keyof ClusterArgs>(key: Key): Partial<Pick<ClusterArgs, Key>> => {
        const value = config.get(key);
        return value === undefined ? {} : ({ [key]: value } as unknown as Pick<ClusterArgs, Key>);
    };
    const problems: string[] = [];
    const shaped = <Value>(key: string, { fits, words, example }: Shape): Value | undefined => {
        const value = config.getObject<Value>(key);
        if (value === undefined || fits(value)) {
            return value;
        }
        problems.push(
            `config ${key} must be ${words}, for example ${example}. Remedy: pulumi config set --path, or pulumi config rm ${key}.`,
        );
        return undefined;
    };
    const list = (key: "vpcCidrs" | "vswitches" | "deniedLoadBalancers"): Partial<ClusterArgs> => {
        const value = shaped<string[]>(key, LIST);
        return value === undefined ? {} : { [key]: value };
    };
    const services = (key: string): readonly string[] => shaped<string[]>(key, LIST) ?? [];
    const folder = projectFolder();
    const read: StackConfig = {
        projectFolder: folder,
        manifests: path.resolve(folder, config.require("manifests")),
        cluster: {
            clusterId: config.require("clusterId"),
            ...(optional("clusterType") as { clusterType?: ClusterType }),
            ...(config.getBoolean("edgeLink") === true ? { edgeLink: true } : {}),
            ...(optional("networkPlugin") as { networkPlugin?: NetworkPlugin }),
            ...optional("createdAt"),
            ...optional("compatibility"),
            ...optional("kubernetesVersion"),
            ...(optional("kubeProxyMode") as { kubeProxyMode?: "iptables" | "ipvs" }),
            ...optional("vpcId"),
            ...optional("resourceGroupId"),
            ...list("vpcCidrs"),
            ...list("vswitches"),
            ...list("deniedLoadBalancers"),
            ...optional("context"),
        },
        allowReplacement: shaped<Record<string, string[]>>("allowReplacement", MAP_OF_LISTS) ?? {},
        allowEmpty: services("allowEmpty"),
        follow: services("follow"),
        adopt: shaped<Record<string, AdoptArgs>>("adopt", MAP_OF_SETTINGS) ?? {},
        handBack: services("handBack"),
        protect: services("protect"),
    };
    if (problems.length > 0) {
        throw new pulumi.RunError(problems.join("\n"));
    }
    return read;
}

/** What a value has to be. JSON is whatever somebody has typed, and a text in place of a list would be searched for parts of names. */
interface Shape {
    readonly fits: (value: unknown) => boolean;
    readonly words: string;
    readonly example: string;
}

const isList = (value: unknown): boolean => Array.isArray(value) && value.every((entry) => typeof entry === "string");
const isMapOf = (value: unknown, fits: (entry: unknown) => boolean): boolean =>
    isMapping(value) && Object.values(value).every(fits);
const isAdoptArgs = (value: unknown): boolean =>
    isMapping(value) &&
    ["string", "undefined"].includes(typeof value["loadBalancerId"]) &&
    ["boolean", "undefined"].includes(typeof value["allowChanges"]);

const LIST: Shape = { fits: isList, words: "a list of texts", example: '["shop/web"]' };
const MAP_OF_LISTS: Shape = {
    fits: (value) => isMapOf(value, isList),
    words: "a map of lists of settings by Service",
    example: '{"shop/web": ["addressType"]}',
};
const MAP_OF_SETTINGS: Shape = {
    fits: (value) => isMapOf(value, isAdoptArgs),
    words: "a map of settings by Service",
    example: '{"shop/web": {"loadBalancerId": "lb-…"}}',
};

/** The folder of Pulumi.yaml: relative paths mean the same from wherever the command is run. */
function projectFolder(): string {
    return pulumi.getRootDirectory() || process.cwd();
}
