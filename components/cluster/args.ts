/** Arguments of a cluster, stated by the program or read from the cluster. */
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { contradictions, discoverCluster, type Discovery, withDiscovered } from "../../provider/cluster/discovery";
import { ClusterError, isContent } from "../../provider/cluster";
import { formatDiagnostics } from "../../provider/diagnostics";
import { type DiscoveredFacts, pinnedFacts } from "../../provider/plan/identity";
import type { Account, AssumeRole } from "../../provider/schema/account";
import { defined, once } from "../../provider/schema/defined";
import type { ClusterFacts } from "../../provider/schema/facts";
import { UNKNOWN_REFERENCE } from "../../provider/service/annotations";
import { defaultRegion, knownRegion } from "./account";
import { anyOf, type NamesOf, requireArguments } from "../run/arguments";
import { type Fields, isOutput, KNOWN_LATER, requirePlain } from "../run/outputs";
import { perRun } from "../run/run";

/** Facts that may be Outputs of the cluster's resources. */
type GivenFacts = "clusterId" | "vpcId" | "resourceGroupId" | "vswitches";

/** Facts of an ACK cluster, and its connection. */
export interface ClusterArgs extends Omit<ClusterFacts, GivenFacts | "offline"> {
    /** ACK cluster id, `c82e6987e2961451182edacd74faf****`. Part of the names of listeners and server groups. */
    readonly clusterId: pulumi.Input<string>;
    /** Name in the program and of the cluster's providers. Default: `clusterId`, or "cluster" if it is an Output. */
    readonly name?: string;
    /** VPC of the cluster, `vpc-bp1…`. Default: rules that need it are not applied, and pods are found in any VPC. */
    readonly vpcId?: pulumi.Input<string>;
    /** See {@link ClusterFacts.resourceGroupId}. Default: the account's default resource group. */
    readonly resourceGroupId?: pulumi.Input<string>;
    /** See {@link ClusterFacts.vswitches}. Default: a Service that needs a vSwitch is refused. */
    readonly vswitches?: readonly pulumi.Input<string>[];
    /**
     * Path or contents of a kubeconfig. Default: `kubernetes:kubeconfig`, else the kubeconfig that kubectl uses.
     * Contents are never in the state: they are written to a file that only this user can read.
     */
    readonly kubeconfig?: pulumi.Input<string>;
    /** Default: `kubernetes:context`, else the kubeconfig's current context. */
    readonly context?: string;
    /** Default: the stack's configuration and the environment. */
    readonly account?: AccountArgs;
    /**
     * True if the sync controller updates backends between runs: a run fills a new server group, creates its
     * ServerGroupBinding, and does not change its members afterwards. Needs the controller and its
     * CustomResourceDefinition in the cluster. Default false: only runs change backends.
     */
    readonly sync?: boolean;
}

/** Account and region of load balancers. Default region: `alicloud:region`, else the environment's. */
export type AccountArgs = Account;

/** Ids of a cluster, each of which may be an Output. */
export type ClusterIds = Pick<ClusterArgs, GivenFacts>;

export const idFields = ({ vswitches = [], ...ids }: ClusterIds): Fields => ({
    ...ids,
    ...Object.fromEntries(vswitches.map((vswitch, index) => [`vswitches[${index}]`, vswitch])),
});

const ACCOUNT_NAMES: NamesOf<AccountArgs> = {
    ...anyOf("region", "profile"),
    assumeRole: anyOf("roleArn", "sessionName", "externalId", "policy") satisfies NamesOf<AssumeRole>,
    endpoints: anyOf("slb", "nlb", "vpc", "ecs", "tag", "sts", "quotas", "cas"),
};

const CLUSTER_NAMES: NamesOf<ClusterArgs> = {
    ...anyOf("clusterId", "name", "vpcId", "resourceGroupId", "vswitches", "kubeconfig", "context", "sync"),
    ...anyOf("compatibility", "clusterType", "edgeLink"),
    ...anyOf("networkPlugin", "createdAt", "kubernetesVersion", "kubeProxyMode", "vpcCidrs", "deniedLoadBalancers"),
    account: ACCOUNT_NAMES,
    nodePortRange: anyOf("from", "to"),
};

/**
 * Returns name, ids and plain facts of a cluster: no VPC or resource group that is an Output. Other ids that are
 * Outputs are unknown ids.
 *
 * @throws RunError with all unknown or missing arguments and all that must not be Outputs
 */
export function readCluster(whole: ClusterArgs) {
    requireArguments("Cluster", whole, CLUSTER_NAMES, ["clusterId"]);
    const { kubeconfig: _, ...args } = whole;
    const { clusterId, vpcId, resourceGroupId, vswitches, ...plain } = args;
    const { name: given, context, sync, account, ...facts } = plain;
    const ids: ClusterIds = { clusterId, ...defined({ vpcId, resourceGroupId, vswitches }) };
    // Also refuses texts that contain a stringified Output.
    requirePlain("Cluster", {
        ...plain,
        ...Object.fromEntries(Object.entries(idFields(ids)).filter(([, value]) => !isOutput(value))),
    });
    const name = given ?? (isOutput(clusterId) ? "cluster" : clusterId);
    const known = (id: pulumi.Input<string> | undefined) => (typeof id === "string" ? id : undefined);
    const plainFacts: ClusterFacts = {
        ...facts,
        clusterId: known(clusterId) ?? KNOWN_LATER,
        ...defined({
            vpcId: known(vpcId),
            resourceGroupId: known(resourceGroupId),
            vswitches: vswitches?.map((vswitch) => known(vswitch) ?? UNKNOWN_REFERENCE),
        }),
    };
    return { name, facts: plainFacts, ids };
}

/** Arguments of a discovered cluster. None may be an Output: the cluster is read before anything is registered. */
export interface DiscoverArgs
    extends Omit<Partial<ClusterFacts>, "offline">, Pick<ClusterArgs, "name" | "context" | "account" | "sync"> {
    /** Path or contents of a kubeconfig. Default: `kubernetes:kubeconfig`, else the kubeconfig that kubectl uses. */
    readonly kubeconfig?: string;
}

type Discover = (options: { readonly kubeconfig?: string; readonly context?: string }) => Promise<Discovery>;

/** Answers of the clusters of a run, by connection. */
const discoveries = perRun(() => new Map<string, Promise<Discovery>>());

const discoverOnce: Discover = ({ kubeconfig, context }) =>
    once(discoveries(), JSON.stringify([kubeconfig, context]), () => discoverCluster(defined({ kubeconfig, context })));

/**
 * Returns the stated facts of a cluster, and the observed facts otherwise. `discovered` is absent if the cluster did
 * not answer.
 *
 * Continues if the cluster does not answer but its id is stated. Each Service that needs the cluster reports the error.
 *
 * @throws RunError if the cluster contradicts a stated fact, or if its id is neither stated nor observed
 */
export async function discoverFacts(
    args: DiscoverArgs,
    discover: Discover = discoverOnce,
): Promise<{ readonly facts: DiscoverArgs & { readonly clusterId: string }; readonly discovered?: DiscoveredFacts }> {
    requireArguments("Cluster", args, CLUSTER_NAMES);
    const { clusterId } = args;
    let discovery: Discovery;
    try {
        discovery = await discover(configuredConnection(args));
    } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        if (clusterId !== undefined) return { facts: { ...args, clusterId } };
        throw new pulumi.RunError(
            `clusterId is not configured, and the cluster cannot be asked for it. ${error.message}`,
        );
    }
    const named = args.account?.region;
    const region = named === undefined ? defaultRegion() : typeof named === "string" ? knownRegion(named) : undefined;
    const wrong = contradictions(args, discovery, region === undefined ? {} : { region });
    if (wrong.length > 0)
        throw new pulumi.RunError(
            `the configuration does not fit the cluster; nothing was changed.\n${formatDiagnostics(wrong)}`,
        );
    const facts = { ...args, ...withDiscovered(args, discovery) };
    if (facts.clusterId === undefined)
        throw new pulumi.RunError(
            "clusterId is not configured, and cannot be detected from the cluster: " +
                "it has no ConfigMap kube-system/ack-cluster-profile, or it may not be read. " +
                "Remedy: pulumi config set clusterId <id of the ACK cluster>.",
        );
    return {
        facts: {
            ...facts,
            clusterId: facts.clusterId,
            ...(region === undefined && discovery.region !== undefined
                ? { account: { ...args.account, region: discovery.region } }
                : {}),
        },
        discovered: pinnedFacts(facts, args, discovery),
    };
}

/** Kubeconfig and context of the program, else of the stack's configuration of the kubernetes provider. */
export interface KubeconfigReference {
    /** Path, never contents. If undefined, it is the kubeconfig that kubectl uses. */
    readonly kubeconfig: pulumi.Output<string> | string | undefined;
    readonly context: string | undefined;
    /** True if the program names a connection, which Pulumi's default provider does not use. */
    readonly explicit: boolean;
}

/** Returns the given connection, completed from the stack's configuration of the kubernetes provider. */
export function configuredConnection<Text extends pulumi.Input<string>>(args: {
    readonly kubeconfig?: Text;
    readonly context?: string;
}): { kubeconfig?: Text | string; context?: string } {
    const config = new pulumi.Config("kubernetes");
    const kubeconfig = args.kubeconfig ?? config.get("kubeconfig");
    const context = args.context ?? config.get("context");
    return defined({ kubeconfig, context });
}

/**
 * Resolves the connection of a program, and writes contents of a kubeconfig to a file.
 *
 * @param cluster name of the cluster in the program
 */
export function kubeconfigReference(
    cluster: string,
    args: { readonly kubeconfig?: pulumi.Input<string>; readonly context?: string },
): KubeconfigReference {
    const { kubeconfig: given, context } = configuredConnection(args);
    return {
        kubeconfig:
            given === undefined
                ? undefined
                : typeof given === "string"
                  ? pathOf(cluster, given)
                  : pulumi.unsecret(pulumi.output(given)).apply((text) => pathOf(cluster, text)),
        context,
        explicit: args.kubeconfig !== undefined || args.context !== undefined,
    };
}

/**
 * Returns the path of a kubeconfig. Contents go into a file in the folder of the Pulumi CLI that only this user can
 * read, and never into the state. Its name depends only on the cluster: renewed credentials are no change.
 */
function pathOf(cluster: string, kubeconfig: string): string {
    if (!isContent(kubeconfig)) return kubeconfig;
    const home = process.env["PULUMI_HOME"];
    const id = `${pulumi.getProject()}/${pulumi.getStack()}/${cluster}`;
    const name = `ack-loadbalancer/kubeconfig-${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
    const file = path.join(home ?? path.join(os.homedir(), ".pulumi"), name);
    if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== kubeconfig) {
        fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        // Renaming is atomic for concurrent readers.
        const written = `${file}.${process.pid}`;
        fs.writeFileSync(written, kubeconfig, { mode: 0o600 });
        fs.renameSync(written, file);
    }
    // The path must be the same on every machine, unless PULUMI_HOME is set.
    return home === undefined ? `~/.pulumi/${name}` : file;
}

/**
 * Returns the file in KUBECONFIG that has a context, else the first, because the kubernetes provider takes one file.
 */
export function fileWithContext(context: string | undefined): string | undefined {
    const files = (process.env["KUBECONFIG"] ?? "").split(path.delimiter).filter((file) => file !== "");
    if (files.length < 2 || context === undefined) return files[0];
    const names = (file: string): string[] => {
        const config = parse(fs.readFileSync(file, "utf8")) as { contexts?: { name: string }[] } | null;
        return (config?.contexts ?? []).map(({ name }) => name);
    };
    return files.find((file) => fs.existsSync(file) && names(file).includes(context)) ?? files[0];
}
