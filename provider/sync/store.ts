/** The objects that informers hold, by what the controller asks for. */
import { isDeepStrictEqual } from "node:util";
import type { EndpointSliceObject, NodeObject, PodObject, ServiceObject } from "../kubernetes/types";
import { type BindingObject, bindingKeyOf, readSpec } from "./binding/object";
import type { BindingSpec } from "./binding/spec";
import { serviceOfGate } from "./endpoints";
import type { Observation } from "./observation";

/** Kinds of objects that are watched. */
export interface Watched {
    readonly binding: BindingObject;
    readonly service: ServiceObject;
    readonly slice: EndpointSliceObject;
    readonly node: NodeObject;
    readonly pod: PodObject;
}

/** Label of a slice that names its Service. */
const SERVICE_LABEL = "kubernetes.io/service-name";

/** Key of a server group: region and id. */
export const groupKeyOf = ({ region, serverGroup }: Pick<BindingSpec, "region" | "serverGroup">): string =>
    `${region}/${serverGroup.id}`;

/** Bindings whose specs cannot be read have no group; they are worked on under their own names. */
const ORPHAN = "binding ";

/** Holds objects, and says which server groups a change concerns. */
export class Store {
    readonly #bindings = new Map<string, BindingObject>();
    readonly #groupOf = new Map<string, string>();
    readonly #byGroup = new Map<string, Set<string>>();
    readonly #byService = new Map<string, Set<string>>();
    readonly #services = new Map<string, ServiceObject>();
    readonly #slices = new Map<string, Map<string, EndpointSliceObject>>();
    /** Service of each slice: its label may change. */
    readonly #serviceOfSlice = new Map<string, string>();
    readonly #nodes = new Map<string, NodeObject>();
    readonly #pods = new Map<string, Map<string, PodObject>>();

    /** Takes an object as it is now. Gives the keys of the groups that it concerns. */
    put<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind]): string[];
    put(kind: keyof Watched, object: Watched[keyof Watched]): string[] {
        return this.#change(kind, object, true);
    }

    /** Forgets an object. Gives the keys of the groups that it concerned. */
    remove<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind]): string[];
    remove(kind: keyof Watched, object: Watched[keyof Watched]): string[] {
        return this.#change(kind, object, false);
    }

    /** Keys of all groups. */
    groups(): string[] {
        return [...this.#byGroup.keys()];
    }

    /** Bindings of a group, the oldest first. */
    bindings(group: string): BindingObject[] {
        const age = ({ metadata }: BindingObject) =>
            `${metadata.creationTimestamp ?? ""} ${bindingKeyOf({ metadata })}`;
        return [...(this.#byGroup.get(group) ?? [])]
            .flatMap((key) => this.#bindings.get(key) ?? [])
            .sort((a, b) => (age(a) < age(b) ? -1 : 1));
    }

    /** Whether a binding still has the spec that was worked on. */
    isCurrent(binding: BindingObject): boolean {
        const now = this.#bindings.get(bindingKeyOf(binding));
        return now !== undefined && isDeepStrictEqual(now.spec, binding.spec);
    }

    /** Bindings of a Service, by `namespace/name`. */
    bindingsOfService(service: string): BindingObject[] {
        return [...(this.#byService.get(service) ?? [])].flatMap((key) => this.#bindings.get(key) ?? []);
    }

    /** Forgets the pods of a namespace, which are watched no longer. */
    forgetPods(namespace: string): void {
        this.#pods.delete(namespace);
    }

    /** What the cluster says of a binding's Service. */
    observe(namespace: string, serviceName: string): Observation {
        const key = `${namespace}/${serviceName}`;
        return {
            service: this.#services.get(key),
            endpointSlices: [...(this.#slices.get(key)?.values() ?? [])],
            nodes: [...this.#nodes.values()],
            gatedPods: this.#pods.get(namespace) ?? new Map(),
        };
    }

    #change(kind: keyof Watched, object: Watched[keyof Watched], there: boolean): string[] {
        switch (kind) {
            case "binding":
                // One that is being deleted may stay for a while: for its finalizers, or for a garbage collector that does not know its kind yet.
                return this.#binding(object, there && object.metadata.deletionTimestamp === undefined);
            case "service": {
                const service = object as ServiceObject;
                set(this.#services, bindingKeyOf(service), there ? service : undefined);
                return this.#groupsOfService(bindingKeyOf(service));
            }
            case "slice":
                return this.#slice(object as EndpointSliceObject, there);
            case "node":
                return this.#node(object as NodeObject, there);
            case "pod":
                return this.#pod(object as PodObject, there);
        }
    }

    #binding(binding: BindingObject, there: boolean): string[] {
        const key = bindingKeyOf(binding);
        const { spec } = readSpec(binding);
        const group = spec === undefined ? ORPHAN + key : groupKeyOf(spec);
        const former = this.#groupOf.get(key);
        const before = this.#bindings.get(key);
        if (there && before !== undefined && former === group && isDeepStrictEqual(before.spec, binding.spec)) {
            // The status alone has changed: the controller wrote it.
            this.#bindings.set(key, binding);
            return [];
        }
        if (former !== undefined) drop(this.#byGroup, former, key);
        const known = before === undefined ? undefined : readSpec(before).spec;
        if (before !== undefined && known !== undefined) drop(this.#byService, serviceKey(before, known), key);
        set(this.#bindings, key, there ? binding : undefined);
        set(this.#groupOf, key, there ? group : undefined);
        if (there) {
            add(this.#byGroup, group, key);
            if (spec !== undefined) add(this.#byService, serviceKey(binding, spec), key);
        }
        return [...new Set([...(former === undefined ? [] : [former]), ...(there ? [group] : [])])];
    }

    #slice(slice: EndpointSliceObject, there: boolean): string[] {
        const name = slice.metadata.labels?.[SERVICE_LABEL];
        const service = there && name !== undefined ? `${slice.metadata.namespace ?? "default"}/${name}` : undefined;
        const former = this.#serviceOfSlice.get(bindingKeyOf(slice));
        const before = former === undefined ? undefined : this.#slices.get(former)?.get(slice.metadata.name);
        set(this.#serviceOfSlice, bindingKeyOf(slice), service);
        if (former !== undefined && former !== service) this.#setSlice(former, slice.metadata.name, undefined);
        if (service !== undefined) this.#setSlice(service, slice.metadata.name, slice);
        const same = former === service && before !== undefined && isDeepStrictEqual(partsOf(before), partsOf(slice));
        return same ? [] : [...new Set([former, service])].flatMap((key) => this.#groupsOfService(key ?? ""));
    }

    #setSlice(service: string, name: string, slice: EndpointSliceObject | undefined): void {
        const slices = this.#slices.get(service) ?? new Map<string, EndpointSliceObject>();
        set(slices, name, slice);
        set(this.#slices, service, slices.size > 0 ? slices : undefined);
    }

    #node(node: NodeObject, there: boolean): string[] {
        const before = this.#nodes.get(node.metadata.name);
        set(this.#nodes, node.metadata.name, there ? node : undefined);
        return there && before !== undefined && isDeepStrictEqual(roleOf(before), roleOf(node)) ? [] : this.groups();
    }

    #pod(pod: PodObject, there: boolean): string[] {
        const namespace = pod.metadata.namespace ?? "default";
        const gates = new Set(pod.spec?.readinessGates?.map(({ conditionType }) => conditionType));
        const services = [...gates].flatMap((gate) => serviceOfGate(gate) ?? []);
        if (services.length === 0) return [];
        const pods = this.#pods.get(namespace) ?? new Map<string, PodObject>();
        set(pods, pod.metadata.uid ?? "", there ? pod : undefined);
        set(this.#pods, namespace, pods.size > 0 ? pods : undefined);
        return services.flatMap((name) => this.#groupsOfService(`${namespace}/${name}`));
    }

    #groupsOfService(service: string): string[] {
        const groups = [...(this.#byService.get(service) ?? [])].flatMap((key) => this.#groupOf.get(key) ?? []);
        return [...new Set(groups)];
    }
}

const serviceKey = ({ metadata }: BindingObject, { serviceName }: BindingSpec): string =>
    `${metadata.namespace ?? "default"}/${serviceName}`;

/** What of a slice decides backends. */
const partsOf = ({ endpoints, ports, addressType }: EndpointSliceObject) => ({ endpoints, ports, addressType });

/** What of a node decides whether it is a backend; heartbeats are not part of it. */
const roleOf = ({ metadata, spec, status }: NodeObject) => ({
    labels: metadata.labels,
    providerId: spec?.providerID,
    unschedulable: spec?.unschedulable ?? false,
    taints: spec?.taints?.map(({ key }) => key),
    addresses: status?.addresses,
    ready: status?.conditions?.find(({ type }) => type === "Ready")?.status,
    reported: (status?.conditions?.length ?? 0) > 0,
});

function set<T>(map: Map<string, T>, key: string, value: T | undefined): void {
    if (value === undefined) map.delete(key);
    else map.set(key, value);
}

function add(index: Map<string, Set<string>>, key: string, value: string): void {
    const values = index.get(key) ?? new Set();
    index.set(key, values.add(value));
}

function drop(index: Map<string, Set<string>>, key: string, value: string): void {
    const values = index.get(key);
    values?.delete(value);
    if (values?.size === 0) index.delete(key);
}
