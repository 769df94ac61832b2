/** Listeners and server groups of a Service, each with its desired and its observed state. */

import { portKey } from "../../provider/clb/server-group";
import { formatBackendKey } from "../../provider/schema/backend";
import { ownerKey, sameService } from "../../provider/schema/names";
import { listenerProtocolOf } from "../../provider/schema/protocols";
import type { InspectedService } from "./model";

/** Returns the mark that the Service's objects bear, to compare others with. */
export function markOf({ object: { metadata }, type }: Pick<InspectedService, "object" | "type">): string {
    const { namespace = "default", name } = metadata;
    return ownerKey(type, { namespace, name, clusterId: "any" });
}

/**
 * Returns the Service's ports with their listeners, and whether the Service manages these; none of a load balancer
 * that was not read.
 */
export function listenerViews(live: InspectedService) {
    const { service, cloud } = live;
    if (cloud.kind !== "found" || service === undefined) return [];
    return service.ports.map((port) => {
        const protocol = listenerProtocolOf(port, service.settings);
        const listener = cloud.instance.listeners.find(
            (one) => one.port === port.port && (one.protocol === "udp") === (protocol === "udp"),
        );
        const own = service.settings.id === undefined || sameService(listener?.description ?? "", markOf(live));
        return { key: portKey(port), protocol, port: port.port, listener, own };
    });
}

export type GroupView = ReturnType<typeof backendsOfGroups>[number];

/**
 * Returns the Service's groups: those that it joins, and those behind its listeners or with its mark. Backends have
 * their observed and their desired weight, each undefined if the group lacks it; `own` is false for user-managed ones,
 * `draining` true for pods that terminate and still serve (graceful-shutdown).
 */
export function backendsOfGroups(live: InspectedService) {
    const { object, desired, cloud } = live;
    if (cloud.kind !== "found") return [];
    const mark = markOf(live);
    const { serverGroups } = cloud.instance;
    const views = listenerViews(live).filter(({ own }) => own);
    return desired.flatMap(({ key, ports, joined, backends, draining }) => {
        const port = object.spec?.ports?.find((one) =>
            ports.includes(`${(one.protocol ?? "TCP").toLowerCase()}:${one.port}`),
        );
        const serving = views.find((one) => ports.includes(one.key.replace("-", ":")))?.listener?.serverGroupId;
        const marked = serverGroups.find(
            ({ name }) => sameService(name, mark) && name.includes(`/${port?.nodePort ?? port?.targetPort}/`),
        );
        const group = serverGroups.find(({ id }) => id === (joined ?? serving ?? marked?.id));
        if (group === undefined) return [];
        const { id, name } = group;
        const desired = new Map(
            Object.entries(backends).map(([backend, { weight }]) => [withPort(backend, port?.nodePort), weight]),
        );
        const observed = new Map((group.backends ?? []).map((member) => [formatBackendKey(member), member]));
        const keys = [...new Set([...observed.keys(), ...desired.keys()])].sort();
        const weights = keys.map((backend) => {
            const member = observed.get(backend);
            const own = sameService(member?.mark, mark) || desired.has(backend);
            const drains = draining.has(backend);
            return { backend, observed: member?.weight, desired: desired.get(backend), own, draining: drains };
        });
        return [{ key, id, name, backends: weights }];
    });
}

/** Adds the port to the key of an ECS instance without one, as in observed keys. */
const withPort = (backend: string, port: number | undefined): string =>
    port !== undefined && /^i-[^:]*$/.test(backend) ? `${backend}:${port}` : backend;

/** Returns a function from a backend key to the name of its node or pod; undefined for one that the cluster lacks. */
export function namesOf({ nodes, pods }: Pick<InspectedService, "nodes" | "pods">) {
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
    const nameOf = namesOf(live);
    return (key) => {
        const name = nameOf(key);
        return name === undefined ? key : `${name} (${key})`;
    };
}
