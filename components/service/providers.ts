/** The providers of a component's children: one connection to the cluster and one account, the same that the component itself uses. */
import { Provider as AlicloudProvider } from "@pulumi/alicloud/provider";
import { Provider as KubernetesProvider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { Account } from "../../provider/schema/account";
import { accountDigest, accountKey, defaultRegion, resolveAccount } from "./account";
import type { Cluster } from "./cluster";
import { fileWithContext } from "./kubeconfig";
import { otherAccount, otherCluster } from "./given-providers";
import { GivenOutputs } from "./outputs";
import { perRun } from "./run";
import { defined } from "../../provider/schema/defined";

/** The providers, and why given ones cannot be used. */
export interface ComponentProviders {
    /** For the component's options. */
    readonly providers: Record<string, pulumi.ProviderResource>;
    /** Undefined if no provider was given; known to be empty if those that were are right. */
    readonly problems: pulumi.Output<readonly string[]> | undefined;
}

/** Chooses the providers of a component: the given ones, if they are shown to be the component's cluster and account, else ones that are made of the same. */
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

/** Options with the providers of a component. */
export function withProviders(
    opts: pulumi.ComponentResourceOptions | undefined,
    { providers }: ComponentProviders,
): pulumi.ComponentResourceOptions | undefined {
    if (Object.keys(providers).length === 0) {
        return opts;
    }
    const { provider, providers: given = {}, ...rest } = opts ?? {};
    const others = Array.isArray(given) ? given : Object.values(given);
    const all = [...others, ...(provider === undefined ? [] : [provider])].filter(
        (one) => !(packageOf(one) in providers),
    );
    return { ...rest, providers: [...all, ...Object.values(providers)] };
}

/** The provider of a package that a component is given, by its own options or by its parent's. */
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
    // Public at run time, and how Pulumi itself sorts providers.
    return (provider as unknown as { getPackage(): string }).getPackage();
}

/** Providers that were made in a run, by name: components of one cluster share them. */
const made = perRun(() => new Map<string, pulumi.ProviderResource>());

function shared<Provider extends pulumi.ProviderResource>(name: string, make: () => Provider): Provider {
    const provider = made().get(name) ?? make();
    made().set(name, provider);
    return provider as Provider;
}

/** A provider for the cluster that the program names; undefined where Pulumi's default provider reaches the same. */
function kubernetesProvider(cluster: Cluster): KubernetesProvider | undefined {
    const { kubeconfig, context, explicit } = cluster.connection;
    if (!explicit) {
        return undefined;
    }
    const name = `ack-loadbalancer/${cluster.name}`;
    const file = kubeconfig ?? fileWithContext(context);
    return shared(
        name,
        () =>
            new KubernetesProvider(name, {
                ...defined({ kubeconfig: file, context }),
            }),
    );
}

/** A provider for the account that the program names; undefined where Pulumi's default provider acts in the same. */
function alicloudProvider(cluster: Cluster, account: Account): AlicloudProvider | undefined {
    const key = accountKey(account);
    if (key === accountKey(resolveAccount(undefined, undefined)) || key === defaultRegion()) {
        return undefined;
    }
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
