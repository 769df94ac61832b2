/** Objects of the informers, indexed for the controller. */
import { isDeepStrictEqual } from "node:util";
import {
    type EndpointSliceObject,
    type NodeObject,
    type PodObject,
    SERVICE_NAME_LABEL,
    type ServiceObject,
} from "../service/objects";
import { type BindingObject, bindingKeyOf, readSpec, serviceKeyOf } from "./binding/object";
import { serviceOfGate, type Observation } from "./observation";

export interface Watched {
    readonly binding: BindingObject;
    readonly service: ServiceObject;
    readonly slice: EndpointSliceObject;
    readonly node: NodeObject;
    readonly pod: PodObject;
}

interface Bound {
    readonly binding: BindingObject;
    /** Key of the server group, or of the binding if its specification cannot be read. */
    readonly group: string;
    /** `namespace/name`. */
    readonly service: string | undefined;
}

/** Store of objects. Each change returns the keys of the server groups that it concerns. */
export class Store {
    readonly #bindings = new Map<string, Bound>();
    readonly #services = new Map<string, ServiceObject>();
    readonly #slices = new Map<string, Map<string, EndpointSliceObject>>();
    /** Service of each slice: its label may change. */
    readonly #serviceOfSlice = new Map<string, string>();
    readonly #nodes = new Map<string, NodeObject>();
    readonly #pods = new Map<string, Map<string, PodObject>>();

    readonly #change: { [Kind in keyof Watched]: (object: Watched[Kind], present: boolean) => string[] } = {
        binding: (binding, present) => {
            const key = bindingKeyOf(binding);
            const before = this.#bindings.get(key);
            // A binding that is being deleted may stay: for its finalizers, or for a slow garbage collector.
            const after = present && binding.metadata.deletionTimestamp === undefined ? boundOf(binding) : undefined;
            set(this.#bindings, key, after);
            const isSame =
                before !== undefined &&
                before.group === after?.group &&
                isDeepStrictEqual(before.binding.spec, binding.spec);
            // Only the status has changed: the controller wrote it.
            return isSame ? [] : [...new Set([before, after].flatMap((bound) => bound?.group ?? []))];
        },
        service: (service, present) => {
            set(this.#services, bindingKeyOf(service), present ? service : undefined);
            return this.groupsOfService(bindingKeyOf(service));
        },
        slice: (slice, present) => {
            const { namespace = "default", name, labels } = slice.metadata;
            const serviceName = labels?.[SERVICE_NAME_LABEL];
            const service = present && serviceName !== undefined ? `${namespace}/${serviceName}` : undefined;
            const former = this.#serviceOfSlice.get(bindingKeyOf(slice));
            const before = former === undefined ? undefined : this.#slices.get(former)?.get(name);
            set(this.#serviceOfSlice, bindingKeyOf(slice), service);
            if (former !== undefined && former !== service) setIn(this.#slices, former, name, undefined);
            if (service !== undefined) setIn(this.#slices, service, name, slice);
            const isSame = former === service && isDeepStrictEqual(before && partsOf(before), partsOf(slice));
            return isSame ? [] : [...new Set([former, service])].flatMap((key) => this.groupsOfService(key ?? ""));
        },
        node: (node, present) => {
            const { name } = node.metadata;
            const before = this.#nodes.get(name);
            set(this.#nodes, name, present ? node : undefined);
            return present && isDeepStrictEqual(before && roleOf(before), roleOf(node)) ? [] : this.groups();
        },
        pod: (pod, present) => {
            const { namespace = "default", uid = "" } = pod.metadata;
            const gates = new Set(pod.spec?.readinessGates?.map(({ conditionType }) => conditionType));
            const services = [...gates].flatMap((gate) => serviceOfGate(gate) ?? []);
            if (services.length === 0) return [];
            setIn(this.#pods, namespace, uid, present ? pod : undefined);
            return services.flatMap((name) => this.groupsOfService(`${namespace}/${name}`));
        },
    };

    put<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind]): string[] {
        return this.#change[kind](object, true);
    }

    remove<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind]): string[] {
        return this.#change[kind](object, false);
    }

    groups(): string[] {
        return [...new Set(this.#bound(() => true).map(({ group }) => group))];
    }

    /** Returns the bindings of a group, the oldest first. */
    bindings(group: string): BindingObject[] {
        const age = ({ metadata }: BindingObject) =>
            `${metadata.creationTimestamp ?? ""} ${bindingKeyOf({ metadata })}`;
        return this.#bound((one) => one.group === group)
            .map(({ binding }) => binding)
            .sort((a, b) => (age(a) < age(b) ? -1 : 1));
    }

    bindingsOfService(service: string): BindingObject[] {
        return this.#bound((one) => one.service === service).map(({ binding }) => binding);
    }

    groupsOfService(service: string): string[] {
        return [...new Set(this.#bound((one) => one.service === service).map(({ group }) => group))];
    }

    /** True if a binding still has this spec. */
    isCurrent(binding: BindingObject): boolean {
        const current = this.#bindings.get(bindingKeyOf(binding));
        return current !== undefined && isDeepStrictEqual(current.binding.spec, binding.spec);
    }

    /** Forgets the pods of a namespace that is no longer watched. */
    forgetPods(namespace: string): void {
        this.#pods.delete(namespace);
    }

    /** @param service `namespace/name` */
    observe(service: string): Observation {
        const [namespace = ""] = service.split("/");
        return {
            service: this.#services.get(service),
            endpointSlices: [...(this.#slices.get(service)?.values() ?? [])],
            nodes: [...this.#nodes.values()],
            gatedPods: new Map(this.#pods.get(namespace)),
        };
    }

    #bound(isMeant: (bound: Bound) => boolean): Bound[] {
        return [...this.#bindings.values()].filter(isMeant);
    }
}

/**
 * Returns the group of a binding, region and id, and its Service. A binding that cannot be read has a group for itself.
 */
function boundOf(binding: BindingObject): Bound {
    const { spec } = readSpec(binding);
    if (spec === undefined) return { binding, group: `binding ${bindingKeyOf(binding)}`, service: undefined };
    return { binding, group: `${spec.region}/${spec.serverGroup.id}`, service: serviceKeyOf(binding, spec) };
}

/** Returns the fields of a slice that decide backends. */
const partsOf = ({ endpoints, ports, addressType }: EndpointSliceObject) => ({ endpoints, ports, addressType });

/** Returns the fields of a node that decide its role, without heartbeats. */
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

function setIn<T>(maps: Map<string, Map<string, T>>, outer: string, inner: string, value: T | undefined): void {
    const map = maps.get(outer) ?? new Map<string, T>();
    set(map, inner, value);
    set(maps, outer, map.size > 0 ? map : undefined);
}
