/** EndpointSlices and Nodes to backends: pure functions. */
import type { BackendCode, Information } from "../diagnostics";
import type { NodeObject } from "../kubernetes/types";
import type { ClusterFacts } from "../schema/facts";
import { formatBackendKey } from "./key";
import type { Backends } from "../model/backend";
import { containedIn, familyOf } from "../schema/cidr";
import type { NlbServerGroup } from "../model/nlb/server-group";
import type { ClbServerGroup } from "../model/clb/server-group";
import type { Service } from "../kubernetes/service/service";
import { type Endpoint, readyEndpoints } from "./endpoints";
import { addressRole, isEdgeNode, type NodeRole, nodeRole } from "./nodes";
import type { ClusterView } from "./view";
import { EVEN_WEIGHT, localWeights, shareOf } from "./weights";

export { keepsEndpoints } from "./applied";
export { checkEdgeNodes } from "./edge";
export { isEdgeNode } from "./nodes";
export { predictSlices } from "./predict";
export type { ClusterView } from "./view";
export { localWeights } from "./weights";

/** Something worth knowing about a group's backends; nothing of it stops the run. */
export type BackendNote = Information<BackendCode>;

const note = (code: BackendCode, cause: string): BackendNote => ({ code, severity: "info", place: {}, cause });

/** The backends of one server group, and what was noticed on the way. */
export interface GroupBackends {
    readonly backends: Backends;
    readonly notes: readonly BackendNote[];
}

/** A Service, as far as the members of its server groups depend on it. */
export type ServiceShape = Pick<Service, "ports" | "externalTrafficPolicy"> & {
    readonly settings: Pick<
        Service["settings"],
        "weight" | "defaultWeight" | "backendLabel" | "removeUnscheduledBackend"
    >;
};

/** What decides weights and attachable pods. */
export type BackendFacts = Pick<ClusterFacts, "compatibility" | "vpcCidrs">;

/** A server group, as far as its members depend on it; what only an NLB has is optional. */
export type GroupShape = ClbServerGroup & Partial<Pick<NlbServerGroup, "type" | "anyPort">>;

const FAMILIES = { ipv4: ["IPv4"], ipv6: ["IPv6"], dualstack: ["IPv4", "IPv6"] } as const;

/** Share of traffic, as a fraction, by which rounding may be off before it is worth a word. */
const WORTH_SAYING = 0.01;

/**
 * The backends of a server group, from what the cluster says.
 *
 * - `eni`: every ready endpoint, on its own address and targetPort.
 * - `externalTrafficPolicy: Cluster`: every node that can be a backend.
 * - `externalTrafficPolicy: Local`: the nodes that run a ready pod, weighted by how many.
 *
 * Pods on virtual nodes are attached directly in both node modes. In a user-managed group the backends share the weight that the Service is given, if any.
 * In groups of addresses (NLB), nodes are members by their address.
 * Source: "Notes on service load balancing configuration", backend server group; "Configure CLB using annotations", backend servers.
 */
export function groupBackends(
    service: ServiceShape,
    group: GroupShape,
    facts: BackendFacts,
    view: ClusterView,
): GroupBackends {
    const endpoints = group.ports.flatMap((shape) => {
        const port = service.ports.find(
            (candidate) => candidate.port === shape.port && candidate.protocol === shape.protocol,
        );
        return port ? readyEndpoints(view.endpointSlices, port, FAMILIES[group.ipVersion ?? "ipv4"]) : [];
    });
    const { weight } = service.settings;
    const counted =
        group.kind === "eni"
            ? podBackends(service, group, endpoints, facts, view.nodes)
            : nodeBackends(service, group, endpoints, facts, view.nodes);
    const found =
        group.joined === undefined || weight === undefined
            ? counted
            : { ...counted, backends: shareOf(weight, counted.backends) };
    if (Object.keys(found.backends).length === 0) {
        const cause = `server group ${group.key} has no backend: ${whyEmpty(service, group, endpoints)}`;
        return { ...found, notes: [...found.notes, note("no-backends", cause)] };
    }
    return found;
}

function whyEmpty(service: ServiceShape, group: ClbServerGroup, endpoints: readonly Endpoint[]): string {
    if (group.kind === "ecs" && service.externalTrafficPolicy === "Cluster") {
        return "no node of the cluster can be one";
    }
    return endpoints.length > 0 ? "no node with a ready pod can be one" : "the Service's selector finds no ready pod";
}

/** Whether an address may be one of the VPC. Ranges of one IP version say nothing about addresses of the other. */
function vpcTest(cidrs: readonly string[]): (address: string) => boolean {
    const known = new Set(cidrs.map(familyOf));
    const contained = containedIn(cidrs);
    return (address) => !known.has(familyOf(address)) || contained(address);
}

/** Pods outside the VPC, at the edge for instance, have no interface that the cloud could send to; a group of addresses holds them all the same. */
function podBackends(
    service: ServiceShape,
    group: GroupShape,
    endpoints: readonly Endpoint[],
    facts: BackendFacts,
    nodes: readonly NodeObject[],
): GroupBackends {
    const reasonOf = group.type === "Ip" ? () => undefined : unattachable(facts, nodes);
    const keyOf = ({ ip, port }: Endpoint) =>
        formatBackendKey(group.anyPort ? { kind: "eni", ip } : { kind: "eni", ip, port });
    const judged = endpoints.map((endpoint) => ({ endpoint, reason: reasonOf(endpoint) }));
    const notes = judged.flatMap(({ endpoint, reason }): BackendNote[] =>
        reason === undefined ? [] : [note("pod-skipped", `pod ${endpoint.ip} gets no traffic: ${reason}`)],
    );
    const inside = judged.flatMap(({ endpoint, reason }) => (reason === undefined ? [endpoint] : []));
    return { backends: sorted(inside.map((endpoint) => [keyOf(endpoint), evenWeight(service)])), notes };
}

/** Why a pod has no network interface in the VPC, as far as that is known; undefined if nothing speaks against one. */
function unattachable(
    { vpcCidrs }: BackendFacts,
    nodes: readonly NodeObject[],
): (endpoint: Endpoint) => string | undefined {
    const atEdge = new Set(nodes.filter(isEdgeNode).map(({ metadata }) => metadata.name));
    const inVpc = vpcCidrs === undefined ? () => true : vpcTest(vpcCidrs);
    return ({ ip, nodeName = "" }) => {
        if (atEdge.has(nodeName))
            return `its node ${nodeName} is at the edge, where pods have no network interface in the VPC; an NLB with server-group-type Ip reaches it`;
        return inVpc(ip) ? undefined : `its address is outside the VPC (${vpcCidrs?.join(", ") ?? ""})`;
    };
}

/** Weight of every backend where weights do not follow the pods. */
const evenWeight = (service: ServiceShape): number => service.settings.defaultWeight ?? EVEN_WEIGHT;

function nodeBackends(
    service: ServiceShape,
    group: GroupShape,
    endpoints: readonly Endpoint[],
    facts: BackendFacts,
    nodes: readonly NodeObject[],
): GroupBackends {
    const roleOf = group.type === "Ip" ? addressRole : nodeRole;
    const roles = new Map(nodes.map((node) => [node.metadata.name, roleOf(node, service.settings)]));
    const onVirtual = endpoints.filter((endpoint) => roles.get(endpoint.nodeName ?? "")?.kind === "virtual");
    const local = service.externalTrafficPolicy === "Local";
    const podWeight = local ? 1 : evenWeight(service);
    const pods = onVirtual.map(({ ip, port }): [string, number] => [
        formatBackendKey({ kind: "eni", ip, port }),
        podWeight,
    ]);
    if (!local) {
        const servers = [...roles.values()].flatMap((role): [string, number][] =>
            role.kind === "backend" ? [[role.key, evenWeight(service)]] : [],
        );
        return { backends: sorted([...servers, ...pods]), notes: [] };
    }
    const podsByServer = new Map<string, number>();
    const notes = new Map<string, BackendNote>();
    for (const endpoint of endpoints) {
        const role = endpointRole(endpoint, roles);
        if (role.kind === "backend") {
            podsByServer.set(role.key, (podsByServer.get(role.key) ?? 0) + 1);
        } else if (role.kind === "excluded") {
            notes.set(
                endpoint.nodeName ?? endpoint.ip,
                note("node-skipped", `pods on node ${endpoint.nodeName ?? "?"} get no traffic: ${role.reason}`),
            );
        }
    }
    const { weights } = localWeights(podsByServer, facts.compatibility);
    // A pod on a virtual node weighs 1, the least there is: beside weights that were scaled down it gets more than its share.
    const { error } = localWeights(new Map([...podsByServer, ...pods]), facts.compatibility);
    const rounded: BackendNote[] =
        error > WORTH_SAYING
            ? [
                  note(
                      "weights-rounded",
                      `weights are limited to 100, so that the share of traffic of a backend is off by up to ${(error * 100).toFixed(1)} %`,
                  ),
              ]
            : [];
    return { backends: sorted([...weights, ...pods]), notes: [...notes.values(), ...rounded] };
}

function endpointRole(endpoint: Endpoint, roles: ReadonlyMap<string, NodeRole>): NodeRole {
    if (endpoint.nodeName === undefined) {
        return { kind: "excluded", reason: `its endpoint ${endpoint.ip} names no node` };
    }
    return roles.get(endpoint.nodeName) ?? { kind: "excluded", reason: "the cluster has no such node" };
}

/** Sorted by key, so that equal members always give equal text, in state as on the screen. */
function sorted(entries: Iterable<readonly [string, number]>): Backends {
    const weights = new Map(entries);
    return Object.fromEntries(
        [...weights].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, weight]) => [key, { weight }]),
    );
}
