import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { ENDPOINT_SLICE, NAMESPACE, NODE, POD, RESOURCES, SERVER_VERSION, SERVICE } from "./answers";
import { Client, type ClientOptions, type Path, unlessForbidden } from "./client";
import { ClusterError } from "./error";
import { type ClusterEvent, recordEvent } from "./event";
import {
    type ClusterIdentity,
    type EndpointSliceObject,
    type Ingress,
    type NodeObject,
    type PodObject,
    SERVICE_NAME_LABEL,
    type ServiceObject,
} from "../service/objects";
import { defined, ignoring } from "../schema/defined";

/** Time for which a deleted Service may stay, and time between two reads, in milliseconds. */
const DELETE_LIMIT = 60_000;
const DELETE_POLL = 100;

const CORE = ["api", "v1"];
const DISCOVERY = ["apis", "discovery.k8s.io", "v1"];

/** Reader and writer of the cluster of the Services. Every method throws a {@link ClusterError} without an answer. */
export type ClusterReader = ReturnType<typeof openCluster>;

/** Opens a cluster. Nothing is read, loaded or sent before the first call. */
export function openCluster(options: ClientOptions = {}) {
    const client = new Client(options);
    return { ...listsOf(client), ...servicesOf(client), ...changesOf(client), ...factsOf(client) };
}

const servicePath = (namespace: string, name: string): Path => [...CORE, ...within(namespace), "services", name];

/** Reads of several objects. */
function listsOf(client: Client) {
    const listSlices = (
        namespace: string | undefined,
        action: string,
        labelSelector: string | Readonly<Record<string, string>>,
    ): Promise<EndpointSliceObject[]> =>
        client.list(
            `list endpointslices${action}`,
            [...DISCOVERY, ...within(namespace), "endpointslices"],
            ENDPOINT_SLICE,
            { labelSelector },
        );
    return {
        /** Without a namespace lists those of all. */
        listServices: (namespace?: string): Promise<ServiceObject[]> =>
            client.list(`list services${of(namespace)}`, [...CORE, ...within(namespace), "services"], SERVICE),
        listNodes: (): Promise<NodeObject[]> => client.list("list nodes", [...CORE, "nodes"], NODE),
        listEndpointSlices: (namespace: string, name: string) =>
            listSlices(namespace, ` of ${namespace}/${name}`, { [SERVICE_NAME_LABEL]: name }),
        /** Lists the slices of all Services, of a namespace or of all. */
        listSlicesOfServices: (namespace?: string) => listSlices(namespace, of(namespace), SERVICE_NAME_LABEL),
        /** Lists the pods with all these labels. An empty selector selects none, as in a Service. */
        async listPods(namespace: string, labelSelector: Readonly<Record<string, string>>): Promise<PodObject[]> {
            if (Object.keys(labelSelector).length === 0) return [];
            const path = [...CORE, ...within(namespace), "pods"];
            return client.list(`list pods${of(namespace)}`, path, POD, { labelSelector });
        },
    };
}

/** Reads and writes of a Service. */
function servicesOf(client: Client) {
    /** Returns undefined if there is no such Service. */
    const getService = (namespace: string, name: string): Promise<ServiceObject | undefined> =>
        client.get(`get service ${namespace}/${name}`, servicePath(namespace, name), SERVICE);
    return {
        getService,
        /**
         * Writes `status.loadBalancer` unless it is equal already. Returns true if it wrote.
         *
         * @param uid of the Service. Default: any Service of the name.
         * @throws ClusterError of kind "not-found" without such a Service, "other-object" if its UID differs
         */
        async patchServiceStatus(
            namespace: string,
            name: string,
            { ingress }: { readonly ingress: readonly Ingress[] },
            uid?: string,
        ): Promise<boolean> {
            const action = `patch status of service ${namespace}/${name}`;
            const service = await getService(namespace, name);
            if (!service) {
                const detail = `there is no Service ${name} in namespace ${namespace}`;
                throw new ClusterError({ kind: "not-found", action, detail });
            }
            if (uid !== undefined && service.metadata.uid !== uid) {
                const detail =
                    `the Service of that name has the UID ${service.metadata.uid}, ` +
                    `and the one that is meant has ${uid}`;
                throw new ClusterError({ kind: "other-object", action, server: await client.server(), detail });
            }
            if (isSame(service.status?.loadBalancer?.ingress ?? [], ingress)) return false;
            // A merge patch replaces lists. null removes the field, which an empty list does not do everywhere.
            await client.mergePatch(action, [...servicePath(namespace, name), "status"], {
                status: { loadBalancer: { ingress: ingress.length > 0 ? ingress : null } },
            });
            return true;
        },
        /**
         * Deletes the Service with this UID and waits until it is gone. Another Service of the name is left alone.
         *
         * @throws ClusterError of kind "failed" if a finalizer keeps it for more than a minute
         */
        async deleteService(namespace: string, name: string, uid: string): Promise<void> {
            const action = `delete service ${namespace}/${name}`;
            await client.delete(action, servicePath(namespace, name), { preconditions: { uid } });
            for (let waited = 0; waited < DELETE_LIMIT; waited += DELETE_POLL) {
                if ((await getService(namespace, name))?.metadata.uid !== uid) return;
                await setTimeout(DELETE_POLL);
            }
            const detail = "it is still there after a minute; a finalizer keeps it";
            throw new ClusterError({ kind: "failed", action, detail });
        },
    };
}

/** Writes to a Service, as it stands. */
function changesOf(client: Client) {
    return {
        /** Records an event of a Service, or nothing if that fails: a caller may lack the permission. */
        async recordServiceEvent(
            { namespace, name, uid }: { readonly namespace: string; readonly name: string; readonly uid: string },
            event: ClusterEvent,
        ): Promise<void> {
            const subject = { apiVersion: "v1", kind: "Service", metadata: { namespace, name, uid } };
            await recordEvent(client, subject, event, "ack-loadbalancer").catch(() => undefined);
        },
        /**
         * Applies a merge patch to a Service, where null removes a field.
         *
         * @throws ClusterError of kind "conflict" if the patch has another `metadata.resourceVersion` than the Service
         */
        async patchService(namespace: string, name: string, patch: object): Promise<void> {
            await client.mergePatch(`patch service ${namespace}/${name}`, servicePath(namespace, name), patch);
        },
    };
}

/** Reads about the cluster itself. */
function factsOf(client: Client) {
    const getNamespace = (name: string) => client.get(`get namespace ${name}`, [...CORE, ...within(name)], NAMESPACE);
    return {
        /** Returns true if the cluster has a namespace, or undefined if the caller may not read it. */
        hasNamespace: (name: string) => unlessForbidden(getNamespace(name).then((found) => found !== undefined)),
        async serverVersion() {
            const action = "get the server's version";
            const version = await client.get(action, ["version"], SERVER_VERSION);
            if (version !== undefined) return version;
            throw new ClusterError({ kind: "invalid", action, detail: "the server gives no version" });
        },
        /** True if the cluster has a resource, such as a custom resource. Needs no permission. */
        async serves(group: string, version: string, plural: string): Promise<boolean> {
            // For an unknown group the API server answers with plain text instead of a Status.
            const isUnknown = (error: unknown) => error instanceof ClusterError && error.httpStatus === 404;
            const read = client.get(`look for ${plural}`, ["apis", group, version], RESOURCES);
            return (await ignoring(isUnknown, read))?.resources.some(({ name }) => name === plural) ?? false;
        },
        /** Identifies the cluster, without `uid` if the caller may not read the namespace kube-system. */
        async identity(): Promise<ClusterIdentity> {
            const server = await client.server();
            const namespace = await unlessForbidden(getNamespace("kube-system"));
            return { server, ...defined({ uid: namespace?.metadata.uid }) };
        },
    };
}

const of = (namespace: string | undefined): string => (namespace === undefined ? "" : ` of ${namespace}`);

const within = (namespace: string | undefined): Path => (namespace === undefined ? [] : ["namespaces", namespace]);

/** True if two statuses are equal but for `ipMode: VIP`, which the API server adds by default. */
function isSame(present: readonly Ingress[], desired: readonly Ingress[]): boolean {
    const withoutDefault = (list: readonly Ingress[], other: readonly Ingress[]): Ingress[] =>
        list.map((item, index) => {
            const { ipMode, ...rest } = item;
            return ipMode === "VIP" && other[index]?.ipMode === undefined ? rest : item;
        });
    return isDeepStrictEqual(withoutDefault(present, desired), withoutDefault(desired, present));
}
