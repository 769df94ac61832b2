import { createHash } from "node:crypto";
import { regionOf } from "../regions";
import { READY_ANNOTATION } from "./stages";
import { versions } from "./layout";
import { waitFor, type Client } from "./client";

/** A node to add. Everything but the name has a default. */
export interface NodeSpec {
    name: string;
    /** Zone, label topology.kubernetes.io/zone. Default "cn-hangzhou-h". Its front part is the region. */
    zone?: string;
    /** ECS instance id, by default derived from the name. The node's providerID is `<region>.<id>`. */
    instanceId?: string;
    /** Provider id of a machine that is no ECS instance, or empty for none at all. */
    providerId?: string;
    /** InternalIP, by default the first free address from 192.168.0.10 on. */
    internalIp?: string;
    labels?: Record<string, string>;
    taints?: { key: string; value?: string; effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute" }[];
    /** Role of the label `node-role.kubernetes.io/<role>`. control-plane and master also get their usual taint. */
    role?: string;
    /** True by default. */
    ready?: boolean;
    /** False by default. */
    unschedulable?: boolean;
    /** CIDR of its pods' addresses, by default that of the cluster. */
    podCidr?: string;
}

export interface Node {
    metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
    spec: {
        providerID?: string;
        unschedulable?: boolean;
        podCIDR?: string;
        taints?: { key: string; effect: string }[];
    };
    status?: {
        addresses?: { type: string; address: string }[];
        conditions?: Condition[];
    };
}

interface Condition {
    type: string;
    status: string;
}

interface Pod {
    metadata: { name: string; namespace: string; deletionGracePeriodSeconds?: number };
    status: { phase: string; conditions?: Condition[] };
}

const NODES = "/api/v1/nodes";
const nodePath = (name: string): string => `${NODES}/${encodeURIComponent(name)}`;
const podPath = (namespace: string, name: string): string =>
    `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
const NOT_READY_TAINT = "node.kubernetes.io/not-ready";

/** Returns an id as ECS makes them in cn-hangzhou, always the same for a name. */
export function instanceIdFor(name: string): string {
    const digits = BigInt(`0x${createHash("sha256").update(name).digest("hex")}`).toString(36);
    return `i-bp1${digits.slice(0, 17)}`;
}

/** First address from 192.168.0.10 on that is not in use. */
export function freeInternalIp(used: ReadonlySet<string>): string {
    for (let host = 10; host < 65_535; host++) {
        const address = `192.168.${host >> 8}.${host & 255}`;
        if ((host & 255) !== 0 && (host & 255) !== 255 && !used.has(address)) return address;
    }
    throw new Error("192.168.0.0/16 has no address left");
}

/** The Node object for a specification that has its address. */
export function nodeObject(spec: NodeSpec & { internalIp: string }): object {
    const zone = spec.zone ?? "cn-hangzhou-h";
    const region = regionOf(zone);
    const role = spec.role === undefined ? {} : { [`node-role.kubernetes.io/${spec.role}`]: "" };
    const taints = [...(spec.taints ?? [])];
    if (spec.role === "control-plane" || spec.role === "master") {
        taints.push({ key: `node-role.kubernetes.io/${spec.role}`, effect: "NoSchedule" });
    }
    const capacity = { cpu: "64", memory: "256Gi", pods: "1000" };
    return {
        apiVersion: "v1",
        kind: "Node",
        metadata: {
            name: spec.name,
            labels: {
                "kubernetes.io/hostname": spec.name,
                "kubernetes.io/os": "linux",
                "kubernetes.io/arch": "amd64",
                "topology.kubernetes.io/region": region,
                "topology.kubernetes.io/zone": zone,
                ...role,
                ...spec.labels,
            },
            annotations: {
                "kwok.x-k8s.io/node": "fake",
                ...(spec.ready === false ? { [READY_ANNOTATION]: "false" } : {}),
            },
        },
        spec: {
            providerID: spec.providerId ?? `${region}.${spec.instanceId ?? instanceIdFor(spec.name)}`,
            ...(taints.length > 0 ? { taints } : {}),
            ...(spec.unschedulable ? { unschedulable: true } : {}),
            ...(spec.podCidr === undefined ? {} : { podCIDR: spec.podCidr, podCIDRs: [spec.podCidr] }),
        },
        status: {
            addresses: addressesOf(spec),
            capacity,
            allocatable: capacity,
            nodeInfo: { kubeletVersion: versions().kubernetes, kubeProxyVersion: "", operatingSystem: "linux" },
            ...(spec.ready === false ? { conditions: [condition("Ready", false)] } : {}),
        },
    };
}

function addressesOf(spec: { name: string; internalIp: string }): { type: string; address: string }[] {
    return [
        { type: "InternalIP", address: spec.internalIp },
        { type: "Hostname", address: spec.name },
    ];
}

function condition(type: string, is: boolean): object {
    const now = new Date().toISOString();
    const why = { reason: "Lab", message: "set by the lab" };
    return { type, status: is ? "True" : "False", ...why, lastTransitionTime: now };
}

/**
 * Adds a node and waits until it is as ready as asked for.
 * @throws ApiError 409 if a node has that name.
 */
export async function addNode(client: Client, spec: NodeSpec): Promise<Node> {
    const internalIp = spec.internalIp ?? freeInternalIp(await usedAddresses(client));
    const object = nodeObject({ ...spec, internalIp });
    await client.create(NODES, object);
    await client.patch(`${nodePath(spec.name)}/status`, {
        status: { addresses: addressesOf({ ...spec, internalIp }) },
    });
    return waitForReadiness(client, spec.name, spec.ready ?? true);
}

async function usedAddresses(client: Client): Promise<Set<string>> {
    const { items } = await client.get<{ items: Node[] }>(NODES);
    return new Set(items.flatMap((node) => node.status?.addresses ?? []).map(({ address }) => address));
}

/** Waits until the condition says so and the node lifecycle controller has drawn its consequence, the taint. */
function waitForReadiness(client: Client, name: string, ready: boolean): Promise<Node> {
    return waitFor(`node ${name} ${ready ? "ready" : "not ready"}`, async () => {
        const node = await client.get<Node>(nodePath(name));
        const tainted = node.spec.taints?.some(({ key }) => key === NOT_READY_TAINT) ?? false;
        return isReady(node.status) === ready && tainted !== ready ? node : undefined;
    });
}

/** Marks a node so that nothing new is scheduled on it, or takes the mark away. */
export function setSchedulable(client: Client, name: string, schedulable: boolean): Promise<Node> {
    return client.patch<Node>(nodePath(name), { spec: { unschedulable: schedulable ? null : true } });
}

/**
 * Makes a node ready or not ready and waits until the control plane has taken note: the condition and the taint. The
 * pods that run there follow their node both ways, as if its kubelet had gone and come back.
 */
export async function setNodeReady(client: Client, name: string, ready: boolean): Promise<void> {
    await client.patch(nodePath(name), hold(!ready));
    // Towards ready, kwok does the rest. Towards not ready it would not, now that the annotation holds kwok back.
    if (!ready) {
        await client.patch(
            `${nodePath(name)}/status`,
            { status: { conditions: [condition("Ready", false)] } },
            "strategic-merge",
        );
    }
    await waitForReadiness(client, name, ready);
    const pods = (await podsOn(client, name)).filter(({ status }) => status.phase === "Running");
    await Promise.all(pods.map(({ metadata }) => setPodReady(client, metadata.namespace, metadata.name, ready)));
}

/** Makes a running pod ready or not ready, as its readiness probe would, and waits until it is. */
export async function setPodReady(client: Client, namespace: string, name: string, ready: boolean): Promise<void> {
    const path = podPath(namespace, name);
    await client.patch(path, hold(!ready));
    if (!ready) {
        const conditions = [condition("Ready", false), condition("ContainersReady", false)];
        await client.patch(`${path}/status`, { status: { conditions } }, "strategic-merge");
    }
    await waitFor(`pod ${namespace}/${name} ${ready ? "ready" : "not ready"}`, async () => {
        const pod = await client.get<Pod>(path);
        return isReady(pod.status) === ready ? true : undefined;
    });
}

function hold(back: boolean): object {
    return { metadata: { annotations: { [READY_ANNOTATION]: back ? "false" : null } } };
}

function isReady(status: { conditions?: Condition[] } | undefined): boolean {
    return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

/**
 * Removes a node together with its pods, which their controllers then make anew elsewhere. Returns when the node and
 * the pods are gone, except pods that a finalizer holds.
 */
export async function removeNode(client: Client, name: string): Promise<void> {
    await setSchedulable(client, name, false);
    // The node goes first: a DaemonSet would put a new pod on it again and again.
    await client.delete(nodePath(name));
    await waitFor(`node ${name} gone`, async () =>
        (await client.find(nodePath(name))) === undefined ? true : undefined,
    );
    await waitFor(`pods of node ${name} gone`, async () => {
        const left = (await podsOn(client, name)).filter(({ metadata }) => metadata.deletionGracePeriodSeconds !== 0);
        for (const { metadata } of left) await client.deleteNow(podPath(metadata.namespace, metadata.name));
        return left.length === 0 ? true : undefined;
    });
}

async function podsOn(client: Client, node: string): Promise<Pod[]> {
    const query = `fieldSelector=${encodeURIComponent(`spec.nodeName=${node}`)}`;
    return (await client.get<{ items: Pod[] }>(`/api/v1/pods?${query}`)).items;
}
