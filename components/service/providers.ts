/** Providers of a component's children, with the cluster connection and account of the component itself. */
import { Provider as AlicloudProvider } from "@pulumi/alicloud/provider";
import { Provider as KubernetesProvider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { keysOfEnvironment } from "../../provider/cloud";
import { type ClusterIdentity, openCluster } from "../../provider/cluster";
import { clusterName } from "../../provider/plan/identity";
import type { Account } from "../../provider/schema/account";
import { defined } from "../../provider/schema/defined";
import { accountDigest, accountKey, defaultRegion, knownRegion, resolveAccount } from "./account";
import type { Cluster } from "./cluster";
import { fileWithContext } from "./kubeconfig";
import { GivenOutputs } from "./outputs";
import { perRun } from "./run";

/** Providers of a component, and problems of given ones. */
export interface ComponentProviders {
    /** For the component's options. */
    readonly providers: Record<string, pulumi.ProviderResource>;
    /** Undefined if no provider is given; empty if all given ones match. */
    readonly problems: pulumi.Output<readonly string[]> | undefined;
}

/** Chooses the given providers, checked against the component's cluster and account, or creates matching ones. */
export function chooseProviders(
    cluster: Cluster,
    account: Account,
    opts: pulumi.ComponentResourceOptions | undefined,
): ComponentProviders {
    const kubernetes = givenProvider(opts, "kubernetes");
    const alicloud = givenProvider(opts, "alicloud");
    const problems = [
        ...(kubernetes === undefined ? [] : [otherCluster(cluster, kubernetes)]),
        ...(alicloud === undefined ? [] : [otherAccount(account, alicloud)]),
    ];
    const made = {
        kubernetes: kubernetes ?? kubernetesProvider(cluster),
        alicloud: alicloud ?? alicloudProvider(cluster, account),
    };
    return {
        providers: Object.fromEntries(
            Object.entries(made).flatMap(([name, provider]) => (provider === undefined ? [] : [[name, provider]])),
        ),
        problems: problems.length === 0 ? undefined : pulumi.all(problems).apply((found) => found.flat()),
    };
}

/** Adds the providers to a component's options. */
export function withProviders(
    opts: pulumi.ComponentResourceOptions | undefined,
    { providers }: ComponentProviders,
): pulumi.ComponentResourceOptions | undefined {
    if (Object.keys(providers).length === 0) return opts;
    const { provider, providers: given = {}, ...rest } = opts ?? {};
    const others = Array.isArray(given) ? given : Object.values(given);
    const all = [...others, ...(provider === undefined ? [] : [provider])].filter(
        (one) => !(packageOf(one) in providers),
    );
    return { ...rest, providers: [...all, ...Object.values(providers)] };
}

/** Returns the provider of a package in the component's options, else its parent's. */
function givenProvider(
    opts: pulumi.ComponentResourceOptions | undefined,
    name: string,
): pulumi.ProviderResource | undefined {
    const { provider, providers = {}, parent } = opts ?? {};
    const listed = Array.isArray(providers) ? providers : Object.values(providers);
    const own = [...listed, ...(provider === undefined ? [] : [provider])].find((one) => packageOf(one) === name);
    return own ?? parent?.getProvider(`${name}:index:Any`);
}

function packageOf(provider: pulumi.ProviderResource): string {
    // The method is public at run time only.
    return (provider as unknown as { getPackage(): string }).getPackage();
}

/** Created providers by name, shared by the components of a cluster. */
const made = perRun(() => new Map<string, pulumi.ProviderResource>());

function shared<Provider extends pulumi.ProviderResource>(name: string, make: () => Provider): Provider {
    const provider = made().get(name) ?? make();
    made().set(name, provider);
    return provider as Provider;
}

/** Creates a provider for the cluster; undefined if Pulumi's default provider reaches it. */
function kubernetesProvider(cluster: Cluster): KubernetesProvider | undefined {
    const { kubeconfig, context, explicit } = cluster.connection;
    if (!explicit) return undefined;
    const name = `ack-loadbalancer/${cluster.name}`;
    const file = kubeconfig ?? fileWithContext(context);
    return shared(name, () => new KubernetesProvider(name, defined({ kubeconfig: file, context })));
}

/** Creates a provider for the account; undefined if Pulumi's default provider uses the same. */
function alicloudProvider(cluster: Cluster, account: Account): AlicloudProvider | undefined {
    const key = accountKey(account);
    if (key === accountKey(resolveAccount(undefined, undefined)) || key === defaultRegion()) return undefined;
    const { region, profile, assumeRole, endpoints } = account;
    const suffix = accountDigest(account);
    const outputs = new GivenOutputs(account);
    const place = outputs.none ? (region ?? "account") : "region";
    const name = `ack-loadbalancer/${cluster.name}/${place}-${suffix}`;
    return shared(
        name,
        () =>
            new AlicloudProvider(name, {
                ...(region === undefined ? {} : { region: outputs.none ? region : outputs.fill(region) }),
                ...defined({ profile }),
                ...(assumeRole && { assumeRole: { sessionName: "ack-loadbalancer", ...assumeRole } }),
                ...(endpoints && { endpoints: [endpoints] }),
            }),
    );
}

/**
 * Reads inputs of a provider from its outputs of the same names, objects as JSON.
 *
 * Uses raw values: in a preview the SDK also treats absent inputs as unknown.
 */
function inputsOf(provider: pulumi.ProviderResource, names: readonly string[]): pulumi.Output<Record<string, unknown>> {
    const outputs = provider as unknown as Record<string, { promise(raw: boolean): Promise<unknown> } | undefined>;
    const values = names.map(async (name) => [name, await outputs[name]?.promise(true)] as const);
    return pulumi.output(Promise.all(values).then(Object.fromEntries)) as pulumi.Output<Record<string, unknown>>;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Returns a problem if a kubernetes provider is not for the component's cluster, else an empty list. */
export function otherCluster(cluster: Cluster, provider: pulumi.ProviderResource): pulumi.Output<string[]> {
    const inputs = inputsOf(provider, ["kubeconfig", "context", "cluster"]);
    return pulumi.all([inputs, cluster.connection.kubeconfig]).apply(async ([given]) => {
        const [kubeconfig, context] = [textOf(given["kubeconfig"]), textOf(given["context"])];
        const reader = openCluster(defined({ kubeconfig, context }));
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
        `the kubernetes provider that it is given is of the cluster ${name(other)}, ` +
        `but its Cluster reads ${name(own)}. ` +
        "Remedy: make the Cluster with the provider's kubeconfig and context, " +
        "new Cluster({ kubeconfig, context }), and leave the provider out."
    );
}

/** Inputs of an alicloud provider that determine account and region. */
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

/** Returns the differences between an alicloud provider and the component's account and region. */
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
    // Key ids are kept out of logs.
    const shown = (value: string | undefined) =>
        value === undefined ? "none" : name === "accessKey" ? "another" : value;
    return (
        `the alicloud provider that it is given has ${name} ${shown(said)}, ` +
        `but the component itself acts with ${name === "accessKey" ? "the environment's key pair" : shown(own)}. ` +
        "Remedy: say region, profile or role in account of the Cluster, " +
        "which makes the provider, and leave the provider out."
    );
}
