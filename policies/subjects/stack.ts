/**
 * A stack as the subject of a rule: Services, instances and their listeners and backends, joined by references.
 *
 * It is computed once for each rule.
 */

import { z } from "zod";
import { isMapping } from "../../provider/diagnostics";
import type { ClusterFacts } from "../../provider/schema/facts";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import {
    ACL_CHECK_TYPE,
    ACL_ENTRIES_TYPE,
    ACL_ENTRY_TYPE,
    ACL_TYPE,
    ATTACHMENT_TYPE,
    BACKEND_SERVER_TYPE,
    BACKENDS_TYPE,
    VSERVER_GROUP_SERVER_TYPE,
    VSERVER_GROUP_TYPE,
    CLB_INSTANCE_TYPE,
    CLB_LISTENER_TYPE,
    NLB_SERVER_GROUP_SERVER_TYPE,
    NLB_SERVER_GROUP_TYPE,
    NLB_INSTANCE_TYPE,
    NLB_LISTENER_TYPE,
    CLB_INSTANCE_FORMER_TYPE,
    SERVICE_TYPE,
} from "../../provider/schema/resource-types";
import { lazily, Unknown } from "./known";
import { isInsideComponent, resourceOf, type ResourceSubject, type PreviewResource } from "./resource";
import { serviceOfResource, type ServiceSubject } from "./service";

/** A Service of the stack, and its resource. */
export interface ServiceEntry {
    readonly service: ServiceSubject;
    /** Absent for a manifest. */
    readonly urn?: string;
}

/** A resource that belongs to an instance. */
export interface InstanceAttachment {
    readonly resource: ResourceSubject;
    /** The kind of instance. */
    readonly kind: LoadBalancerType;
    /** The instance: its Pulumi name where it is in the stack, else its id. */
    readonly instance: string;
}

/** The backends that a resource adds to an instance. */
export interface GroupMembership extends InstanceAttachment {
    /** Returns ids of servers, or keys of pods. @throws if they are not known yet. */
    servers(): readonly string[];
}

/** An access control list, and the number of its entries in the stack. */
export interface AccessList {
    readonly resource: ResourceSubject;
    readonly entries: number;
}

/** The parts of a stack that rules need. */
export interface StackSubject {
    readonly services: readonly ServiceEntry[];
    readonly instances: readonly ResourceSubject[];
    readonly listeners: readonly InstanceAttachment[];
    /** The backends that each resource adds to an instance. */
    readonly memberships: readonly GroupMembership[];
    /** Returns the name of an instance: its Pulumi name where it is in the stack, else its id. */
    nameOfInstance(id: string): string;
    /** Returns the access control list of a listener, if it is in the stack. */
    listOf(listener: ResourceSubject): AccessList | undefined;
    /** The looks at the lists that Services name. */
    readonly checkedLists: readonly ResourceSubject[];
    /** Reports whether a component of this package manages the resource. */
    isManaged(resource: ResourceSubject): boolean;
}

/** Returns a stack of resources, or of the Services of manifests alone. */
export function stackOf(
    shown: readonly PreviewResource[],
    facts: Partial<ClusterFacts> = {},
    manifests: readonly ServiceSubject[] = [],
): StackSubject {
    const resources = shown.map(resourceOf);
    const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
    const ofType = (...types: readonly string[]): ResourceSubject[] =>
        resources.filter(({ type }) => types.includes(type));
    const refer = (resource: ResourceSubject, property: string, ...types: readonly string[]): Reference | undefined =>
        reference(resource, property, types, byUrn, resources);
    const instanceOf =
        (kind: LoadBalancerType) =>
        (resource: ResourceSubject): InstanceRef[] => {
            const found = refer(resource, "loadBalancerId", ...INSTANCE_TYPES[kind]);
            return found === undefined ? [] : [{ kind, instance: nameOf(found) }];
        };
    const [clbOf, nlbOf] = [instanceOf("clb"), instanceOf("nlb")];
    // A server group of an NLB belongs to no instance: the listeners that use it do.
    const instancesOfNlbGroup = (group: ResourceSubject): InstanceRef[] => {
        const places = ofType(NLB_LISTENER_TYPE).flatMap((listener) =>
            refer(listener, "serverGroupId", NLB_SERVER_GROUP_TYPE)?.resource === group ? nlbOf(listener) : [],
        );
        return places.filter(({ instance }, index) => places.findIndex((one) => one.instance === instance) === index);
    };
    const instancesOfGroup = (resource: ResourceSubject): InstanceRef[] => {
        const group = refer(resource, "serverGroupId", VSERVER_GROUP_TYPE, NLB_SERVER_GROUP_TYPE)?.resource;
        if (group === undefined) return [];
        return group.type === NLB_SERVER_GROUP_TYPE ? instancesOfNlbGroup(group) : clbOf(group);
    };
    const members = (
        type: string,
        places: (one: ResourceSubject) => InstanceRef[],
        servers: (one: ResourceSubject) => readonly string[],
    ): GroupMembership[] =>
        ofType(type).flatMap((resource) =>
            places(resource).map((place) => ({ resource, ...place, servers: () => servers(resource) })),
        );
    const serverOf = (one: ResourceSubject): string[] => texts([one.get("serverId")]);
    const memberships = lazily(() => [
        ...members(BACKENDS_TYPE, instancesOfGroup, serversOfMap),
        ...members(VSERVER_GROUP_TYPE, clbOf, (one) => serversOfLists(one, "servers", "serverIds")),
        ...members(VSERVER_GROUP_SERVER_TYPE, instancesOfGroup, serverOf),
        ...members(NLB_SERVER_GROUP_SERVER_TYPE, instancesOfGroup, serverOf),
        ...members(BACKEND_SERVER_TYPE, clbOf, (one) => serversOfLists(one, "backendServers", "serverId")),
        ...members(ATTACHMENT_TYPE, clbOf, (one) => texts(asList(one.get("instanceIds", LIST)))),
    ]);
    const instances = ofType(...INSTANCE_TYPES.clb, ...INSTANCE_TYPES.nlb);
    return {
        services: [
            ...shown.flatMap((one) => {
                const service = serviceOfResource(one, facts);
                return service === undefined ? [] : [{ service, urn: one.urn }];
            }),
            ...manifests.map((service) => ({ service })),
        ],
        instances,
        listeners: [
            ...ofType(CLB_LISTENER_TYPE).flatMap((resource) =>
                clbOf(resource).map((place) => ({ resource, ...place })),
            ),
            ...ofType(NLB_LISTENER_TYPE).flatMap((resource) =>
                nlbOf(resource).map((place) => ({ resource, ...place })),
            ),
        ],
        get memberships() {
            return memberships();
        },
        nameOfInstance: (id) => instances.find(({ props }) => props["id"] === id)?.name ?? id,
        listOf: (listener) => {
            const list = refer(listener, "aclIds", ACL_TYPE)?.resource ?? refer(listener, "aclId", ACL_TYPE)?.resource;
            if (list === undefined) return undefined;
            // The list itself knows what it had when it was made or last refreshed: none before they were added.
            const added = [
                ...ofType(ACL_ENTRY_TYPE).map((entry) => ({ entry, count: () => 1 })),
                ...ofType(ACL_ENTRIES_TYPE).map((entry) => ({
                    entry,
                    count: () => Object.keys(entry.get("entries", MAP) ?? {}).length,
                })),
            ].filter(({ entry }) => refer(entry, "aclId", ACL_TYPE)?.resource === list);
            const entries = added.reduce((sum, { count }) => sum + count(), 0);
            return { resource: list, entries: entries > 0 ? entries : asList(list.get("entryLists", LIST)).length };
        },
        checkedLists: ofType(ACL_CHECK_TYPE),
        isManaged: ({ urn, type }) => isInsideComponent(urn) || type === SERVICE_TYPE,
    };
}

/** The types of instances, by kind. */
const INSTANCE_TYPES: Readonly<Record<LoadBalancerType, readonly string[]>> = {
    clb: [CLB_INSTANCE_TYPE, CLB_INSTANCE_FORMER_TYPE],
    nlb: [NLB_INSTANCE_TYPE],
};

/** The instance that something belongs to. */
type InstanceRef = Pick<InstanceAttachment, "kind" | "instance">;

/** The resource that a property refers to, or its id if it is not in the stack. */
interface Reference {
    readonly resource?: ResourceSubject;
    readonly id?: string;
}

const nameOf = ({ resource, id }: Reference): string => resource?.name ?? id ?? "";

/** Returns the origin of a property, which the engine records; a property written as text refers by id. */
function reference(
    from: ResourceSubject,
    property: string,
    types: readonly string[],
    byUrn: ReadonlyMap<string, ResourceSubject>,
    all: readonly ResourceSubject[],
): Reference | undefined {
    const origins = (from.origins?.[property] ?? [])
        .map((urn) => byUrn.get(urn))
        .filter((one) => one !== undefined && types.includes(one.type));
    if (origins.length === 1 && origins[0] !== undefined) return { resource: origins[0] };
    const [id] = texts(
        Array.isArray(from.props[property]) ? (from.props[property] as unknown[]) : [from.props[property]],
    );
    if (id === undefined) return undefined;
    const resource = all.find((one) => types.includes(one.type) && one.props["id"] === id);
    return resource === undefined ? { id } : { resource, id };
}

const LIST = z.array(z.unknown());

const MAP = z.record(z.string(), z.unknown());

/** Returns the strings of a list. */
const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === "string");

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the keys of a map of backends: ECS instances by id, pods by address and port. */
function serversOfMap(resource: ResourceSubject): string[] {
    const backends = resource.props["backends"];
    if (backends instanceof Unknown) throw backends.error;
    return isMapping(backends) ? Object.keys(backends) : [];
}

/** Returns the ids in a list of mappings, each one or several. */
function serversOfLists(resource: ResourceSubject, list: string, key: string): string[] {
    return asList(resource.get(list, LIST)).flatMap((entry) => (isMapping(entry) ? texts([entry[key]].flat()) : []));
}
