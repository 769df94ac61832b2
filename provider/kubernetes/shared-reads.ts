/** Services and EndpointSlices for the many Services of one run: by lists where that takes fewer requests, one by one otherwise. */

import { systemClock, type Clock } from "../net";
import { ClusterError } from "./error";
import type { ClusterReader } from "./reader";
import type { EndpointSliceObject, ServiceObject } from "./types";

/** From so many Services on a list is read: below, single reads cost less than the pages of a cluster with many more Services. */
export const LIST_FROM = 5;

/** Milliseconds for which a list of EndpointSlices answers, so that the members of a long run are not those of its beginning. */
const LIST_AGE_MS = 60_000;

/** Label of an EndpointSlice with the name of its Service. */
const SERVICE_LABEL = "kubernetes.io/service-name";

type Reader = Pick<ClusterReader, "getService" | "listServices" | "listEndpointSlices" | "listSlicesOfServices">;

interface Waiting {
    readonly namespace: string;
    readonly name: string;
    readonly resolve: (service: Promise<ServiceObject | undefined>) => void;
}

/** A list of EndpointSlices, by `namespace/name` of their Services; undefined if the cluster's list cannot be used. */
interface SliceList {
    readonly begun: number;
    readonly slices: Promise<ReadonlyMap<string, EndpointSliceObject[]> | undefined>;
}

/**
 * What the Services of a run are read by. Of a list only what belongs to a Service of the run is kept.
 *
 * A list takes the right to list in the one namespace of the Services, or in all namespaces if they stand in several. Without it, and where a list holds an object that
 * cannot be read, which may belong to another program, each Service is read by itself.
 */
export class SharedReads {
    readonly #reader: Reader;
    readonly #clock: Pick<Clock, "now">;
    readonly #services = new Map<string, Promise<ServiceObject | undefined>>();
    #waiting: Waiting[] = [];
    #slices: SliceList | undefined;

    constructor(reader: Reader, clock: Pick<Clock, "now"> = systemClock) {
        this.#reader = reader;
        this.#clock = clock;
    }

    /** The Service as it was when it was first asked for, or undefined. Services that are asked for in one turn of the event loop are read together. */
    service(namespace: string, name: string): Promise<ServiceObject | undefined> {
        const key = keyOf(namespace, name);
        const known = this.#services.get(key) ?? this.#enqueue(namespace, name);
        this.#services.set(key, known);
        return known;
    }

    /**
     * The EndpointSlices of a Service.
     *
     * @param options.fresh read after this call and for this Service alone: something that decides about its endpoints may just have changed.
     */
    async endpointSlices(
        namespace: string,
        name: string,
        { fresh }: { readonly fresh: boolean },
    ): Promise<EndpointSliceObject[]> {
        const key = keyOf(namespace, name);
        if (!fresh && this.#services.size >= LIST_FROM && this.#services.has(key)) {
            const found = (await this.#currentSlices())?.get(key);
            if (found !== undefined) return found;
        }
        return this.#reader.listEndpointSlices(namespace, name);
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
        const single = (all: readonly Waiting[]): void => {
            for (const { namespace, name, resolve } of all) resolve(this.#reader.getService(namespace, name));
        };
        if (waiting.length < LIST_FROM) {
            single(waiting);
            return;
        }
        try {
            const listed = await this.#reader.listServices(onlyNamespace(waiting.map(({ namespace }) => namespace)));
            const byKey = new Map(listed.map((service) => [keyOfObject(service), service]));
            for (const { namespace, name, resolve } of waiting)
                resolve(Promise.resolve(byKey.get(keyOf(namespace, name))));
        } catch (error) {
            if (readOneByOne(error)) single(waiting);
            else for (const { resolve } of waiting) resolve(Promise.reject(error));
        }
    }

    #currentSlices(): SliceList["slices"] {
        const now = this.#clock.now();
        if (this.#slices === undefined || now - this.#slices.begun > LIST_AGE_MS)
            this.#slices = { begun: now, slices: this.#listSlices() };
        return this.#slices.slices;
    }

    async #listSlices(): SliceList["slices"] {
        const keys = [...this.#services.keys()];
        try {
            const listed = await this.#reader.listSlicesOfServices(
                onlyNamespace(keys.map((key) => key.slice(0, key.indexOf("/")))),
            );
            const byKey = new Map(keys.map((key): [string, EndpointSliceObject[]] => [key, []]));
            for (const slice of listed)
                byKey.get(keyOf(slice.metadata.namespace, slice.metadata.labels?.[SERVICE_LABEL]))?.push(slice);
            return byKey;
        } catch (error) {
            if (readOneByOne(error)) return undefined;
            throw error;
        }
    }
}

const keyOf = (namespace: string | undefined, name: string | undefined): string => `${namespace ?? ""}/${name ?? ""}`;

const keyOfObject = ({ metadata }: ServiceObject): string => keyOf(metadata.namespace, metadata.name);

/** The namespace, if there is but one. */
function onlyNamespace(namespaces: readonly string[]): string | undefined {
    const [first, ...others] = new Set(namespaces);
    return others.length === 0 ? first : undefined;
}

/** Whether single reads may succeed where a list has failed. */
const readOneByOne = (error: unknown): boolean =>
    error instanceof ClusterError && ["forbidden", "invalid", "not-found"].includes(error.kind);
