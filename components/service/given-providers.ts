/** Whether a provider that a program passes is the component's own cluster and account. */
import * as pulumi from "@pulumi/pulumi";
import { keysOfEnvironment } from "../../provider/alicloud";
import { type ClusterIdentity, openCluster } from "../../provider/kubernetes";
import { clusterName } from "../../provider/plan";
import type { Account } from "../../provider/schema/account";
import type { Cluster } from "./cluster";
import { defaultRegion, knownRegion } from "./account";
import { GivenOutputs } from "./outputs";
import { defined } from "../../provider/schema/defined";

/**
 * Inputs of a provider resource: the SDK keeps them as outputs under their own names, objects as JSON.
 *
 * In a preview an input that was left out counts as unknown like one that another resource makes; only its raw value tells them apart.
 */
function inputsOf(provider: pulumi.ProviderResource, names: readonly string[]): pulumi.Output<Record<string, unknown>> {
    const outputs = provider as unknown as Record<string, RawOutput | undefined>;
    const values = names.map(async (name) => [name, await outputs[name]?.promise(true)] as const);
    return pulumi.output(Promise.all(values).then(Object.fromEntries)) as pulumi.Output<Record<string, unknown>>;
}

interface RawOutput {
    promise(withUnknowns: boolean): Promise<unknown>;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Why a kubernetes provider is not the component's cluster; empty if it is shown to be the same. */
export function otherCluster(cluster: Cluster, provider: pulumi.ProviderResource): pulumi.Output<string[]> {
    const inputs = inputsOf(provider, ["kubeconfig", "context", "cluster"]);
    return pulumi.all([inputs, cluster.connection.kubeconfig]).apply(async ([given]) => {
        const [kubeconfig, context] = [textOf(given["kubeconfig"]), textOf(given["context"])];
        const reader = openCluster({
            ...defined({ kubeconfig, context }),
        });
        const [own, other] = await Promise.all([cluster.identity(), reader.identity()]);
        const same = textOf(given["cluster"]) === undefined && isSame(own, other);
        return same ? [] : [describeCluster(own, other)];
    });
}

function isSame(own: ClusterIdentity, other: ClusterIdentity): boolean {
    return own.uid === undefined || other.uid === undefined ? own.server === other.server : own.uid === other.uid;
}

function describeCluster(own: ClusterIdentity, other: ClusterIdentity): string {
    const name = ({ uid, server }: ClusterIdentity) => clusterName({ server, ...defined({ cluster: uid }) });
    return (
        `the kubernetes provider that it is given is of the cluster ${name(other)}, but its Cluster reads ${name(own)}. ` +
        "Remedy: make the Cluster with the provider's kubeconfig and context, new Cluster({ kubeconfig, context }), and leave the provider out."
    );
}

/** Inputs of an alicloud provider that say whose calls are made, and where. */
const ACCOUNT_INPUTS = [
    "region",
    "accessKey",
    "profile",
    "assumeRole",
    "assumeRoleWithOidc",
    "ecsRoleName",
    "credentialsUri",
    "sharedCredentialsFile",
] as const;

/** Why an alicloud provider is not the component's account and region; empty if it says the same. */
export function otherAccount(account: Account, provider: pulumi.ProviderResource): pulumi.Output<string[]> {
    const said = new GivenOutputs(account).fill(account);
    return pulumi
        .all([inputsOf(provider, ACCOUNT_INPUTS), said])
        .apply(([given, known]) => describeDifferences(given, known));
}

function describeDifferences(given: Readonly<Record<string, unknown>>, account: Account): string[] {
    const env = process.env;
    const own: Record<(typeof ACCOUNT_INPUTS)[number], string | undefined> = {
        region: knownRegion(account.region),
        accessKey: keysOfEnvironment(env)?.accessKeyId,
        profile: account.profile ?? env["ALICLOUD_PROFILE"],
        assumeRole: account.assumeRole?.roleArn,
        assumeRoleWithOidc: undefined,
        ecsRoleName: env["ALICLOUD_ECS_ROLE_NAME"],
        credentialsUri: undefined,
        sharedCredentialsFile: undefined,
    };
    const said: Record<string, unknown> = {
        ...given,
        region: textOf(given["region"]) ?? defaultRegion(),
        assumeRole: roleArnOf(given["assumeRole"]),
    };
    const differing = ACCOUNT_INPUTS.filter(
        (name) => (textOf(said[name]) !== undefined || name === "assumeRole") && textOf(said[name]) !== own[name],
    );
    return differing.map((name) => describeAccount(name, textOf(said[name]), own[name]));
}

function roleArnOf(json: unknown): string | undefined {
    const text = textOf(json);
    const role: unknown = text === undefined ? undefined : JSON.parse(text);
    return (role as { roleArn?: string } | undefined)?.roleArn;
}

function describeAccount(name: string, said: string | undefined, own: string | undefined): string {
    // A key id is a name, but nobody needs to read it in a log.
    const shown = (value: string | undefined) =>
        value === undefined ? "none" : name === "accessKey" ? "another" : value;
    return (
        `the alicloud provider that it is given has ${name} ${shown(said)}, but the component itself acts with ${name === "accessKey" ? "the environment's key pair" : shown(own)}. ` +
        "Remedy: say region, profile or role in account of the Cluster, which makes the provider, and leave the provider out."
    );
}
