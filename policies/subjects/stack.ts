/** A stack as the subject of a rule: Services, instances and their listeners and backends, joined by references. */

import { z } from "zod";
import { isMapping } from "../../provider/diagnostics";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import * as types from "../../provider/schema/resource-types";
import { itself, settle, settledOf } from "./known";
import { isInsideComponent, MAP, mappingOf, resourceOf, type ResourceSubject, type PreviewResource } from "./resource";
import { readerOf, type ServiceSubject } from "./service";

/** A Service of the stack, and its resource. */
export interface ServiceEntry {
    readonly service: ServiceSubject;
    /** Absent for a manifest. */
    readonly urn?: string;
    /** The Pulumi name of the instance that is made for it, where no other has that name. */
    readonly instance?: string;
}

interface InstanceAttachment {
    readonly resource: ResourceSubject;
    readonly kind: LoadBalancerType;
    /** The instance: its Pulumi name where it is in the stack, else its id. */
    readonly instance: string;
}

/** The backends that a resource adds to an instance. */
interface GroupMembership extends InstanceAttachment {
    /** Returns ids of servers, or keys of pods. @throws if they are not known yet. */
    servers(): readonly string[];
}

/** The parts of a stack that rules need. */
export interface StackSubject {
    readonly services: readonly ServiceEntry[];
    readonly instances: readonly ResourceSubject[];
    readonly listeners: readonly InstanceAttachment[];
    readonly memberships: readonly GroupMembership[];
    /** Returns the name of an instance: its Pulumi name where it is in the stack, else its id. */
    nameOfInstance(id: string): string;
    /** Returns the access control list of a listener with the number of its entries, if it is in the stack. */
    listOf(listener: ResourceSubject): { readonly resource: ResourceSubject; readonly entries: number } | undefined;
    /** AclCheck resources of the stack. */
    readonly checkedLists: readonly ResourceSubject[];
    /** Reports whether a component of this package manages the resource. */
    isManaged(resource: ResourceSubject): boolean;
}

/** Returns a stack of resources and of the Services of manifests. */
export function stackOf(shown: readonly PreviewResource[], manifests: readonly ServiceSubject[] = []): StackSubject {
    const resources = shown.flatMap((one) => (one.type === types.BACKENDS_TYPE ? byGroup(one) : [one])).map(resourceOf);
    const references = referencesIn(resources);
    const { ofType } = references;
    const { clbOf, nlbOf, ofGroup } = placesIn(references);
    const attached = (token: string, places: PlacesOf): InstanceAttachment[] =>
        ofType(token).flatMap((resource) => places(resource).map((place) => ({ resource, ...place })));
    const members = (
        token: string,
        places: PlacesOf,
        servers: (one: ResourceSubject) => readonly string[],
    ): GroupMembership[] => attached(token, places).map((one) => ({ ...one, servers: () => servers(one.resource) }));
    const instances = ofType(...INSTANCE_TYPES.clb, ...INSTANCE_TYPES.nlb);
    return {
        services: entriesOf(shown, instances, manifests),
        instances,
        listeners: [...attached(types.CLB_LISTENER_TYPE, clbOf), ...attached(types.NLB_LISTENER_TYPE, nlbOf)],
        memberships: [
            ...members(types.BACKENDS_TYPE, ofGroup, serversOfMap),
            ...members(types.VSERVER_GROUP_TYPE, clbOf, serversOfLists("servers", "serverIds")),
            ...members(types.VSERVER_GROUP_SERVER_TYPE, ofGroup, serverOf),
            ...members(types.NLB_SERVER_GROUP_SERVER_TYPE, ofGroup, serverOf),
            ...members(types.BACKEND_SERVER_TYPE, clbOf, serversOfLists("backendServers", "serverId")),
            ...members(types.ATTACHMENT_TYPE, clbOf, (one) => texts(one.get("instanceIds", LIST) ?? [])),
        ],
        nameOfInstance: (id) => instances.find(({ props }) => props["id"] === id)?.name ?? id,
        listOf: listsIn(references),
        checkedLists: ofType(types.ACL_CHECK_TYPE),
        isManaged: ({ urn, type }) => isInsideComponent(urn) || type === types.SERVICE_TYPE,
    };
}

type References = ReturnType<typeof referencesIn>;

type PlacesOf = (one: ResourceSubject) => readonly InstanceRef[];

function referencesIn(resources: readonly ResourceSubject[]) {
    const ofType = (...tokens: readonly string[]) => resources.filter(({ type }) => tokens.includes(type));
    const byUrn = Map.groupBy(resources, ({ urn }) => urn);
    const byId = Map.groupBy(resources, ({ props }) => props["id"]);
    const idIn = (from: ResourceSubject, property: string) => texts([from.props[property]].flat())[0];
    // The engine records the origin of a property. A property written as text refers by id.
    const refer = (from: ResourceSubject, property: string, ...tokens: readonly string[]) => {
        const isMeant = ({ type }: ResourceSubject) => tokens.includes(type);
        const urns = new Set(from.origins?.[property]);
        const origins = [...urns].flatMap((urn) => byUrn.get(urn) ?? []).filter(isMeant);
        if (origins.length === 1) return origins[0];
        const id = idIn(from, property);
        return id === undefined ? undefined : byId.get(id)?.find(isMeant);
    };
    /** Resources by what a property of theirs refers to. */
    const referring = (property: string, to: string, ...tokens: readonly string[]) =>
        Map.groupBy(ofType(...tokens), (one) => refer(one, property, to));
    return { ofType, idIn, refer, referring };
}

/** Returns the instances of listeners, of server groups and of their members. */
function placesIn({ idIn, refer, referring }: References) {
    const listeners = referring("serverGroupId", types.NLB_SERVER_GROUP_TYPE, types.NLB_LISTENER_TYPE);
    const instanceOf =
        (kind: LoadBalancerType): PlacesOf =>
        (resource) => {
            const found = refer(resource, "loadBalancerId", ...INSTANCE_TYPES[kind]);
            const instance = found?.name ?? idIn(resource, "loadBalancerId");
            return instance === undefined ? [] : [{ kind, instance }];
        };
    const [clbOf, nlbOf] = [instanceOf("clb"), instanceOf("nlb")];
    // A server group of an NLB belongs to no instance: the listeners that use it do.
    const ofNlbGroup: PlacesOf = (group) => {
        const places = listeners.get(group)?.flatMap(nlbOf) ?? [];
        return [...new Map(places.map((place) => [place.instance, place])).values()];
    };
    const ofGroup: PlacesOf = (resource) => {
        const group = refer(resource, "serverGroupId", types.VSERVER_GROUP_TYPE, types.NLB_SERVER_GROUP_TYPE);
        if (group === undefined) return [];
        return group.type === types.NLB_SERVER_GROUP_TYPE ? ofNlbGroup(group) : clbOf(group);
    };
    return { clbOf, nlbOf, ofGroup };
}

function listsIn({ refer, referring }: References): StackSubject["listOf"] {
    const entries = referring("aclId", types.ACL_TYPE, types.ACL_ENTRY_TYPE, types.ACL_ENTRIES_TYPE);
    return (listener) => {
        const resource = refer(listener, "aclIds", types.ACL_TYPE) ?? refer(listener, "aclId", types.ACL_TYPE);
        if (resource === undefined) return undefined;
        // The list has the entries of when it was made or last refreshed: none before they were added.
        const added = (entries.get(resource) ?? [])
            .map((one) => (one.type === types.ACL_ENTRY_TYPE ? 1 : Object.keys(one.get("entries", MAP) ?? {}).length))
            .reduce((sum, count) => sum + count, 0);
        return { resource, entries: added > 0 ? added : (resource.get("entryLists", LIST) ?? []).length };
    };
}

/** Returns the Services of a preview, and those of manifests that it does not have. */
function entriesOf(
    shown: readonly PreviewResource[],
    instances: readonly ResourceSubject[],
    manifests: readonly ServiceSubject[],
): readonly ServiceEntry[] {
    const previewed = shown.flatMap((one): ServiceEntry[] => {
        const service = readerOf(one)();
        if (service === undefined) return [];
        const [own, ...others] = instances.filter(({ name }) => name === one.name);
        const isOwn = others.length === 0 && own?.urn.startsWith(`${one.urn.slice(0, -one.name.length - 2)}$`);
        return [{ service, urn: one.urn, ...(isOwn === true && { instance: one.name }) }];
    });
    // A manifest and the preview of its stack are about the same Service.
    const others = manifests.filter(
        (one) => !previewed.some(({ service }) => settledOf(() => isSame(one, service)) === true),
    );
    return [...previewed, ...others.map((service) => ({ service }))];
}

/** Returns the backends of each group as a resource of their own, which comes from the group of its key. */
function byGroup(backends: PreviewResource): PreviewResource[] {
    const { name, props, origins = {} } = backends;
    return Object.entries(mappingOf(mappingOf(settle(props))["groups"])).map(([key, group]) => {
        const suffix = `/${key}`;
        const groups = origins["groups"] ?? [];
        const own = groups.filter((urn) => urn.endsWith(suffix));
        return {
            ...backends,
            name: name.endsWith(suffix) ? name : `${name}${suffix}`,
            props: group,
            origins: { serverGroupId: own.length === 0 ? groups : own },
        };
    });
}

const INSTANCE_TYPES: Readonly<Record<LoadBalancerType, readonly string[]>> = {
    clb: [types.CLB_INSTANCE_TYPE, types.CLB_INSTANCE_FORMER_TYPE],
    nlb: [types.NLB_INSTANCE_TYPE],
};

/** Reports whether a manifest's Service is that of a resource: manifests may be without the id of their cluster. */
const isSame = (manifest: ServiceSubject, { name, facts }: ServiceSubject): boolean =>
    manifest.name === name && ["(unknown)", facts.clusterId].includes(manifest.facts.clusterId);

/** The instance that something belongs to. */
type InstanceRef = Pick<InstanceAttachment, "kind" | "instance">;

const LIST = z.array(z.unknown());

const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === "string");

const serverOf = (one: ResourceSubject): string[] => texts([one.get("serverId")]);

/** Returns the keys of a map of backends: ECS instances by id, pods by address and port. */
function serversOfMap({ props }: ResourceSubject): string[] {
    const backends = itself(props["backends"]);
    return isMapping(backends) ? Object.keys(backends) : [];
}

/** Returns the ids in a list of mappings, each of which has one id or several. */
const serversOfLists = (list: string, key: string) => (resource: ResourceSubject) =>
    (resource.get(list, LIST) ?? []).flatMap((entry) => (isMapping(entry) ? texts([entry[key]].flat()) : []));
