/** From the objects of a cluster to facts about it: a pure function. */

import { parse } from "yaml";
import { z } from "zod";
import { parseJsonObject } from "../../net";
import { REGION } from "../../schema/region";
import type { NetworkPlugin } from "../../schema/facts";
import { defined } from "../../schema/defined";

/** The objects that tell something, as far as they could be read; all are of the namespace kube-system. */
export interface ClusterObjects {
    /** `data` of the ConfigMaps, by their names. */
    readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>;
    /** Names of the DaemonSets. */
    readonly daemonSets: readonly string[];
    /** As the API server gives it, for example `v1.34.1`. */
    readonly kubernetesVersion?: string;
    /** `spec.providerID` of a node: `<region>.<instance>`. */
    readonly providerId?: string;
}

/** What a cluster says of itself; what it does not say is absent. */
export interface Discovery {
    /** The ACK cluster id. */
    readonly clusterId?: string;
    /** Id of the Alibaba Cloud account that the cluster belongs to. */
    readonly accountId?: string;
    /** For example `cn-hangzhou`. */
    readonly region?: string;
    readonly vpcId?: string;
    /** vSwitches of the control plane, in their order. */
    readonly vswitches?: readonly string[];
    readonly networkPlugin?: NetworkPlugin;
    readonly kubeProxyMode?: "iptables" | "ipvs";
    /** Address range of Services, for example `172.16.0.0/16`. */
    readonly serviceCidr?: string;
    readonly ipStack?: string;
    readonly kubernetesVersion?: string;
}

/** Names of what can be found out. */
export type DiscoveredField = keyof Discovery;

/** ConfigMap that holds the cluster's id, in the namespace kube-system. */
export const PROFILE = "ack-cluster-profile";

/** ConfigMaps that are read. Sources: the CSI driver, Terway and the console of ACK, in public code. */
export const CONFIG_MAPS = [PROFILE, "acs-profile", "kube-proxy-worker", "eni-config"] as const;

/** DaemonSets that tell the network plugin. */
const PLUGINS: Readonly<Record<string, NetworkPlugin>> = {
    "terway-eniip": "terway",
    terway: "terway",
    "kube-flannel-ds": "flannel",
};

/** Reads the objects. What is there in a form that is not known counts as not there: it must decide nothing. */
export function interpret({ configMaps, daemonSets, kubernetesVersion, providerId }: ClusterObjects): Discovery {
    const profile = configMaps[PROFILE] ?? {};
    const zones = vswitchesOf(profile["vsw-zone"]);
    const listed = listOf(profile["vswitch"]);
    const vswitches = zones.length > 0 ? zones.map(({ id }) => id) : listed;
    const eni = parseJsonObject(configMaps["eni-config"]?.["eni_conf"] ?? "");
    return defined({
        clusterId: text(profile["clusterid"]),
        accountId: text(profile["uid"]),
        region: agreed(zones.map(({ zone }) => regionOfZone(zone))) ?? regionOfNode(providerId),
        vpcId: text(profile["vpcid"]) ?? text(configMaps["acs-profile"]?.["vpcId"]),
        vswitches: vswitches.length > 0 ? vswitches : undefined,
        networkPlugin: agreed([
            ...daemonSets.flatMap((name) => (Object.hasOwn(PLUGINS, name) ? [PLUGINS[name] as NetworkPlugin] : [])),
            ...(eni === undefined ? [] : (["terway"] as const)),
        ]),
        kubeProxyMode: proxyMode(configMaps["kube-proxy-worker"]?.["config.conf"]),
        serviceCidr: text(profile["serviceCIDR"]) ?? text(eni?.["service_cidr"]),
        ipStack: text(profile["ipStack"]) ?? text(eni?.["ip_stack"]),
        kubernetesVersion: text(kubernetesVersion),
    });
}

/** A text that says something. */
function text(value: unknown): string | undefined {
    const trimmed = typeof value === "string" ? value.trim() : "";
    return trimmed === "" ? undefined : trimmed;
}

const listOf = (value: string | undefined): string[] => (value ?? "").split(",").flatMap((entry) => text(entry) ?? []);

/** `vsw-aaa:cn-beijing-l, vsw-bbb:cn-beijing-k`; entries may be empty. */
function vswitchesOf(value: string | undefined): { readonly id: string; readonly zone: string }[] {
    return listOf(value).flatMap((entry) => {
        const [id = "", zone = "", ...rest] = entry.split(":").map((part) => part.trim());
        return id === "" || zone === "" || rest.length > 0 ? [] : [{ id, zone }];
    });
}

/** The value that all of them have; undefined if there is none or they differ. */
function agreed<Value>(values: readonly Value[]): Value | undefined {
    const [first, ...others] = new Set(values);
    return others.length === 0 ? first : undefined;
}

/** `cn-beijing-l` is a zone of `cn-beijing`, and `ap-southeast-1a` one of `ap-southeast-1`; undefined if it is neither's form. */
function regionOfZone(zone: string): string | undefined {
    const [, letters, digits] =
        /^(?:([a-z]{2,}(?:-[a-z0-9]+)+)-[a-z]|([a-z]{2,}(?:-[a-z0-9]+)*-\d+)[a-z])$/.exec(zone) ?? [];
    return letters ?? digits;
}

/** `cn-hangzhou.i-bp1…`, or `alicloud://cn-hangzhou.i-bp1…`. */
function regionOfNode(providerId = ""): string | undefined {
    const region = /^(?:[\w-]+:\/\/)?([^.]+)\.i-/.exec(providerId)?.[1] ?? "";
    return REGION.test(region) ? region : undefined;
}

const PROXY = z.looseObject({ mode: z.string().optional() });

/** The mode of a KubeProxyConfiguration; the empty one is iptables on Linux. */
function proxyMode(config: string | undefined): Discovery["kubeProxyMode"] {
    if (config === undefined) return undefined;
    try {
        const read = PROXY.safeParse(parse(config, { logLevel: "silent" }));
        const mode = read.success ? (read.data.mode ?? "") : undefined;
        if (mode === "") return "iptables";
        return mode === "ipvs" || mode === "iptables" ? mode : undefined;
    } catch {
        return undefined;
    }
}
