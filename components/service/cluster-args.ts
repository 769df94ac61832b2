import * as pulumi from "@pulumi/pulumi";
import { ANY } from "../../provider/annotations/unknown-names";
import type { MoveTo } from "../../provider/plan";
import type { Account, AssumeRole } from "../../provider/schema/account";
import type { ClusterFacts } from "../../provider/schema/facts";
import { MOVE_NAMES, type NamesOf, requireArguments } from "./args";
import { type GivenOutputs, isOutput, placeholderFor, requirePlain } from "./outputs";
import { perRun } from "./run";

/** Facts that may be Outputs of the resources that make the cluster. */
type GivenFacts = "clusterId" | "vpcId" | "resourceGroupId" | "vswitches";

/** What is known of an ACK cluster, and how to reach it. */
export interface ClusterArgs extends Omit<ClusterFacts, GivenFacts | "offline"> {
    /** The ACK cluster id, for example `c82e6987e2961451182edacd74faf****`. It is part of the names of listeners and server groups. */
    readonly clusterId: pulumi.Input<string>;
    /** Name of the cluster in the program, by which its providers are called. Default: `clusterId`, or "cluster" if that is an Output. */
    readonly name?: string;
    /** The VPC of the cluster, for example `vpc-bp1…`. Default: rules that need it are not applied. */
    readonly vpcId?: pulumi.Input<string>;
    /** Resource group of the cluster; see {@link ClusterFacts.resourceGroupId}. Default: the account's default resource group. */
    readonly resourceGroupId?: pulumi.Input<string>;
    /** vSwitches of the control plane, in their order; see {@link ClusterFacts.vswitches}. Default: a Service that needs one is refused. */
    readonly vswitches?: readonly pulumi.Input<string>[];
    /**
     * Kubeconfig, as a path or as its contents, also those of a cluster that the program makes. Default: `kubernetes:kubeconfig`, else as kubectl finds it. The contents never
     * enter the state: they are put into a file that only this user can read.
     */
    readonly kubeconfig?: pulumi.Input<string>;
    /** Context of the kubeconfig. Default: `kubernetes:context`, else its current one. */
    readonly context?: string;
    /** Account and region of the load balancers. Default: those of the stack's configuration and of the environment. */
    readonly account?: AccountArgs;
    /** Where the stack is to move on purpose: without it a run that reaches another cluster, account or region than the first one is refused. Default: nowhere. */
    readonly moveTo?: MoveTo;
    /**
     * The sync controller keeps backends between runs: a run fills a new server group and makes a ServerGroupBinding for it, and leaves its members alone afterwards. The controller and
     * its CustomResourceDefinition have to be installed. Default false: backends change with runs only.
     */
    readonly sync?: boolean;
}

/** Account and region of load balancers. */
export interface AccountArgs extends Omit<Account, "region"> {
    /** Default: `alicloud:region`, else the environment's. */
    readonly region?: pulumi.Input<string>;
}

/** A cluster's name in the program, and facts and account with placeholders for what is an Output. */
export interface ReadCluster {
    readonly name: string;
    readonly facts: ClusterFacts;
    readonly account: Account | undefined;
}

const ASSUME_ROLE: NamesOf<AssumeRole> = { roleArn: ANY, sessionName: ANY, externalId: ANY, policy: ANY };

const ACCOUNT_NAMES: NamesOf<AccountArgs> = {
    region: ANY,
    profile: ANY,
    assumeRole: ASSUME_ROLE,
    endpoints: { slb: ANY, nlb: ANY, vpc: ANY, ecs: ANY, tag: ANY, sts: ANY, quotas: ANY, cas: ANY },
};

/** Names of the arguments of a cluster. */
export const CLUSTER_NAMES: NamesOf<ClusterArgs> = {
    clusterId: ANY,
    name: ANY,
    vpcId: ANY,
    resourceGroupId: ANY,
    vswitches: ANY,
    kubeconfig: ANY,
    context: ANY,
    account: ACCOUNT_NAMES,
    moveTo: MOVE_NAMES,
    sync: ANY,
    compatibility: ANY,
    clusterType: ANY,
    edgeLink: ANY,
    networkPlugin: ANY,
    createdAt: ANY,
    kubernetesVersion: ANY,
    kubeProxyMode: ANY,
    vpcCidrs: ANY,
    deniedLoadBalancers: ANY,
    nodePortRange: { from: ANY, to: ANY },
};

/** Reads the arguments of a cluster. @throws RunError with every field that must not be an Output, that there is not, or that is missing */
export function readCluster(whole: ClusterArgs): ReadCluster {
    requireArguments("Cluster", whole, CLUSTER_NAMES, ["clusterId"]);
    const { kubeconfig: _, ...args } = whole;
    const { clusterId, vpcId, resourceGroupId, vswitches, account, ...plain } = args;
    const { region, ...reference } = account ?? {};
    const { name: given, context, moveTo, sync, ...facts } = plain;
    requirePlain("Cluster", { ...plain, account: reference });
    // A text that an Output was put into is no id.
    requirePlain(
        "Cluster",
        Object.fromEntries(
            Object.entries({ clusterId, vpcId, resourceGroupId, region }).filter(([, value]) => !isOutput(value)),
        ),
    );
    const name = given ?? (isOutput(clusterId) ? "cluster" : clusterId);
    const text = (field: string, value: pulumi.Input<string>) => placeholderFor(`cluster ${name}`, field, value);
    return {
        name,
        facts: {
            ...facts,
            clusterId: text("clusterId", clusterId),
            ...(vpcId === undefined ? {} : { vpcId: text("vpcId", vpcId) }),
            ...(resourceGroupId === undefined ? {} : { resourceGroupId: text("resourceGroupId", resourceGroupId) }),
            ...(vswitches === undefined
                ? {}
                : { vswitches: vswitches.map((vswitch, index) => text(`vswitches[${index}]`, vswitch)) }),
        },
        account:
            account === undefined
                ? undefined
                : { ...reference, ...(region === undefined ? {} : { region: text("account.region", region) }) },
    };
}

/** How a program reaches a cluster, as it has said it. */
interface SpecifiedConnection {
    readonly kubeconfig: pulumi.Input<string> | undefined;
    readonly context: string | undefined;
}

/** Connections of a run by cluster id. */
const connections = perRun(() => new Map<string, SpecifiedConnection>());

/**
 * Notes which cluster an id stands for in this run: names, ownership marks and providers carry the id, so that two clusters of one id would take each other's load balancers for their own.
 *
 * @returns why it cannot be, if the program has said another connection for the id
 */
export function noteClusterId(clusterId: string, connection: SpecifiedConnection): string | undefined {
    const known = connections();
    const first = known.get(clusterId) ?? connection;
    known.set(clusterId, first);
    return first.kubeconfig === connection.kubeconfig && first.context === connection.context
        ? undefined
        : `two clusters of this program have the clusterId "${clusterId}" and different connections (kubeconfig or context): each would take the load balancers of the other for its own. ` +
              "Remedy: give each cluster the id that ACK shows for it; for one cluster, pass one Cluster object to all components.";
}

/** Clusters of a run whose ids are Outputs, by name. */
const names = perRun(() => new Map<string, SpecifiedConnection & { readonly clusterId: unknown }>());

/**
 * Notes the name of a cluster whose id is an Output: its provider is called after it.
 *
 * @throws RunError if another cluster of the program has it
 */
export function noteClusterName(name: string, clusterId: unknown, connection: SpecifiedConnection): void {
    const { kubeconfig, context } = connection;
    const first = names().get(name) ?? { clusterId, kubeconfig, context };
    names().set(name, first);
    if (first.clusterId !== clusterId || first.kubeconfig !== kubeconfig || first.context !== context) {
        throw new pulumi.RunError(
            `two clusters of this program have an Output as clusterId and are called "${name}", as their providers are. Remedy: name them, new Cluster({ name: "…", clusterId }).`,
        );
    }
}

/**
 * Notes a cluster's id, or once it is known.
 *
 * @returns why it cannot be, where that is known later
 * @throws RunError if it cannot be
 */
export function noteId(
    { name, outputs, facts }: { readonly name: string; readonly outputs: GivenOutputs; readonly facts: ClusterFacts },
    clusterId: pulumi.Input<string>,
    connection: SpecifiedConnection,
): pulumi.Output<string | undefined> | undefined {
    if (isOutput(clusterId)) {
        noteClusterName(name, clusterId, connection);
        return outputs.fill(facts.clusterId).apply((id) => noteClusterId(id, connection));
    }
    const problem = noteClusterId(facts.clusterId, connection);
    if (problem !== undefined) {
        throw new pulumi.RunError(problem);
    }
    return undefined;
}
