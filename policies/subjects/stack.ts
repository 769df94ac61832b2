/** A stack as a rule sees it: Services, instances and what stands on them, joined by who refers to whom. Worked out once for each rule that asks. */

import { z } from "zod";
import { isMapping } from "../../provider/diagnostics/path";
import type { ClusterFacts } from "../../provider/schema/facts";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import {
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
} from "../types";
import { lazily, Unknown } from "./known";
import { isInsideComponent, resourceOf, type ResourceSubject, type PreviewResource } from "./resource";
import { serviceOfResource, type ServiceSubject } from "./service";

/** A Service of the stack, and where it comes from. */
export interface ServiceEntry {
    readonly service: ServiceSubject;
    /** Absent for a manifest. */
    readonly urn?: string;
}

/** Something that belongs to an instance. */
export interface InstanceAttachment {
    readonly resource: ResourceSubject;
    /** The kind of instance. */
    readonly kind: LoadBalancerType;
    /** The instance, by the name that people know: its Pulumi name where it is in the stack, else its id. */
    readonly instance: string;
}

/** What a resource puts behind an instance. */
export interface Membership extends InstanceAttachment {
    /** Ids of servers, or keys of pods. @throws if they are not known yet. */
    servers(): readonly string[];
}

/** An access control list, and how many entries the stack gives it. */
export interface AccessList {
    readonly resource: ResourceSubject;
    readonly entries: number;
}

/** What rules about a whole stack ask for. */
export interface StackSubject {
    readonly services: readonly ServiceEntry[];
    readonly instances: readonly ResourceSubject[];
    readonly listeners: readonly InstanceAttachment[];
    /** Servers that each resource puts behind an instance, as their ids. */
    readonly memberships: readonly Membership[];
    /** What an instance is called here: its Pulumi name where it is in the stack, else its id. */
    nameOfInstance(id: string): string;
    /** The list that a listener names, if the stack has it. */
    listOf(listener: ResourceSubject): AccessList | undefined;
    /** Whether the resource is this package's own work. */
    isManaged(resource: ResourceSubject): boolean;
}

/** A stack of resources; of Services alone where manifests are judged. */
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
    const placeOf =
        (kind: LoadBalancerType) =>
        (resource: ResourceSubject): Place[] => {
            const found = refer(resource, "loadBalancerId", ...INSTANCE_TYPES[kind]);
            return found === undefined ? [] : [{ kind, instance: nameOf(found) }];
        };
    const [classic, network] = [placeOf("clb"), placeOf("nlb")];
    // A server group of an NLB belongs to no instance: its listeners say behind which it stands.
    const placesOfNlbGroup = (group: ResourceSubject): Place[] => {
        const places = ofType(NLB_LISTENER_TYPE).flatMap((listener) =>
            refer(listener, "serverGroupId", NLB_SERVER_GROUP_TYPE)?.resource === group ? network(listener) : [],
        );
        return places.filter(({ instance }, index) => places.findIndex((one) => one.instance === instance) === index);
    };
    const placesOfGroup = (resource: ResourceSubject): Place[] => {
        const group = refer(resource, "serverGroupId", VSERVER_GROUP_TYPE, NLB_SERVER_GROUP_TYPE)?.resource;
        if (group === undefined) return [];
        return group.type === NLB_SERVER_GROUP_TYPE ? placesOfNlbGroup(group) : classic(group);
    };
    const members = (
        type: string,
        places: (one: ResourceSubject) => Place[],
        servers: (one: ResourceSubject) => readonly string[],
    ): Membership[] =>
        ofType(type).flatMap((resource) =>
            places(resource).map((place) => ({ resource, ...place, servers: () => servers(resource) })),
        );
    const serverOf = (one: ResourceSubject): string[] => texts([one.get("serverId")]);
    const memberships = lazily(() => [
        ...members(BACKENDS_TYPE, placesOfGroup, serversOfMap),
        ...members(VSERVER_GROUP_TYPE, classic, (one) => serversOfLists(one, "servers", "serverIds")),
        ...members(VSERVER_GROUP_SERVER_TYPE, placesOfGroup, serverOf),
        ...members(NLB_SERVER_GROUP_SERVER_TYPE, placesOfGroup, serverOf),
        ...members(BACKEND_SERVER_TYPE, classic, (one) => serversOfLists(one, "backendServers", "serverId")),
        ...members(ATTACHMENT_TYPE, classic, (one) => texts(asList(one.get("instanceIds", LIST)))),
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
                classic(resource).map((place) => ({ resource, ...place })),
            ),
            ...ofType(NLB_LISTENER_TYPE).flatMap((resource) =>
                network(resource).map((place) => ({ resource, ...place })),
            ),
        ],
        get memberships() {
            return memberships();
        },
        nameOfInstance: (id) => instances.find(({ props }) => props["id"] === id)?.name ?? id,
        listOf: (listener) => {
            const list = refer(listener, "aclIds", ACL_TYPE)?.resource ?? refer(listener, "aclId", ACL_TYPE)?.resource;
            if (list === undefined) return undefined;
            const attached = ofType(ACL_ENTRY_TYPE).filter(
                (entry) => refer(entry, "aclId", ACL_TYPE)?.resource === list,
            ).length;
            return { resource: list, entries: attached + asList(list.get("entryLists", LIST)).length };
        },
        isManaged: ({ urn, type }) => isInsideComponent(urn) || type === SERVICE_TYPE,
    };
}

/** The types of instances, by kind. */
const INSTANCE_TYPES: Readonly<Record<LoadBalancerType, readonly string[]>> = {
    clb: [CLB_INSTANCE_TYPE, CLB_INSTANCE_FORMER_TYPE],
    nlb: [NLB_INSTANCE_TYPE],
};

/** Where something stands. */
type Place = Pick<InstanceAttachment, "kind" | "instance">;

/** The resource that a property names, or what it names if the stack does not have it. */
interface Reference {
    readonly resource?: ResourceSubject;
    readonly id?: string;
}

const nameOf = ({ resource, id }: Reference): string => resource?.name ?? id ?? "";

/** An engine keeps which resource a property comes from; where it was written as text, its id tells. */
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

/** Whatever is a text in a list. */
const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === "string");

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The keys of a map of backends: ECS instances by id, pods by address and port. */
function serversOfMap(resource: ResourceSubject): string[] {
    const backends = resource.props["backends"];
    if (backends instanceof Unknown) throw backends.error;
    return isMapping(backends) ? Object.keys(backends) : [];
}

/** Ids in a list of mappings, each one or several. */
function serversOfLists(resource: ResourceSubject, list: string, key: string): string[] {
    return asList(resource.get(list, LIST)).flatMap((entry) => (isMapping(entry) ? texts([entry[key]].flat()) : []));
}
