import { isDeepStrictEqual } from "node:util";
import { ENDPOINT_SLICE, NAMESPACE, NODE, POD, RESOURCES, SERVER_VERSION, SERVICE } from "./answers";
import { Client, type ClientOptions } from "./client";
import { ClusterError } from "./error";
import type {
    ClusterIdentity,
    EndpointSliceObject,
    Ingress,
    NodeObject,
    PodObject,
    ServerVersion,
    ServiceObject,
} from "./types";
import { defined } from "../schema/defined";

/** The Kubernetes cluster that the Services live in. Every method throws a {@link ClusterError} where the cluster cannot be asked. */
export interface ClusterReader {
    getService(namespace: string, name: string): Promise<ServiceObject | undefined>;
    /** Services of one namespace, or of all. */
    listServices(namespace?: string): Promise<ServiceObject[]>;
    listNodes(): Promise<NodeObject[]>;
    /** The slices that belong to a Service, by their label `kubernetes.io/service-name`. */
    listEndpointSlices(namespace: string, serviceName: string): Promise<EndpointSliceObject[]>;
    /** The slices of all Services, of one namespace or of all. */
    listSlicesOfServices(namespace?: string): Promise<EndpointSliceObject[]>;
    /** The pods that carry all these labels; an empty selector selects none, as it does for a Service. */
    listPods(namespace: string, selector: Readonly<Record<string, string>>): Promise<PodObject[]>;
    /**
     * Writes `status.loadBalancer`, if it is not so already. Says whether it wrote.
     *
     * @param uid of the Service that is meant. Default: whichever has the name.
     * @throws ClusterError of kind "not-found" where the Service is not there, "other-object" where another one has its name
     */
    patchServiceStatus(
        namespace: string,
        name: string,
        loadBalancer: { readonly ingress: readonly Ingress[] },
        uid?: string,
    ): Promise<boolean>;
    /**
     * Changes a Service by a merge patch; null takes a field away. With `metadata.resourceVersion` only if it has not changed since.
     *
     * @throws ClusterError of kind "conflict" where it has
     */
    patchService(namespace: string, name: string, patch: object): Promise<void>;
    /**
     * Deletes the Service with this UID and returns when it is gone; one that is gone already, or that was made anew, is left alone.
     *
     * @throws ClusterError of kind "failed" where a finalizer keeps it for more than a minute
     */
    deleteService(namespace: string, name: string, uid: string): Promise<void>;
    serverVersion(): Promise<ServerVersion>;
    /** Whether the cluster knows a resource, such as a custom one, by its plural. Everybody who is let in may ask. */
    serves(groupVersion: string, plural: string): Promise<boolean>;
    /** Which cluster this is. Without `uid` where the caller may not read the namespace kube-system. */
    identity(): Promise<ClusterIdentity>;
}

/** How long a deleted Service may stay, and how often to look, in milliseconds. */
const DELETE_LIMIT = 60_000;
const DELETE_POLL = 100;

/** Opens a cluster. Nothing is read, loaded or sent before the first question. */
export function openCluster(options: ClientOptions = {}): ClusterReader {
    const client = new Client(options);
    const servicePath = (namespace: string, name: string): string =>
        `/api/v1/namespaces/${encodeURIComponent(namespace)}/services/${encodeURIComponent(name)}`;

    const cluster: ClusterReader = {
        async getService(namespace, name) {
            return client.get(`get service ${namespace}/${name}`, servicePath(namespace, name), SERVICE);
        },
        listServices: (namespace) =>
            client.list(`list services${of(namespace)}`, `/api/v1${within(namespace)}/services`, SERVICE),
        listNodes: () => client.list("list nodes", "/api/v1/nodes", NODE),
        listEndpointSlices: (namespace, serviceName) =>
            client.list(
                `list endpointslices of ${namespace}/${serviceName}`,
                `/apis/discovery.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/endpointslices`,
                ENDPOINT_SLICE,
                {
                    labelSelector: `kubernetes.io/service-name=${serviceName}`,
                },
            ),
        listSlicesOfServices: (namespace) =>
            client.list(
                `list endpointslices${of(namespace)}`,
                `/apis/discovery.k8s.io/v1${within(namespace)}/endpointslices`,
                ENDPOINT_SLICE,
                { labelSelector: "kubernetes.io/service-name" },
            ),
        async listPods(namespace, selector) {
            const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
            if (labels.length === 0) return [];
            return client.list(
                `list pods of ${namespace}`,
                `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`,
                POD,
                { labelSelector: labels.join(",") },
            );
        },
        async patchServiceStatus(namespace, name, { ingress }, uid) {
            const action = `patch status of service ${namespace}/${name}`;
            const service = await cluster.getService(namespace, name);
            if (!service)
                throw new ClusterError({
                    kind: "not-found",
                    action,
                    detail: `there is no Service ${name} in namespace ${namespace}`,
                });
            if (uid !== undefined && service.metadata.uid !== uid)
                throw new ClusterError({
                    kind: "other-object",
                    action,
                    server: await client.server(),
                    detail: `the Service of that name has the UID ${service.metadata.uid}, and the one that is meant has ${uid}`,
                });
            const present = service.status?.loadBalancer?.ingress ?? [];
            if (same(present, ingress)) return false;
            // A merge patch replaces lists whole; null takes the field away, which an empty list would not do everywhere.
            await client.mergePatch(action, `${servicePath(namespace, name)}/status`, {
                status: { loadBalancer: { ingress: ingress.length > 0 ? ingress : null } },
            });
            return true;
        },
        async patchService(namespace, name, patch) {
            await client.mergePatch(`patch service ${namespace}/${name}`, servicePath(namespace, name), patch);
        },
        async deleteService(namespace, name, uid) {
            const action = `delete service ${namespace}/${name}`;
            await client.delete(action, servicePath(namespace, name), { preconditions: { uid } });
            for (let waited = 0; waited < DELETE_LIMIT; waited += DELETE_POLL) {
                if ((await cluster.getService(namespace, name))?.metadata.uid !== uid) return;
                await new Promise((resolve) => setTimeout(resolve, DELETE_POLL));
            }
            throw new ClusterError({
                kind: "failed",
                action,
                detail: "it is still there after a minute; a finalizer keeps it",
            });
        },
        async serverVersion() {
            const action = "get the server's version";
            const version = await client.get(action, "/version", SERVER_VERSION);
            if (version === undefined)
                throw new ClusterError({ kind: "invalid", action, detail: "the server gives no version" });
            return version;
        },
        async serves(groupVersion, plural) {
            try {
                const found = await client.get(`look for ${plural}`, `/apis/${groupVersion}`, RESOURCES);
                return found?.resources.some(({ name }) => name === plural) ?? false;
            } catch (error) {
                // For a group that it does not know the API server has a plain text in place of a Status.
                if (error instanceof ClusterError && error.httpStatus === 404) return false;
                throw error;
            }
        },
        async identity() {
            const server = await client.server();
            try {
                const found = await client.get(
                    "get namespace kube-system",
                    "/api/v1/namespaces/kube-system",
                    NAMESPACE,
                );
                return { server, ...defined({ uid: found?.metadata.uid }) };
            } catch (error) {
                if (error instanceof ClusterError && error.kind === "forbidden") return { server };
                throw error;
            }
        },
    };
    return cluster;
}

const of = (namespace: string | undefined): string => (namespace === undefined ? "" : ` of ${namespace}`);

const within = (namespace: string | undefined): string =>
    namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;

/** Equal apart from what the API server adds by itself: `ipMode: VIP` where none was given. */
function same(present: readonly Ingress[], desired: readonly Ingress[]): boolean {
    const settled = (list: readonly Ingress[], beside: readonly Ingress[]): Ingress[] =>
        list.map((item, index) => {
            const { ipMode, ...rest } = item;
            return ipMode === "VIP" && beside[index]?.ipMode === undefined ? rest : item;
        });
    return isDeepStrictEqual(settled(present, desired), settled(desired, present));
}
