/** Builds the backends of server groups from EndpointSlices and Nodes. Pure. */
import type { BackendCode, Information } from "../diagnostics";
import { type Backends, formatBackendKey } from "../schema/backend";
import { containedIn, familyOf } from "../schema/cidr";
import { sortedByKey } from "../schema/defined";
import type { ClusterFacts } from "../schema/facts";
import type { ServerGroup } from "../schema/server-group";
import type { NodeObject } from "../service/objects";
import type { Service, ServicePort } from "../service/service";
import { type ClusterView, isDraining, isReady, type PodAddress, podsOf } from "./endpoints";
import { addressRole, isEdgeNode, type NodeRole, nodeRole } from "./nodes";
import { EVEN_WEIGHT, localWeights, shareOf } from "./weights";

export { type ClusterView, isDraining, isReady, keepsEndpoints, predictSlices } from "./endpoints";
export { checkEdgeNodes, clusterIdsOf, isEdgeNode, isVirtualNode, regionsOf } from "./nodes";

type BackendNote = Information<BackendCode>;

const note = (code: BackendCode, cause: string): BackendNote => ({ code, severity: "info", place: {}, cause });

interface CountedBackends {
    readonly backends: Backends;
    readonly notes: readonly BackendNote[];
}

export interface GroupBackends extends CountedBackends {
    /** Keys of the backends that terminate and still serve: they have weight 0 (graceful-shutdown). */
    readonly draining: ReadonlySet<string>;
}

/** Fields of a Service that decide the members of its server groups. */
export type ServiceShape = Pick<Service, "ports" | "externalTrafficPolicy"> & {
    /** Absent where the reader does not know it. */
    readonly selector?: Service["selector"];
    readonly settings: Pick<
        Service["settings"],
        | "weight"
        | "defaultWeight"
        | "backendLabel"
        | "removeUnscheduledBackend"
        | "gracefulShutdown"
        | "ignoreWeightUpdate"
    >;
};

export type WeightFacts = Pick<ClusterFacts, "compatibility" | "vpcCidrs">;

interface Context {
    readonly service: ServiceShape;
    readonly group: ServerGroup;
    readonly facts: WeightFacts;
    readonly nodes: readonly NodeObject[];
    readonly endpoints: readonly PodAddress[];
}

const FAMILIES = { ipv4: ["IPv4"], ipv6: ["IPv6"], dualstack: ["IPv4", "IPv6"] } as const;

/** Rounding error, as a fraction of the traffic, from which it is reported. */
const REPORTED_ERROR = 0.01;

/**
 * Returns the backends of a server group.
 *
 * - `eni`: every ready endpoint, with its address and targetPort. With graceful-shutdown, also those that terminate and
 *   still serve, with weight 0.
 * - `externalTrafficPolicy: Cluster`: every node that can be a backend.
 * - `externalTrafficPolicy: Local`: the nodes that run a ready pod, weighted by their number of pods.
 *
 * Pods on virtual nodes are attached directly in both node modes. In a user-managed group the backends share the
 * Service's weight, if it has one. In a group of addresses (NLB) nodes are members by address. Source: "Notes on
 * service load balancing configuration", backend server group, "Configure CLB using annotations", backend servers, and
 * CCM, release notes of v2.15.0.
 */
export function groupBackends(
    service: ServiceShape,
    group: ServerGroup,
    facts: WeightFacts,
    { nodes, endpointSlices }: ClusterView,
): GroupBackends {
    const families = FAMILIES[group.ipVersion ?? "ipv4"];
    const served = service.ports.filter(({ port, protocol }) =>
        group.ports.some((one) => one.port === port && one.protocol === protocol),
    );
    // The pods of a node count once, not once for each port.
    const counted = group.kind === "eni" ? served : served.slice(0, 1);
    const endpointsThat = (accept: typeof isReady): PodAddress[] =>
        counted.flatMap((port) => podsOf(endpointSlices, port, families, accept));
    const context = { service, group, facts, nodes, endpoints: endpointsThat(isReady) };
    const { backends: weighed, notes: found } = group.kind === "eni" ? podBackends(context) : nodeBackends(context);
    const unnamed = unnamedPorts(served, endpointSlices, families);
    const weight = sharedWeight(service, group);
    const ready = weight === undefined ? weighed : shareOf(weight, weighed);
    const leaving = drainsPods(service, group) ? endpointsThat(isDraining) : [];
    const { backends: left } = podBackends({ ...context, endpoints: leaving });
    const draining = new Set(Object.keys(left).filter((key) => !Object.hasOwn(ready, key)));
    const backends = sortedByKey({ ...ready, ...Object.fromEntries([...draining].map((key) => [key, { weight: 0 }])) });
    if (Object.keys(backends).length > 0) return { backends, notes: [...found, ...unnamed], draining };
    const cause = `server group ${group.key} has no backend: ${unnamed[0]?.cause ?? whyEmpty(context)}`;
    return { backends, notes: [...found, note("no-backends", cause)], draining };
}

/** Weight 0 of a node would stop its other pods too, and a weight that nobody updates cannot become 0. */
export const drainsPods = (
    { settings }: Pick<ServiceShape, "settings">,
    { kind }: Pick<ServerGroup, "kind">,
): boolean => settings.gracefulShutdown === "true" && settings.ignoreWeightUpdate !== "on" && kind === "eni";

/** Reports named target ports that no ready pod has: nodes are backends all the same, and nothing answers. */
function unnamedPorts(
    served: readonly ServicePort[],
    slices: ClusterView["endpointSlices"],
    families: Parameters<typeof podsOf>[2],
): BackendNote[] {
    const hasPods = (port: ServicePort): boolean => podsOf(slices, port, families, isReady).length > 0;
    return served
        .filter((port) => hasPods({ ...port, targetPort: port.port }) && !hasPods(port))
        .map(({ port, targetPort }) => {
            const cause = `no pod has the targetPort ${targetPort}: port ${port} of the Service gets no answer`;
            return note("port-unnamed", cause);
        });
}

/** Returns the weight that the backends of a user-managed group share, or undefined if each has its own. */
const sharedWeight = ({ settings }: ServiceShape, { joined }: ServerGroup): number | undefined =>
    joined === undefined ? undefined : settings.weight;

function whyEmpty({ service, group, endpoints }: Context): string {
    if (group.kind === "ecs" && service.externalTrafficPolicy === "Cluster") return "no node of the cluster can be one";
    if (endpoints.length > 0) return "no node with a ready pod can be one";
    return Object.keys(service.selector ?? {}).length > 0
        ? "the Service's selector finds no ready pod"
        : "the EndpointSlices of the Service have no ready endpoint";
}

/**
 * Returns the pods that can be attached. Pods outside the VPC have no network interface in it, and only a group of
 * addresses can hold them.
 */
function podBackends({ service, group, endpoints, facts, nodes }: Context): CountedBackends {
    const reasonOf = group.type === "Ip" ? () => undefined : unattachable(facts, nodes);
    const backends: [string, number][] = [];
    const notes = new Map<string, BackendNote>();
    for (const endpoint of endpoints) {
        const { address, port } = endpoint;
        const reason = reasonOf(endpoint);
        if (reason === undefined)
            backends.push([formatBackendKey(group.anyPort ? { address } : { address, port }), evenWeight(service)]);
        else notes.set(address, note("pod-skipped", `pod ${address} gets no traffic: ${reason}`));
    }
    return { backends: sorted(backends), notes: [...notes.values()] };
}

/** Returns a test that gives the reason why a pod has no network interface in the VPC, or undefined. */
function unattachable(
    { vpcCidrs }: WeightFacts,
    nodes: readonly NodeObject[],
): (endpoint: PodAddress) => string | undefined {
    const atEdge = new Set(nodes.filter(isEdgeNode).map(({ metadata }) => metadata.name));
    // Ranges of an IP version do not restrict addresses of the other.
    const restricted = new Set(vpcCidrs?.map(familyOf));
    const inVpc = containedIn(vpcCidrs ?? []);
    return ({ address, nodeName = "" }) => {
        if (atEdge.has(nodeName))
            return (
                `its node ${nodeName} is at the edge, where pods have no network interface in the VPC; ` +
                "an NLB with server-group-type Ip reaches it"
            );
        return restricted.has(familyOf(address)) && !inVpc(address)
            ? `its address is outside the VPC (${vpcCidrs?.join(", ")})`
            : undefined;
    };
}

/** Weight of every backend where weights do not follow the pods. */
const evenWeight = ({ settings }: ServiceShape): number => settings.defaultWeight ?? EVEN_WEIGHT;

function nodeBackends({ service, group, endpoints, facts, nodes }: Context): CountedBackends {
    const roleOf = group.type === "Ip" ? addressRole : nodeRole;
    const roles = new Map(nodes.map((node) => [node.metadata.name, roleOf(node, service.settings)]));
    const local = service.externalTrafficPolicy === "Local";
    const pods = endpoints
        .filter(({ nodeName = "" }) => roles.get(nodeName)?.kind === "virtual")
        .map((pod) => [formatBackendKey(pod), local ? 1 : evenWeight(service)] as const);
    if (!local) {
        const servers = [...roles.values()].flatMap((role) =>
            role.kind === "backend" ? [[role.key, evenWeight(service)] as const] : [],
        );
        return { backends: sorted([...servers, ...pods]), notes: [] };
    }
    const podsByServer = new Map<string, number>();
    const notes = new Map<string, BackendNote>();
    for (const endpoint of endpoints) {
        const { address, nodeName } = endpoint;
        const role = endpointRole(endpoint, roles);
        if (role.kind === "backend") podsByServer.set(role.key, (podsByServer.get(role.key) ?? 0) + 1);
        if (role.kind === "excluded") {
            const cause = `pods on node ${nodeName ?? "?"} get no traffic: ${role.reason}`;
            notes.set(nodeName ?? address, note("node-skipped", cause));
        }
    }
    if (sharedWeight(service, group) !== undefined)
        return { backends: sorted([...podsByServer, ...pods]), notes: [...notes.values()] };
    const { weights } = localWeights(podsByServer, facts.compatibility);
    // A pod on a virtual node weighs 1, the minimum: next to scaled-down weights it gets more than its share.
    const { error } = localWeights(new Map([...podsByServer, ...pods]), facts.compatibility);
    const off = `${(error * 100).toFixed(1)} %`;
    const rounded = `weights are limited to 100: the share of traffic of a backend is off by up to ${off}`;
    return {
        backends: sorted([...weights, ...pods]),
        notes: [...notes.values(), ...(error > REPORTED_ERROR ? [note("weights-rounded", rounded)] : [])],
    };
}

function endpointRole({ address, nodeName }: PodAddress, roles: ReadonlyMap<string, NodeRole>): NodeRole {
    if (nodeName === undefined) return { kind: "excluded", reason: `its endpoint ${address} names no node` };
    return roles.get(nodeName) ?? { kind: "excluded", reason: "the cluster has no such node" };
}

/** Equal members give equal text, in the state and on the screen. */
function sorted(entries: Iterable<readonly [string, number]>): Backends {
    return sortedByKey(Object.fromEntries([...entries].map(([key, weight]) => [key, { weight }])));
}
