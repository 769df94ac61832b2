/** Pods with readiness gates: found behind endpoints that are not ready, and watched from then on. */
import type { EndpointSliceObject, PodObject, ServiceObject } from "../../kubernetes/types";
import { hasGate, isWaiting, podUid } from "../endpoints";

/** What is needed to find and watch pods. */
export interface PodSource {
    /** A pod by name, or undefined. */
    get(namespace: string, name: string): Promise<PodObject | undefined>;
    /** Watches the pods of a namespace. Gives what ends it. */
    watch(namespace: string): () => void;
    /** Whether a Service is there and has a binding. */
    isBound(namespace: string, name: string): boolean;
    failed(error: unknown): void;
}

/** Endpoints whose pods are remembered as having no gate. */
const REMEMBERED = 10_000;

/**
 * Watches the pods of those namespaces alone in which pods have a gate of a Service that is bound, so that clusters without gates have no watch of pods. A whole namespace, and not
 * the pods that the Service selects now: its selector changes with each rollout of some tools.
 */
export class GatedPods {
    readonly #source: PodSource;
    /** Pods that were asked for without finding a gate, by Service and UID. */
    readonly #asked = new Set<string>();
    readonly #watched = new Map<string, { readonly services: Set<string>; readonly end: () => void }>();

    constructor(source: PodSource) {
        this.#source = source;
    }

    /** Looks at the endpoints of a Service that is bound; asks for each pod once. */
    async look({ metadata }: ServiceObject, slices: readonly EndpointSliceObject[]): Promise<void> {
        const { namespace = "default", name } = metadata;
        for (const endpoint of slices.flatMap((slice) => (slice.endpoints ?? []).filter(isWaiting))) {
            if (this.#watched.get(namespace)?.services.has(name) === true) return;
            const uid = podUid(endpoint);
            const asked = `${namespace}/${name} ${uid}`;
            if (uid === undefined || this.#asked.has(asked)) continue;
            if (this.#asked.size >= REMEMBERED) this.#asked.clear();
            this.#asked.add(asked);
            try {
                const pod = await this.#source.get(namespace, endpoint.targetRef?.name ?? "");
                if (pod === undefined || !hasGate(pod, name)) continue;
                this.#asked.delete(asked);
                this.#watch(namespace, name);
            } catch (error) {
                this.#asked.delete(asked);
                this.#source.failed(error);
            }
        }
    }

    /** Ends the watches of namespaces in which no Service with gates is bound any more. */
    prune(): void {
        for (const [namespace, { services, end }] of this.#watched) {
            for (const name of services) if (!this.#source.isBound(namespace, name)) services.delete(name);
            if (services.size > 0) continue;
            this.#watched.delete(namespace);
            end();
        }
    }

    #watch(namespace: string, name: string): void {
        // It may have gone while its pod was asked for.
        if (!this.#source.isBound(namespace, name)) return;
        const watched = this.#watched.get(namespace) ?? {
            services: new Set(),
            end: this.#source.watch(namespace),
        };
        watched.services.add(name);
        this.#watched.set(namespace, watched);
    }
}
