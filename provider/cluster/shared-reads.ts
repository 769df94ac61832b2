/** Services and EndpointSlices for all Services of a run: read by lists if that takes fewer requests. */

import { setImmediate } from "node:timers/promises";
import { systemClock, type Clock } from "../net";
import { agreed, once } from "../schema/defined";
import { type ClusterErrorKind, ignoreKinds } from "./error";
import type { ClusterReader } from "./reader";
import { type EndpointSliceObject, SERVICE_NAME_LABEL, type ServiceObject } from "../service/objects";

/** Number of Services from which a list is read: a cluster may have many pages of other Services. */
export const LIST_FROM = 5;

/** Milliseconds for which a list of EndpointSlices is used. A long run needs newer lists at its end. */
const LIST_AGE_MS = 60_000;

type Reader = Pick<ClusterReader, "getService" | "listServices" | "listEndpointSlices" | "listSlicesOfServices">;

/** Objects of a list by `namespace/name` of their Services, or undefined if the cluster's list cannot be used. */
type Listed<Objects> = Promise<ReadonlyMap<string, Objects> | undefined>;

/** Reasons why a list fails, and single reads may succeed. */
const LIST_ONLY: readonly ClusterErrorKind[] = ["forbidden", "invalid", "not-found"];

/**
 * Reader of Services and EndpointSlices that the Services of a run share.
 *
 * A list needs the permission to list in the namespace of the Services, or in all namespaces if they are in several.
 * Without it, or if the list contains an object that cannot be read, each Service is read by itself.
 */
export class SharedReads {
    readonly #services = new Map<string, Promise<ServiceObject | undefined>>();
    /** Namespaces of the Services that are asked for in this turn of the event loop, and what will be read. */
    #turn: { readonly namespaces: string[]; readonly services: Listed<ServiceObject> } | undefined;
    #list: { readonly begun: number; readonly slices: Listed<EndpointSliceObject[]> } | undefined;

    constructor(
        private readonly reader: Reader,
        private readonly clock: Pick<Clock, "now"> = systemClock,
    ) {}

    /** Reads a Service once. Calls within the same turn of the event loop are read together. */
    service(namespace: string, name: string): Promise<ServiceObject | undefined> {
        const key = `${namespace}/${name}`;
        return once(this.#services, key, () => this.#read(namespace, name));
    }

    /** Reads the EndpointSlices of a Service, with `fresh` if its endpoints may just have changed. */
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

    async #read(namespace: string, name: string): Promise<ServiceObject | undefined> {
        this.#turn ??= this.#beginTurn();
        this.#turn.namespaces.push(namespace);
        const services = await this.#turn.services;
        return services === undefined ? this.reader.getService(namespace, name) : services.get(`${namespace}/${name}`);
    }

    #beginTurn() {
        const namespaces: string[] = [];
        const read = async (): Listed<ServiceObject> => {
            await setImmediate();
            this.#turn = undefined;
            if (namespaces.length < LIST_FROM) return undefined;
            const listed = await ignoreKinds(LIST_ONLY, this.reader.listServices(agreed(namespaces)));
            return (
                listed &&
                new Map(
                    listed.map((one) => [
                        `${one.metadata.namespace ?? ""}/${one.metadata.name}`,
                        // The API server leaves out the kind of the items of a list.
                        { apiVersion: "v1", kind: "Service", ...one },
                    ]),
                )
            );
        };
        return { namespaces, services: read() };
    }

    #currentSlices(): Listed<EndpointSliceObject[]> {
        const now = this.clock.now();
        if (this.#list === undefined || now - this.#list.begun > LIST_AGE_MS)
            this.#list = { begun: now, slices: this.#listSlices() };
        return this.#list.slices;
    }

    async #listSlices(): Listed<EndpointSliceObject[]> {
        const keys = [...this.#services.keys()];
        const namespace = agreed(keys.map((key) => key.slice(0, key.indexOf("/"))));
        const listed = await ignoreKinds(LIST_ONLY, this.reader.listSlicesOfServices(namespace));
        const byKey = new Map(keys.map((key): [string, EndpointSliceObject[]] => [key, []]));
        for (const slice of listed ?? []) {
            const { namespace = "", labels } = slice.metadata;
            byKey.get(`${namespace}/${labels?.[SERVICE_NAME_LABEL] ?? ""}`)?.push(slice);
        }
        return listed && byKey;
    }
}
