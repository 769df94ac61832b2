/** Pods with readiness gates: discovered behind endpoints that are not ready, and watched from then on. */
import { once } from "../../schema/defined";
import type { EndpointSliceObject, PodObject, ServiceObject } from "../../service/objects";
import { hasGate, isWaiting, podUid } from "../observation";

interface PodSource {
    get(namespace: string, name: string): Promise<PodObject | undefined>;
    /** Watches the pods of a namespace. Returns the function that ends it. */
    watch(namespace: string): () => void;
    /** @param service `namespace/name` */
    isBound(service: string): boolean;
    /** @param service `namespace/name`, whose pods are to be looked for again */
    failed(error: unknown, service: string): void;
}

/** Most endpoints that are remembered because their pods have no gate. */
const REMEMBERED = 10_000;

/**
 * Watches of the namespaces with gated pods of a bound Service. A cluster without gates has none. A watch covers all
 * pods of the namespace: some tools change the selector of a Service with each rollout.
 */
export class GatedPods {
    /** Pods without a gate, by Service and UID. */
    readonly #ungated = new Set<string>();
    readonly #watched = new Map<string, { readonly services: Set<string>; readonly end: () => void }>();

    constructor(private readonly source: PodSource) {}

    /** Reads each pod behind the waiting endpoints of a bound Service once, until a pod has a gate. */
    async look({ metadata }: ServiceObject, slices: readonly EndpointSliceObject[]): Promise<void> {
        const { namespace = "default", name } = metadata;
        const service = `${namespace}/${name}`;
        for (const endpoint of slices.flatMap((slice) => (slice.endpoints ?? []).filter(isWaiting))) {
            if (this.#watched.get(namespace)?.services.has(service) === true) return;
            const uid = podUid(endpoint);
            const key = `${service} ${uid}`;
            if (uid === undefined || this.#ungated.has(key)) continue;
            if (this.#ungated.size >= REMEMBERED) this.#ungated.clear();
            this.#ungated.add(key);
            try {
                const pod = await this.source.get(namespace, endpoint.targetRef?.name ?? "");
                if (pod === undefined || !hasGate(pod, name)) continue;
                this.#ungated.delete(key);
                this.#watch(namespace, service);
            } catch (error) {
                this.#ungated.delete(key);
                this.source.failed(error, service);
            }
        }
    }

    /** Ends the watches of namespaces without a bound Service with gates. */
    prune(): void {
        for (const [namespace, { services, end }] of this.#watched) {
            for (const one of services) if (!this.source.isBound(one)) services.delete(one);
            if (services.size > 0) continue;
            this.#watched.delete(namespace);
            end();
        }
    }

    #watch(namespace: string, service: string): void {
        // It may have gone during the read of its pod.
        if (!this.source.isBound(service)) return;
        const watch = () => ({ services: new Set<string>(), end: this.source.watch(namespace) });
        once(this.#watched, namespace, watch).services.add(service);
    }
}
