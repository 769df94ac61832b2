import { waitFor, type Client } from "./client";

type Labels = Readonly<Record<string, string>>;

interface Deployment {
    metadata: { generation: number };
    spec: { replicas: number; template: { metadata: { labels?: Labels } } };
    status: { observedGeneration?: number; replicas?: number; updatedReplicas?: number; readyReplicas?: number };
}

interface Pod {
    metadata: { name: string; labels?: Labels; deletionTimestamp?: string };
    spec: { hostNetwork?: boolean };
    status: { conditions?: { type: string; status: string }[]; podIP?: string };
}

interface Service {
    metadata: { name: string };
    spec: { selector?: Labels; publishNotReadyAddresses?: boolean };
}

export interface EndpointSlice {
    addressType: string;
    endpoints: Endpoint[] | null;
    ports: { name?: string; port: number; protocol: string }[] | null;
}

export interface Endpoint {
    addresses: string[];
    conditions: { ready?: boolean; serving?: boolean; terminating?: boolean };
    nodeName?: string;
    zone?: string;
    targetRef?: { kind: string; namespace: string; name: string };
}

const deploymentPath = (namespace: string, name: string): string =>
    `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/deployments/${encodeURIComponent(name)}`;

/** Sets the number of replicas, without waiting. */
export async function scaleDeployment(
    client: Client,
    namespace: string,
    name: string,
    replicas: number,
): Promise<void> {
    await client.patch(`${deploymentPath(namespace, name)}/scale`, { spec: { replicas } });
}

const selects = (selector: Labels, labels: Labels): boolean =>
    Object.entries(selector).every(([name, value]) => labels[name] === value);

const isReady = ({ metadata, status }: Pod): boolean =>
    metadata.deletionTimestamp === undefined &&
    (status.conditions ?? []).some((condition) => condition.type === "Ready" && condition.status === "True");

const podsPath = (namespace: string): string => `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;

/** Reports whether the EndpointSlices of the Services that select these labels have exactly the ready ones of the pods. */
async function endpointsFollow(
    client: Client,
    namespace: string,
    labels: Labels,
    pods: readonly Pod[],
): Promise<boolean> {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/services`;
    const { items: services } = await client.get<{ items: Service[] }>(path);
    for (const { metadata, spec } of services) {
        const { selector = {}, publishNotReadyAddresses } = spec;
        if (Object.keys(selector).length === 0 || publishNotReadyAddresses || !selects(selector, labels)) continue;
        const selected = pods.filter((pod) => isReady(pod) && selects(selector, pod.metadata.labels ?? {}));
        const endpoints = await readyEndpoints(client, namespace, metadata.name);
        const known = new Set(endpoints.map(({ targetRef }) => targetRef?.name ?? ""));
        if (selected.length !== known.size || selected.some((pod) => !known.has(pod.metadata.name))) return false;
    }
    return true;
}

/**
 * Deletes those of the pods that share an address, and reports whether there were any. Where kwok meets its
 * first two pods at once, it makes a pool of addresses for each and gives both the same address. All of them are
 * deleted, because the address of a single deleted pod would be used again.
 */
async function deleteTwins(client: Client, namespace: string, selected: readonly Pod[]): Promise<boolean> {
    const pods = selected.filter(({ spec, status }) => spec.hostNetwork !== true && status.podIP !== undefined);
    const seen = new Set<string | undefined>();
    const shared = new Set<string | undefined>();
    for (const { status } of pods) (seen.has(status.podIP) ? shared : seen).add(status.podIP);
    const twins = pods.filter(({ status }) => shared.has(status.podIP));
    const path = podsPath(namespace);
    await Promise.all(twins.map(({ metadata }) => client.deleteNow(`${path}/${encodeURIComponent(metadata.name)}`)));
    return twins.length > 0;
}

/**
 * Waits until a Deployment has exactly its desired pods, all of its latest template, ready and with distinct addresses,
 * and the endpoints of its Services include them.
 */
export async function waitForDeployment(
    client: Client,
    namespace: string,
    name: string,
    timeout?: number,
): Promise<void> {
    let seen = "";
    await waitFor(
        `deployment ${namespace}/${name} ready`,
        async () => {
            const { metadata, spec, status } = await client.get<Deployment>(deploymentPath(namespace, name));
            seen = `${status.readyReplicas ?? 0} of ${spec.replicas} replicas are ready`;
            const counts = [status.replicas, status.updatedReplicas, status.readyReplicas];
            const settled = status.observedGeneration === metadata.generation;
            if (!settled || counts.some((count) => (count ?? 0) !== spec.replicas)) return undefined;
            const { labels = {} } = spec.template.metadata;
            const { items } = await client.get<{ items: Pod[] }>(podsPath(namespace));
            const pods = items.filter((pod) => selects(labels, pod.metadata.labels ?? {}));
            if (await deleteTwins(client, namespace, pods)) return undefined;
            // The status still counts pods that have just been deleted.
            const ready = pods.filter(isReady).length;
            seen = `${ready} of ${spec.replicas} pods are ready`;
            if (ready < spec.replicas) return undefined;
            if (await endpointsFollow(client, namespace, labels, items)) return true;
            seen += ", and a Service's endpoints are others yet";
            return undefined;
        },
        { ...(timeout === undefined ? {} : { timeout }), state: () => seen },
    );
}

/** EndpointSlices of a Service. */
export async function endpointSlices(client: Client, namespace: string, service: string): Promise<EndpointSlice[]> {
    const query = `labelSelector=${encodeURIComponent(`kubernetes.io/service-name=${service}`)}`;
    const path = `/apis/discovery.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/endpointslices?${query}`;
    return (await client.get<{ items: EndpointSlice[] }>(path)).items;
}

async function readyEndpoints(client: Client, namespace: string, service: string): Promise<Endpoint[]> {
    const slices = await endpointSlices(client, namespace, service);
    return slices.flatMap(({ endpoints }) => endpoints ?? []).filter(({ conditions }) => conditions.ready !== false);
}

/**
 * Waits until a Service has exactly `count` ready endpoints, and returns them.
 * @param timeout milliseconds, 60 s by default.
 */
export function waitForEndpoints(
    client: Client,
    namespace: string,
    service: string,
    count: number,
    timeout?: number,
): Promise<Endpoint[]> {
    let seen = 0;
    return waitFor(
        `${count} ready endpoints of ${namespace}/${service}`,
        async () => {
            const ready = await readyEndpoints(client, namespace, service);
            seen = ready.length;
            return seen === count ? ready : undefined;
        },
        { ...(timeout === undefined ? {} : { timeout }), state: () => `there are ${seen}` },
    );
}
