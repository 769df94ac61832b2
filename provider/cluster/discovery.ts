/** Facts that an ACK cluster reports about itself: its identity, place and network. */

import { parse } from "yaml";
import { z } from "zod";
import { collector, type Diagnostic } from "../diagnostics";
import { parseJsonObject } from "../net";
import { agreed, defined, unlessEmpty, unlessThrown } from "../schema/defined";
import type { ClusterFacts, NetworkPlugin } from "../schema/facts";
import { REGION } from "../schema/region";
import { parseKubernetesVersion } from "../schema/versions";
import { CONFIG_MAP, OBJECT, NODE, page, SERVER_VERSION } from "./answers";
import { Client, type ClientOptions, unlessForbidden } from "./client";
import { EDGE_LABELS, ENS_LABEL } from "../service/objects";

/** Objects that a cluster was discovered from, as far as they could be read. All are in kube-system. */
export interface ClusterObjects {
    /** `data` of the ConfigMaps by name. */
    readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly daemonSets: readonly string[];
    /** Version of the API server, for example `v1.34.1`. */
    readonly kubernetesVersion?: string;
    /** `spec.providerID` of a node: `<region>.<instance>`. */
    readonly providerId?: string;
}

const DISCOVERED = ["clusterId", "vpcId", "vswitches", "networkPlugin", "kubeProxyMode", "kubernetesVersion"] as const;

/** Facts that a cluster reports. Unknown facts are absent. The vSwitches are those of the control plane, in order. */
export interface Discovery extends Partial<Pick<ClusterFacts, (typeof DISCOVERED)[number]>> {
    /** Id of the Alibaba Cloud account that owns the cluster. */
    readonly accountId?: string;
    /** For example `cn-hangzhou`. */
    readonly region?: string;
    /** Address range of Services, for example `172.16.0.0/16`. */
    readonly serviceCidr?: string;
    readonly ipStack?: string;
}

/** ConfigMap that holds the cluster's id, in the namespace kube-system. */
export const PROFILE = "ack-cluster-profile";

/** ConfigMaps that are read. Sources: the CSI driver, Terway and the console of ACK, in public code. */
const CONFIG_MAPS = [PROFILE, "acs-profile", "kube-proxy-worker", "eni-config"] as const;

const PLUGINS: ReadonlyMap<string, NetworkPlugin> = new Map([
    ["terway-eniip", "terway"],
    ["terway", "terway"],
    ["kube-flannel-ds", "flannel"],
]);

const NODES = page(NODE);
const DAEMON_SETS = ["apis", "apps", "v1", "namespaces", "kube-system", "daemonsets"];

/** Selects nodes in the cloud: edge nodes may be servers of other regions. */
const IN_CLOUD = [...EDGE_LABELS.map((label) => `${label}!=true`), `!${ENS_LABEL}`].join(",");

/**
 * Discovers the facts of a cluster, in at most seven requests. Objects that may not be read count as missing.
 *
 * @throws ClusterError if the cluster does not answer
 */
export async function discoverCluster(options: ClientOptions = {}): Promise<Discovery> {
    const client = new Client(options);
    const [version, daemonSets, nodes, ...configMaps] = await Promise.all([
        client.get("get the server's version", ["version"], SERVER_VERSION),
        unlessForbidden(client.list("list daemonsets of kube-system", DAEMON_SETS, OBJECT)),
        unlessForbidden(client.get("get a node", ["api", "v1", "nodes"], NODES, { limit: 1, labelSelector: IN_CLOUD })),
        ...CONFIG_MAPS.map((name) => configMap(client, name)),
    ]);
    return interpret({
        configMaps: Object.fromEntries(
            configMaps.flatMap((map) => (map === undefined ? [] : [[map.metadata.name, map.data ?? {}]])),
        ),
        daemonSets: (daemonSets ?? []).map(({ metadata }) => metadata.name),
        ...defined({ kubernetesVersion: version?.gitVersion, providerId: nodes?.items[0]?.spec?.providerID }),
    });
}

/** Reads the id of an ACK cluster, or undefined if it has none or may not be read. */
export async function discoverClusterId(client: Client): Promise<string | undefined> {
    const profile = await configMap(client, PROFILE);
    return text(profile?.data?.["clusterid"]);
}

function configMap(client: Client, name: string) {
    const path = ["api", "v1", "namespaces", "kube-system", "configmaps", name];
    return unlessForbidden(client.get(`get configmap kube-system/${name}`, path, CONFIG_MAP));
}

/** Derives the facts from the objects. Pure. Values in an unknown form count as absent. */
export function interpret({ configMaps, daemonSets, kubernetesVersion, providerId }: ClusterObjects): Discovery {
    const profile = configMaps[PROFILE] ?? {};
    const zones = vswitchesOf(profile["vsw-zone"]);
    const vswitches = zones.length > 0 ? zones.map(({ id }) => id) : listOf(profile["vswitch"]);
    const eni = parseJsonObject(configMaps["eni-config"]?.["eni_conf"] ?? "");
    const plugins = daemonSets.flatMap((name) => PLUGINS.get(name) ?? []);
    return defined({
        clusterId: text(profile["clusterid"]),
        accountId: text(profile["uid"]),
        region: agreed(zones.map(({ zone }) => regionOfZone(zone))) ?? regionOfNode(providerId),
        vpcId: text(profile["vpcid"]) ?? text(configMaps["acs-profile"]?.["vpcId"]),
        vswitches: unlessEmpty(vswitches),
        networkPlugin: agreed([...plugins, ...(eni === undefined ? [] : ["terway" as const])]),
        kubeProxyMode: proxyMode(configMaps["kube-proxy-worker"]?.["config.conf"]),
        serviceCidr: text(profile["serviceCIDR"]) ?? text(eni?.["service_cidr"]),
        ipStack: text(profile["ipStack"]) ?? text(eni?.["ip_stack"]),
        kubernetesVersion: text(kubernetesVersion),
    });
}

function text(value: unknown): string | undefined {
    return (typeof value === "string" && value.trim()) || undefined;
}

const listOf = (value: string | undefined): string[] => (value ?? "").split(",").flatMap((entry) => text(entry) ?? []);

/** Parses `vsw-aaa:cn-beijing-l, vsw-bbb:cn-beijing-k`, where entries may be empty. */
function vswitchesOf(value: string | undefined): { readonly id: string; readonly zone: string }[] {
    return listOf(value).flatMap((entry) => {
        const [id = "", zone = "", ...rest] = entry.split(":").map((part) => part.trim());
        return id === "" || zone === "" || rest.length > 0 ? [] : [{ id, zone }];
    });
}

/** `cn-beijing-l` is a zone of `cn-beijing`, and `ap-southeast-1a` of `ap-southeast-1`. */
function regionOfZone(zone: string): string | undefined {
    const [, letters, digits] =
        /^(?:([a-z]{2,}(?:-[a-z0-9]+)+)-[a-z]|([a-z]{2,}(?:-[a-z0-9]+)*-\d+)[a-z])$/.exec(zone) ?? [];
    return letters ?? digits;
}

/** Parses `cn-hangzhou.i-bp1…` and `alicloud://cn-hangzhou.i-bp1…`. */
function regionOfNode(providerId = ""): string | undefined {
    const region = /^(?:[\w-]+:\/\/)?([^.]+)\.i-/.exec(providerId)?.[1] ?? "";
    return REGION.test(region) ? region : undefined;
}

const PROXY = z.looseObject({ mode: z.enum(["", "iptables", "ipvs"]).optional() });

/** Reads the mode of a KubeProxyConfiguration. An empty mode is iptables on Linux. */
const proxyMode = (config = ""): Discovery["kubeProxyMode"] =>
    unlessThrown(() => PROXY.parse(parse(config, { logLevel: "silent" })).mode || "iptables");

const CONTRADICTABLE = ["clusterId", "vpcId", "networkPlugin", "kubeProxyMode", "kubernetesVersion"] as const;

/**
 * Adds discovered facts to the configured facts. A Kubernetes version keeps only what rules compare: a patch of the
 * control plane must not change Services.
 */
export function withDiscovered(configured: Partial<ClusterFacts>, discovery: Discovery): Partial<ClusterFacts> {
    const version = parseKubernetesVersion(discovery.kubernetesVersion ?? "");
    const kubernetesVersion = version === undefined ? undefined : `v${version.join(".")}`;
    const facts = { ...discovery, kubernetesVersion };
    const added = DISCOVERED.filter((fact) => configured[fact] === undefined && facts[fact] !== undefined);
    return { ...configured, ...Object.fromEntries(added.map((fact) => [fact, facts[fact]])) };
}

const REACH = "reach the cluster that is meant (kubeconfig, context)";

/**
 * Reports each configured fact that differs from the cluster's, and another account or region of the run.
 * vSwitches are not compared: a VPC has others than those of the control plane.
 */
export function contradictions(
    configured: Partial<ClusterFacts>,
    discovery: Discovery,
    run: Pick<Discovery, "accountId" | "region"> = {},
): readonly Diagnostic[] {
    const report = collector("cluster-facts");
    for (const fact of CONTRADICTABLE) {
        const [given, reported] = [configured[fact], discovery[fact]];
        if (given === undefined || reported === undefined || isSame(fact, given, reported)) continue;
        report.error(
            { subject: "cluster facts", path: [fact] },
            `"${given}" is configured, but the cluster says that it is "${reported}"`,
            `remove ${fact} from the configuration, or ${REACH}`,
        );
    }
    const { accountId = run.accountId, region = run.region } = discovery;
    if (run.accountId !== undefined && run.accountId !== accountId) {
        report.error(
            { subject: "account" },
            `the credentials are of account ${run.accountId}, but the cluster belongs to account ${accountId}`,
            `use credentials of the cluster's account, or ${REACH}`,
        );
    }
    if (run.region !== undefined && run.region !== region) {
        const cause = `the run is for region ${run.region}, but the cluster stands in ${region}`;
        report.error({ subject: "region" }, cause, `set alicloud:region to ${region}, or ${REACH}`);
    }
    return report.diagnostics;
}

/** Terway Edge looks like Terway or like nothing. */
function isSame(fact: (typeof CONTRADICTABLE)[number], given: string, reported: string): boolean {
    if (fact === "kubernetesVersion")
        return String(parseKubernetesVersion(given)) === String(parseKubernetesVersion(reported));
    return given === reported || (fact === "networkPlugin" && given === "terway-edge");
}
