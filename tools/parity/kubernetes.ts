import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type {
    EndpointSliceObject,
    Ingress,
    NodeObject,
    PodObject,
    ServiceObject,
} from "../../provider/service/objects";

/** The objects of a cluster, as far as a Service and its backends need them. */
export interface ClusterObjects {
    nodes: NodeObject[];
    pods: PodObject[];
    /** By `namespace/name`. */
    readonly services: Map<string, ServiceObject>;
    /** By `namespace/name` of the Service. */
    readonly endpointSlices: Map<string, readonly EndpointSliceObject[]>;
}

/** Status that was written to Services, by `namespace/name`. */
export type Statuses = Map<string, readonly Ingress[]>;

/** Fields of a Service that a run writes: an annotation that names its controller, and the status. */
interface ServicePatch {
    readonly metadata?: { readonly annotations?: Readonly<Record<string, string | null>> };
    readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly Ingress[] | null } };
}

const SERVICE = /^\/api\/v1\/namespaces\/([^/]+)\/services\/([^/]+)(\/status)?$/;
const LIST = /^\/(?:api\/v1|apis\/discovery\.k8s\.io\/v1)\/(?:namespaces\/([^/]+)\/)?(nodes|pods|endpointslices)$/;

/** Lists of what no Service here has, and commands that inspect a Service read. */
const EMPTY = /\/(?:events|leases|deployments)$/;

/** A minimal API server with objects in memory. A control plane for each of hundreds of cases would take minutes. */
export class ClusterServer {
    objects: ClusterObjects = emptyObjects();
    readonly statuses: Statuses = new Map();
    /** Annotations written to Services, by `namespace/name`. They stay when a manifest without them is applied. */
    readonly #annotations = new Map<string, Readonly<Record<string, string | null>>>();
    readonly #server = http.createServer((request, response) => void this.#answer(request, response));

    /** @param others answers requests for resources that are not here. Default: there are none */
    constructor(
        private readonly others: (method: string, url: URL, body: string) => object | undefined = () => undefined,
    ) {}

    /** Starts to listen and resolves to the URL. */
    async start(): Promise<string> {
        await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    /** Returns what was written to a Service, by `namespace/name`, and not taken back. */
    writtenTo(key: string): Readonly<Record<string, unknown>> {
        const ingress = this.statuses.get(key) ?? [];
        return { ...(ingress.length > 0 && { ingress }), ...withoutNull(this.#annotations.get(key) ?? {}) };
    }

    /** Removes a Service, by `namespace/name`, with its endpoints and with what was written to it. */
    removeService(key: string): void {
        for (const part of [this.objects.services, this.objects.endpointSlices, this.statuses, this.#annotations])
            part.delete(key);
    }

    /** Forgets everything. */
    reset(): void {
        this.objects = emptyObjects();
        this.statuses.clear();
        this.#annotations.clear();
    }

    async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
        const url = new URL(request.url ?? "/", "http://cluster.invalid");
        const body = await text(request);
        const method = request.method ?? "GET";
        const answer = this.others(method, url, body) ?? this.#find(method, url, body);
        response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
        response.end(
            JSON.stringify(
                answer ?? {
                    kind: "Status",
                    status: "Failure",
                    reason: "NotFound",
                    code: 404,
                    message: `${url.pathname} not found`,
                },
            ),
        );
    }

    #find(method: string, url: URL, body: string): object | undefined {
        const [, namespace = "", name = "", status] = SERVICE.exec(url.pathname) ?? [];
        const key = `${namespace}/${name}`;
        if (name !== "") {
            const service = this.objects.services.get(key);
            if (service === undefined) return undefined;
            if (method === "PATCH") {
                const patch = JSON.parse(body) as ServicePatch;
                if (status === undefined) {
                    this.#annotations.set(key, { ...this.#annotations.get(key), ...patch.metadata?.annotations });
                } else {
                    this.statuses.set(key, patch.status?.loadBalancer?.ingress ?? []);
                }
            }
            const metadata = {
                ...service.metadata,
                annotations: withoutNull({ ...service.metadata.annotations, ...this.#annotations.get(key) }),
            };
            return { ...service, metadata, status: { loadBalancer: { ingress: this.statuses.get(key) ?? [] } } };
        }
        if (EMPTY.test(url.pathname)) return list([]);
        if (url.pathname === "/apis") return { kind: "APIGroupList", groups: [] };
        const [, listed = "", kind] = LIST.exec(url.pathname) ?? [];
        const selector = url.searchParams.get("labelSelector") ?? "";
        switch (kind) {
            case "nodes":
                return list(this.objects.nodes);
            case "pods":
                return list(this.objects.pods.filter((pod) => pod.metadata.namespace === listed));
            case "endpointslices":
                return list(this.#slices(listed, selector.split("=")[1]));
            default:
                return undefined;
        }
    }

    /** @param service name of the Service. Default: those of all Services of the namespace */
    #slices(namespace: string, service: string | undefined): EndpointSliceObject[] {
        const ofService = ([key]: [string, unknown]): boolean =>
            service === undefined ? key.startsWith(`${namespace}/`) : key === `${namespace}/${service}`;
        return [...this.objects.endpointSlices].filter(ofService).flatMap(([, slices]) => slices);
    }
}

export function emptyObjects(): ClusterObjects {
    return { nodes: [], pods: [], services: new Map(), endpointSlices: new Map() };
}

export function list(items: readonly object[]): object {
    return { kind: "List", apiVersion: "v1", metadata: {}, items };
}

/** A merge patch takes away what it gives as null. */
function withoutNull(annotations: Readonly<Record<string, string | null>>): Record<string, string> {
    return Object.fromEntries(
        Object.entries(annotations).filter((entry): entry is [string, string] => entry[1] !== null),
    );
}

/** A kubeconfig that leads to a server without any protection. */
export function kubeconfigFor(server: string): string {
    return JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters: [{ name: "parity", cluster: { server, "insecure-skip-tls-verify": true } }],
        users: [{ name: "parity", user: {} }],
        contexts: [{ name: "parity", context: { cluster: "parity", user: "parity" } }],
        "current-context": "parity",
    });
}
