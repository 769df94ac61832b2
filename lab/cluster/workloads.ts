import { waitFor, type Client } from "./client";

interface Deployment {
    metadata: { generation: number };
    spec: { replicas: number };
    status: { observedGeneration?: number; replicas?: number; updatedReplicas?: number; readyReplicas?: number };
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

/** Sets the number of replicas; does not wait. */
export async function scaleDeployment(
    client: Client,
    namespace: string,
    name: string,
    replicas: number,
): Promise<void> {
    await client.patch(`${deploymentPath(namespace, name)}/scale`, { spec: { replicas } });
}

/** Waits until a Deployment has just the pods it wants, all of its latest template and ready. */
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
            return settled && counts.every((count) => (count ?? 0) === spec.replicas) ? true : undefined;
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

/**
 * Waits until a Service has exactly `count` ready endpoints, and returns them.
 * @param timeout milliseconds; 60 s by default.
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
            const slices = await endpointSlices(client, namespace, service);
            const ready = slices
                .flatMap(({ endpoints }) => endpoints ?? [])
                .filter(({ conditions }) => conditions.ready !== false);
            seen = ready.length;
            return seen === count ? ready : undefined;
        },
        { ...(timeout === undefined ? {} : { timeout }), state: () => `there are ${seen}` },
    );
}
