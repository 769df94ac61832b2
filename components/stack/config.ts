import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterType, NetworkPlugin } from "../../provider/model/facts";
import type { AdoptArgs } from "../adoption";
import type { ClusterArgs } from "../cluster";

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
 * @throws RunError if a required key is missing; the engine shows it as it is.
 */
export function readConfig(): StackConfig {
    const config = new pulumi.Config();
    const optional = <Key extends keyof ClusterArgs>(key: Key): Partial<Pick<ClusterArgs, Key>> => {
        const value = config.get(key);
        return value === undefined ? {} : ({ [key]: value } as unknown as Pick<ClusterArgs, Key>);
    };
    const list = (key: "vpcCidrs" | "vswitches" | "deniedLoadBalancers"): Partial<ClusterArgs> => {
        const value = config.getObject<string[]>(key);
        return value === undefined ? {} : { [key]: value };
    };
    const folder = projectFolder();
    return {
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
        allowReplacement: config.getObject<Record<string, string[]>>("allowReplacement") ?? {},
        allowEmpty: config.getObject<string[]>("allowEmpty") ?? [],
        follow: config.getObject<string[]>("follow") ?? [],
        adopt: config.getObject<Record<string, AdoptArgs>>("adopt") ?? {},
        handBack: config.getObject<string[]>("handBack") ?? [],
        protect: config.getObject<string[]>("protect") ?? [],
    };
}

/** The folder of Pulumi.yaml: relative paths mean the same from wherever the command is run. */
function projectFolder(): string {
    return pulumi.getRootDirectory() || process.cwd();
}
