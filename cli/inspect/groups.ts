/** Listeners and server groups of a Service, each with its desired and its observed state. */

import { keepMappedWeights } from "../../provider/backends/diff";
import { portKey } from "../../provider/clb/server-group";
import { agreed, defined } from "../../provider/schema/defined";
import { formatBackendKey, parseBackendKey, sharesOf } from "../../provider/schema/backend";
import { groupName } from "../../provider/plan/desired";
import { sharePort } from "../../provider/schema/listener-address";
import * as names from "../../provider/schema/names";
import { listenerProtocolOf } from "../../provider/schema/protocols";
import { nodePortIn } from "../../provider/service/ports";
import type { InspectedService, LiveCloud } from "./model";

/** Returns the mark that the Service's objects bear, to compare others with. */
export function markOf({ object: { metadata }, type }: Pick<InspectedService, "object" | "type">): string {
    const { namespace = "default", name } = metadata;
    return names.ownerKey(type, { namespace, name, clusterId: "any" });
}

/** Returns the name and tag of a load balancer that was made for a Service. */
export const instanceMarkOf = ({ metadata }: InspectedService["object"]): string =>
    names.defaultLoadBalancerName(metadata.uid ?? "");

/** Returns the owner in the marks of the Service's objects, or undefined if there is none. */
export function ownerOf(live: Pick<InspectedService, "object" | "type" | "cloud">): names.Owner | undefined {
    const { object, cloud } = live;
    if (cloud.kind !== "found") return undefined;
    const { namespace = "default", name } = object.metadata;
    const { listeners, serverGroups } = cloud.instance;
    const marks = [
        ...listeners.map(({ description }) => description),
        ...serverGroups.flatMap((group) => [group.name, ...(group.backends ?? []).map(({ mark }) => mark)]),
    ];
    const clusterId = names.clusterOf(marks.find((mark) => names.sameService(mark, markOf(live))));
    return clusterId === undefined ? undefined : { namespace, name, clusterId };
}

/**
 * Returns the Service's ports with their listeners, and whether the Service manages these, none for a load balancer
 * that was not read.
 */
export function listenerViews(live: InspectedService) {
    const { service, cloud, model } = live;
    if (cloud.kind !== "found" || service === undefined) return [];
    return service.ports.map((port) => {
        const protocol = listenerProtocolOf(port, service.settings);
        const key = portKey(port);
        const place = model?.listeners.find((one) => one.key === key) ?? { protocol, port: port.port };
        const listener = cloud.instance.listeners.find((one) => sharePort(one, place));
        const own = service.settings.id === undefined || names.sameService(listener?.description ?? "", markOf(live));
        return { key, protocol, port: place.port, listener, own };
    });
}

/**
 * Returns the server groups that the cloud has: those that the Service joins, and managed groups by name or listener. A
 * TCP and a UDP port of the same number may have groups of the same name: each gets a group of its own.
 */
function groupsOf(live: InspectedService) {
    const { object, desired, cloud } = live;
    if (cloud.kind !== "found") return [];
    const { serverGroups } = cloud.instance;
    const owner = ownerOf(live);
    const views = listenerViews(live);
    const all = desired.map((wanted) => {
        const served = views.filter(({ key }) => wanted.model.ports.some((one) => portKey(one) === key));
        return { wanted, served, serving: served.find(({ own }) => own)?.listener?.serverGroupId };
    });
    const taken = new Set(all.map(({ serving }) => serving));
    return all.flatMap(({ wanted, served, serving }) => {
        const { ports, joined } = wanted.model;
        const nodePort = ports[0] && nodePortIn(object.spec?.ports, ports[0]);
        const name = owner && groupName(wanted.model, nodePort, owner);
        const marked = serverGroups.filter((one) => one.name === name);
        const free = marked.find((one) => !taken.has(one.id)) ?? marked[0];
        const id = joined ?? (marked.find((one) => one.id === serving) ?? free)?.id ?? serving;
        taken.add(id);
        const found = serverGroups.find((one) => one.id === id);
        return found === undefined ? [] : [{ ...wanted, group: found, name, served, nodePort }];
    });
}

/** Returns the managed server groups with the name that each is to have, or undefined if the name is not known. */
export const managedGroups = (live: InspectedService) =>
    groupsOf(live).filter(({ model }) => model.joined === undefined);

/**
 * Returns the listeners of the Service's ports that forward to another group than the Service's. A redirect is to
 * forward to none.
 */
export function strayListeners(live: InspectedService) {
    const listeners = live.model?.kind === "clb" ? live.model.listeners : [];
    const redirects = listeners.filter(({ forwardTo }) => forwardTo !== undefined);
    return groupsOf(live).flatMap(({ group, served }) =>
        served.flatMap(({ key, listener, own }) =>
            listener?.serverGroupId === undefined ||
            listener.serverGroupId === group.id ||
            redirects.some((one) => one.key === key)
                ? []
                : [{ listener, own, group }],
        ),
    );
}

/** Backend of a group with its weights, each undefined if the group lacks the backend. */
export interface BackendView {
    /** Backend key. */
    readonly backend: string;
    readonly observed: number | undefined;
    readonly desired: number | undefined;
    /** False for a backend of another Service or of the user. */
    readonly own: boolean;
    /** The other Service, as `namespace/name`. Undefined for a backend of this Service and of the user. */
    readonly other: string | undefined;
    /** True for a pod that terminates and still serves (graceful-shutdown). */
    readonly draining: boolean;
    /** Share of the group's new connections in percent, absent if it is not known. */
    readonly share?: number;
}

export interface GroupView {
    readonly key: string;
    readonly id: string;
    /** Name of a managed group, or undefined if it is not known. */
    readonly name: string | undefined;
    /** True for a user-managed group that the Service joins. */
    readonly joined: boolean;
    readonly backends: readonly BackendView[];
}

/** Returns the Service's groups with their observed and desired backends. */
export function backendsOfGroups(live: InspectedService): GroupView[] {
    const mark = markOf(live);
    const ignoresWeights = live.service?.settings.ignoreWeightUpdate === "on";
    return groupsOf(live).map(
        ({
            model: { key, kind, joined },
            backends,
            draining,
            nodePort,
            group: { id, name, backends: members = [] },
        }) => {
            // Pods without a port are members of a group for a range of ports.
            const port = kind === "ecs" ? nodePort : 0;
            const wanted = Object.fromEntries(
                Object.entries(backends).map(([backend, value]) => [withPort(backend, port), value]),
            );
            const leaving = new Set([...draining].map((backend) => withPort(backend, port)));
            const observed = new Map(members.map((member) => [formatBackendKey(member), member]));
            const desired = ignoresWeights ? keepMappedWeights(Object.fromEntries(observed), wanted) : wanted;
            const keys = [...new Set([...observed.keys(), ...Object.keys(desired)])].sort();
            const weights = keys.map((backend) => observed.get(backend)?.weight ?? 0);
            const shares = sharesOf(weights, schedulerOf(live.cloud, id));
            const views = keys.map((backend, index) => {
                const member = observed.get(backend);
                const own = names.sameService(member?.mark, mark) || backend in desired;
                return {
                    backend,
                    ...defined({ share: shares?.[index] }),
                    observed: member?.weight,
                    desired: desired[backend]?.weight,
                    own,
                    other: own ? undefined : names.serviceOf(member?.mark),
                    draining: leaving.has(backend),
                };
            });
            return { key, id, name, joined: joined !== undefined, backends: views };
        },
    );
}

/** Returns the scheduler of a server group: its own, or that of its listeners if they agree. */
function schedulerOf(cloud: LiveCloud, id: string): string | undefined {
    if (cloud.kind !== "found") return undefined;
    const listeners = Object.values(cloud.listeners).filter(({ serverGroupId }) => serverGroupId === id);
    return cloud.groups[id]?.scheduler ?? agreed(listeners.flatMap((one) => (one.kind === "clb" ? one.scheduler : [])));
}

/** Adds the port of the group to a backend key that lacks one, as in observed keys. */
const withPort = (backend: string, port: number | undefined): string =>
    formatBackendKey({ ...defined({ port }), ...parseBackendKey(backend) });

/** Returns a function from a backend key to the name of its node or pod, or undefined if the cluster lacks it. */
export function backendNames({ nodes, pods }: Pick<InspectedService, "nodes" | "pods">) {
    const names = new Map([
        ...nodes.flatMap(({ metadata, spec, status }) => [
            [spec?.providerID?.split(".").at(-1) ?? "", metadata.name] as const,
            ...(status?.addresses ?? []).map(({ address }) => [address, metadata.name] as const),
        ]),
        ...pods.flatMap(({ metadata, status }) =>
            (status?.podIPs ?? []).map(({ ip = "" }) => [ip, metadata.name] as const),
        ),
    ]);
    return (key: string) => names.get(key.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1"));
}

/** Returns a function that adds the name of node or pod to a backend key: `node-1 (i-bp1:30080)`. */
export function labelsOf(live: InspectedService): (key: string) => string {
    const nameOf = backendNames(live);
    return (key) => {
        const name = nameOf(key);
        return name === undefined ? key : `${name} (${key})`;
    };
}
