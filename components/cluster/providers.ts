/**
 * Providers of a component's children: given providers if they lead where the component itself acts, else matching
 * providers.
 */
import { Provider as AlicloudProvider } from "@pulumi/alicloud/provider";
import { Provider as KubernetesProvider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { namedEndpoint } from "../../provider/cloud";
import { openCluster } from "../../provider/cluster";
import { clusterName } from "../../provider/plan/identity";
import type { Account } from "../../provider/schema/account";
import { defined, once } from "../../provider/schema/defined";
import type { ClusterIdentity } from "../../provider/service/objects";
import { accountDigest, accountKey, defaultRegion, otherAccount, resolveAccount } from "./account";
import { fileWithContext } from "./args";
import type { Cluster } from "./cluster";
import { textsOf } from "../run/outputs";
import { perRun } from "../run/run";

/** Returns a component's options with its providers, and the problems of given providers, if any is given. */
export function chooseProviders(cluster: Cluster, account: Account, opts: pulumi.ComponentResourceOptions = {}) {
    const listed = Object.values(opts.providers ?? {});
    const own = [...listed, ...(opts.provider === undefined ? [] : [opts.provider])];
    const given = (name: string) =>
        own.find((one) => packageOf(one) === name) ?? opts.parent?.getProvider(`${name}:index:Any`);
    const { kubeconfig } = cluster.connection;
    const [kubernetes, alicloud] = [given("kubernetes"), given("alicloud")];
    const checks = [
        kubernetes && pulumi.all([textsOf(kubernetes), kubeconfig]).apply(([texts]) => otherCluster(cluster, texts)),
        alicloud && textsOf(alicloud).apply((inputs) => otherAccount(account, inputs)),
    ].filter((check) => check !== undefined);
    const problems = checks.length === 0 ? undefined : pulumi.all(checks).apply((found) => found.flat());
    const made = [kubernetes ?? kubernetesProvider(cluster), alicloud ?? alicloudProvider(cluster, account)];
    const providers = [...listed, ...made.filter((provider) => provider !== undefined)];
    return { options: { ...opts, providers }, problems };
}

/** Returns the problems of a kubernetes provider with these inputs: none if it is of this cluster. */
async function otherCluster({ reads }: Cluster, inputs: Readonly<Record<string, string>>): Promise<string[]> {
    const { kubeconfig, context, cluster } = inputs;
    const other = await openCluster(defined({ kubeconfig, context })).identity();
    const own = await reads.identity();
    const isSame =
        own.uid === undefined || other.uid === undefined ? own.server === other.server : own.uid === other.uid;
    if (isSame && cluster === undefined) return [];
    const name = ({ uid, server }: ClusterIdentity) => clusterName({ server, ...defined({ cluster: uid }) });
    return [
        `the kubernetes provider reaches the cluster ${name(other)}, and \`cluster\` is ${name(own)}. ` +
            "Remedy: make the Cluster with the provider's kubeconfig and context, " +
            "new Cluster({ kubeconfig, context }), and leave the provider out.",
    ];
}

/** Calls a method that is public at run time only. */
const packageOf = (provider: pulumi.ProviderResource) => (provider as unknown as { getPackage(): string }).getPackage();

/** Created providers by name, shared by the components of a cluster. */
const made = perRun(() => new Map<string, pulumi.ProviderResource>());

/** Creates a provider for the cluster, or returns undefined if Pulumi's default provider reaches it. */
function kubernetesProvider({ name: cluster, connection }: Cluster): pulumi.ProviderResource | undefined {
    const { kubeconfig = fileWithContext(connection.context), context, explicit } = connection;
    const name = `ack-loadbalancer/${cluster}`;
    return explicit
        ? once(made(), name, () => new KubernetesProvider(name, defined({ kubeconfig, context })))
        : undefined;
}

/** Creates a provider for the account, or returns undefined if Pulumi's default provider uses the same. */
function alicloudProvider(cluster: Cluster, account: Account): pulumi.ProviderResource | undefined {
    const key = accountKey(account);
    if (key === accountKey(resolveAccount()) || key === defaultRegion()) return undefined;
    const { region, profile, assumeRole, endpoints } = account;
    const name = `ack-loadbalancer/${cluster.name}/${region ?? "account"}-${accountDigest(account)}`;
    const role = assumeRole && { sessionName: "ack-loadbalancer", ...assumeRole };
    // The plugin does not read the environment's host of STS.
    const sts = role && namedEndpoint("sts", { endpoints, env: process.env });
    const hosts = sts === undefined ? endpoints : { ...endpoints, sts };
    const args = defined({ region, profile, assumeRole: role, endpoints: hosts && [hosts] });
    return once(made(), name, () => new AlicloudProvider(name, args));
}
