/** Pods with readiness gates: found behind endpoints that are not ready, and watched from then on. */
import type { EndpointSliceObject, PodObject, ServiceObject } from "../../kubernetes/types";
import { hasGate, isWaiting, podUid } from "../endpoints";

/** What is needed to find and watch pods. */
export interface PodSource {
    /** A pod by name, or undefined. */
    get(namespace: string, name: string): Promise<PodObject | undefined>;
    /** Watches the pods that a selector finds in a namespace. */
    watch(namespace: string, labelSelector: string): Promise<unknown>;
    failed(error: unknown): void;
}

/** Endpoints whose pods are remembered as having no gate. */
const REMEMBERED = 10_000;

/** Watches pods of those Services alone whose pods have a gate, so that clusters without gates have no watch of all pods. */
export class GatedPods {
    readonly #source: PodSource;
    readonly #asked = new Set<string>();
    readonly #watched = new Set<string>();

    constructor(source: PodSource) {
        this.#source = source;
    }

    /** Looks at the endpoints of a Service that is bound; asks for each pod once. */
    async look(service: ServiceObject, slices: readonly EndpointSliceObject[]): Promise<void> {
        const { namespace = "default", name } = service.metadata;
        const key = `${namespace}/${name}`;
        const selector = selectorOf(service);
        // Without a selector, the pods behind the endpoints are not known by any label: nothing can be watched.
        if (selector === "" || this.#watched.has(key)) return;
        const waiting = slices.flatMap((slice) => (slice.endpoints ?? []).filter(isWaiting));
        for (const endpoint of waiting) {
            const uid = podUid(endpoint);
            if (uid === undefined || this.#asked.has(uid)) continue;
            if (this.#asked.size >= REMEMBERED) this.#asked.clear();
            this.#asked.add(uid);
            try {
                const pod = await this.#source.get(namespace, endpoint.targetRef?.name ?? "");
                if (pod === undefined || !hasGate(pod, name)) continue;
                this.#watched.add(key);
                await this.#source.watch(namespace, selector);
                return;
            } catch (error) {
                this.#asked.delete(uid);
                this.#watched.delete(key);
                this.#source.failed(error);
            }
        }
    }
}

const selectorOf = ({ spec }: ServiceObject): string =>
    Object.entries(spec?.selector ?? {})
        .map(([key, value]) => `${key}=${value}`)
        .join(",");
