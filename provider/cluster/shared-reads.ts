/** Services and EndpointSlices for all Services of a run: read by lists if that takes fewer requests. */

import { systemClock, type Clock } from "../net";
import { ClusterError } from "./error";
import type { ClusterReader } from "./reader";
import { type EndpointSliceObject, SERVICE_NAME_LABEL, type ServiceObject } from "../service/objects";

/** Number of Services from which a list is read: a cluster may have many pages of other Services. */
export const LIST_FROM = 5;

/** Milliseconds for which a list of EndpointSlices is used: a long run needs newer ones at its end. */
const LIST_AGE_MS = 60_000;

type Reader = Pick<ClusterReader, "getService" | "listServices" | "listEndpointSlices" | "listSlicesOfServices">;

interface Waiting {
    readonly namespace: string;
    readonly name: string;
    readonly resolve: (service: Promise<ServiceObject | undefined>) => void;
}

/** EndpointSlices by `namespace/name` of their Services; undefined if the cluster's list cannot be used. */
interface SliceList {
    readonly begun: number;
    readonly slices: Promise<ReadonlyMap<string, EndpointSliceObject[]> | undefined>;
}

/**
 * Reader of Services and EndpointSlices that the Services of a run share.
 *
 * A list needs the permission to list in the namespace of the Services, or in all namespaces if they are in several.
 * Without it, or if the list contains an object that cannot be read, each Service is read by itself.
 */
export class SharedReads {
    readonly #services = new Map<string, Promise<ServiceObject | undefined>>();
    #waiting: Waiting[] = [];
    #slices: SliceList | undefined;

    constructor(
        private readonly reader: Reader,
        private readonly clock: Pick<Clock, "now"> = systemClock,
    ) {}

    /** Reads a Service once. Calls within one turn of the event loop are read together. */
    service(namespace: string, name: string): Promise<ServiceObject | undefined> {
        const key = `${namespace}/${name}`;
        const known = this.#services.get(key) ?? this.#enqueue(namespace, name);
        this.#services.set(key, known);
        return known;
    }

    /** Reads the EndpointSlices of a Service; `fresh` if its endpoints may just have changed. */
    async endpointSlices(
        namespace: string,
        name: string,
        { fresh }: { readonly fresh: boolean },
    ): Promise<EndpointSliceObject[]> {
        const key = `${namespace}/${name}`;
        const isListed = !fresh && this.#services.size >= LIST_FROM && this.#services.has(key);
        const slices = isListed ? (await this.#currentSlices())?.get(key) : undefined;
        return slices ?? this.reader.listEndpointSlices(namespace, name);
    }

    #enqueue(namespace: string, name: string): Promise<ServiceObject | undefined> {
        return new Promise((resolve) => {
            if (this.#waiting.length === 0) setImmediate(() => void this.#readWaiting());
            this.#waiting.push({ namespace, name, resolve });
        });
    }

    async #readWaiting(): Promise<void> {
        const waiting = this.#waiting;
        this.#waiting = [];
        const readEach = (): void => {
            for (const { namespace, name, resolve } of waiting) resolve(this.reader.getService(namespace, name));
        };
        if (waiting.length < LIST_FROM) return readEach();
        try {
            const listed = await this.reader.listServices(onlyNamespace(waiting.map(({ namespace }) => namespace)));
            const byKey = new Map(
                listed.map((service) => [`${service.metadata.namespace ?? ""}/${service.metadata.name}`, service]),
            );
            for (const { namespace, name, resolve } of waiting)
                resolve(Promise.resolve(byKey.get(`${namespace}/${name}`)));
        } catch (error) {
            if (canReadEach(error)) readEach();
            else for (const { resolve } of waiting) resolve(Promise.reject(error));
        }
    }

    #currentSlices(): SliceList["slices"] {
        const now = this.clock.now();
        if (this.#slices === undefined || now - this.#slices.begun > LIST_AGE_MS)
            this.#slices = { begun: now, slices: this.#listSlices() };
        return this.#slices.slices;
    }

    async #listSlices(): SliceList["slices"] {
        const keys = [...this.#services.keys()];
        const namespace = onlyNamespace(keys.map((key) => key.slice(0, key.indexOf("/"))));
        try {
            const listed = await this.reader.listSlicesOfServices(namespace);
            const byKey = new Map(keys.map((key): [string, EndpointSliceObject[]] => [key, []]));
            for (const slice of listed) {
                const { namespace = "", labels } = slice.metadata;
                byKey.get(`${namespace}/${labels?.[SERVICE_NAME_LABEL] ?? ""}`)?.push(slice);
            }
            return byKey;
        } catch (error) {
            if (canReadEach(error)) return undefined;
            throw error;
        }
    }
}

/** Returns the namespace if all are equal. */
function onlyNamespace(namespaces: readonly string[]): string | undefined {
    const [first, ...others] = new Set(namespaces);
    return others.length === 0 ? first : undefined;
}

/** True if single reads may succeed after a list has failed. */
const canReadEach = (error: unknown): boolean =>
    error instanceof ClusterError && ["forbidden", "invalid", "not-found"].includes(error.kind);
