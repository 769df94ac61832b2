import { z } from "zod";
import { accepted, acceptedValue, reportIssues } from "./shape";
import { backendTypeOf, isDnsLabel } from "./annotations";
import type { Settings } from "../schema/settings";
import { clbDocument, faqDocument, notesDocument } from "../schema/documents";
import { type Collector, collector, type Diagnostic, type FieldPath, isMapping } from "../diagnostics";
import {
    type ClusterFacts,
    compatibilityOf,
    DEFAULT_NODE_PORTS,
    follows,
    isKubernetesBelow,
    LOCAL_PORTS,
} from "../schema/facts";
import { CCM_SINCE } from "../schema/versions";
import { quote } from "../net/redact";
import { defined, filtered, once } from "../schema/defined";

export interface ServicePort {
    readonly name?: string;
    /** 1 to 65535. It is the port of the listener. */
    readonly port: number;
    readonly protocol: "TCP" | "UDP";
    /** Port of the pods, by number or name. Default: `port`. */
    readonly targetPort: number | string;
    /** Port of the nodes. Absent until Kubernetes has assigned a port. */
    readonly nodePort?: number;
}

const PORTS: FieldPath = ["spec", "ports"];

/** Most ports of a Service: more than the listeners of an instance, even with a raised quota. */
const MAX_PORTS = 1_000;

const isPort = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65535;

/** True for a port name: 1 to 15 lower-case letters, digits and inner hyphens, with at least one letter. */
const isPortName = (value: unknown): boolean =>
    typeof value === "string" && /^(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value);

/** Reads `spec.ports`: the valid ports, and the problems of the others. */
export function readPorts(value: unknown, facts: ClusterFacts) {
    const report = collector("service-port");
    const ports: ServicePort[] = [];
    const result = { ports, diagnostics: report.diagnostics };
    const source = notesDocument("Listener");
    const entries: readonly unknown[] = Array.isArray(value) ? value : [];
    if (entries.length === 0) {
        const isMissing = value === undefined || Array.isArray(value);
        const cause = isMissing ? "the Service has no ports" : "must be a list of ports";
        report.error(PORTS, cause, "list at least one port; every port becomes a listener", { source });
        return result;
    }
    if (entries.length > MAX_PORTS) {
        const limit = `at most ${MAX_PORTS} are read; every port becomes a listener`;
        const cause = `the Service has ${entries.length} ports, and ${limit}`;
        const remedy = "spread the ports over several Services, or give an NLB a range of ports (listener-port-range)";
        report.error(PORTS, cause, remedy, { source });
        return result;
    }
    const nodePorts = facts.nodePortRange ?? ANY_PORT;
    const { from, to } = DEFAULT_NODE_PORTS;
    const schema = once(schemas, `${nodePorts.from}-${nodePorts.to}`, () => portSchema(nodePorts));
    for (const [index, entry] of entries.entries()) {
        const path = [...PORTS, index];
        const parsed = schema.safeParse(entry, { reportInput: true });
        if (parsed.success) refuseDuplicates(parsed.data, path, ports, report);
        else reportIssues(parsed.error, path, report);
        if (entries.length > 1 && isMapping(entry) && (entry["name"] ?? "") === "")
            report.error(path, "has no name, but Services with several ports need names", "give every port a name");
        if (!parsed.success) continue;
        ports.push(parsed.data);
        const { nodePort = from } = parsed.data;
        if (facts.nodePortRange !== undefined || (nodePort >= from && nodePort <= to)) continue;
        const cause = `node port ${nodePort} is outside ${from}-${to}, the range that clusters have by default`;
        const remedy = "give the range of the cluster (nodePortRange) if it has another, or remove nodePort";
        report.warning([...path, "nodePort"], cause, remedy, { source: faqDocument(NODE_PORT_RANGE) });
    }
    return result;
}

const NODE_PORT_RANGE = "How do I configure the NodePort range?";

/** Node ports where the range of the cluster is not known: its API server decides. */
const ANY_PORT: NodePortRange = { from: 1, to: 65535 };

export type NodePortRange = NonNullable<ClusterFacts["nodePortRange"]>;

/**
 * Schemas by range of node ports. They are kept, because compiling a schema takes longer than reading the ports of a
 * Service.
 */
const schemas = new Map<string, z.ZodType<ServicePort>>();

function portSchema({ from, to }: NodePortRange): z.ZodType<ServicePort> {
    const entry = z.looseObject({
        name: acceptedValue<string>(
            (value) => typeof value === "string" && isDnsLabel(value),
            "is not a port name",
            "write up to 63 lower-case letters, digits and hyphens",
        ).optional(),
        port: acceptedValue<number>(isPort, "is not a port", "write a whole number from 1 to 65535, unquoted"),
        protocol: accepted<"TCP" | "UDP">(
            (value) => value === "TCP" || value === "UDP",
            (value) => (value === "SCTP" ? "load balancers do not speak SCTP" : `${quote(value)} is not a protocol`),
            (value) => (value === "SCTP" ? "use TCP or UDP" : "write TCP or UDP, in upper case"),
        ).default("TCP"),
        targetPort: acceptedValue<number | string>(
            (value) => isPort(value) || isPortName(value),
            "is neither a port nor the name of one",
            "write a whole number from 1 to 65535, unquoted, or the name of a container port",
        ).optional(),
        nodePort: acceptedValue<number>(
            (value) => isPort(value) && value >= from && value <= to,
            `is not a port between ${from} and ${to}`,
            "remove it; Kubernetes assigns one",
        ).optional(),
    });
    return accepted<Record<string, unknown>>(isMapping, "must be a mapping with at least a port", "write port: 80")
        .transform(withoutUnsetInPort)
        .pipe(entry)
        .transform(({ name, port, protocol, targetPort = port, nodePort }) => ({
            ...defined({ name }),
            port,
            protocol,
            targetPort,
            ...defined({ nodePort }),
        }));
}

function refuseDuplicates(port: ServicePort, path: FieldPath, earlier: readonly ServicePort[], report: Collector) {
    const { name, port: number, protocol, nodePort } = port;
    const refuse = (field: "port" | "name" | "nodePort", what: string, remedy: string): void => {
        const same = earlier.some(
            (other) => other[field] === port[field] && (field === "name" || other.protocol === protocol),
        );
        if (port[field] !== undefined && same) report.error([...path, field], `${what} is there twice`, remedy);
    };
    refuse("port", `${protocol} port ${number}`, "remove one of them");
    refuse("name", `the name "${name}"`, "rename one of them");
    refuse("nodePort", `node port ${nodePort}`, "remove one of them");
}

/**
 * Checks the ports against the cluster and the other settings.
 *
 * @param nodePortsAssigned true if Kubernetes assigns the node ports that the Service does not set.
 */
export function checkPorts(
    ports: readonly ServicePort[],
    settings: Settings,
    facts: ClusterFacts,
    nodePortsAssigned: boolean,
): readonly Diagnostic[] {
    const report = collector("service-port");
    const mixedProtocols = !isKubernetesBelow(facts, 24);
    const pods = backendTypeOf(settings, facts) === "eni";
    for (const [index, { port, protocol, targetPort, nodePort }] of ports.entries()) {
        const path = [...PORTS, index];
        const isMixed = ports.slice(0, index).some((other) => other.port === port && other.protocol !== protocol);
        if (!mixedProtocols && isMixed)
            report.error(
                [...path, "port"],
                `TCP and UDP on one port (${port}) need Kubernetes 1.24 or later, ` +
                    `but the cluster runs ${facts.kubernetesVersion}`,
                "use different ports, or upgrade the cluster",
                { source: clbDocument("Configure both TCP and UDP for a single listener") },
            );
        if (!pods && !nodePortsAssigned && nodePort === undefined) {
            const cause =
                "has no node port, and allocateLoadBalancerNodePorts is false; " +
                "nodes are the backends of this Service and are reached through node ports";
            const remedy = "remove allocateLoadBalancerNodePorts, or name a nodePort";
            report.error(path, cause, remedy, { source: notesDocument("Backend server group") });
        }
        if (pods && typeof targetPort === "string" && !follows(facts, "namedTargets"))
            report.error(
                [...path, "targetPort"],
                `a named target port ("${targetPort}") needs Cloud Controller Manager ${CCM_SINCE.namedTargets} or ` +
                    `later while pods are the backends; the cluster is at ${compatibilityOf(facts)}`,
                "write the number of the port",
                { source: faqDocument("Service error messages and solutions") },
            );
    }
    return report.diagnostics;
}

/** Returns the node ports that ports set, as `TCP:30080`. Each is unique among the Services of a cluster. */
export const nodePortClaims = (ports: readonly ServicePort[]): string[] =>
    ports.flatMap(({ protocol, nodePort }) => (nodePort === undefined ? [] : [`${protocol}:${nodePort}`]));

export interface ServicePortKey {
    readonly port: number;
    /** Default TCP. */
    readonly protocol?: string;
}

/** Returns the nodePort of a port of a Service, or undefined if the Service lacks the port, or the port a nodePort. */
export function nodePortIn(
    ports: readonly (ServicePortKey & { readonly nodePort?: number })[] | undefined,
    { port, protocol = "TCP" }: ServicePortKey,
): number | undefined {
    return ports?.find((one) => one.port === port && (one.protocol ?? "TCP") === protocol)?.nodePort;
}

/** Remedy for {@link localNodePorts}. Source: "FAQ about Services", How do I configure the NodePort range? */
export const LOCAL_PORT_REMEDY =
    "set spec.ports.nodePort to an unused port outside of that range, " +
    "and keep the node port range of the API server (service-node-port-range) outside of it";

/**
 * Describes the node ports that are in the local port range of the nodes. A node may use such a port for its own
 * connections, and health checks then fail now and then.
 *
 * @param range net.ipv4.ip_local_port_range of the nodes. Default: that of Linux.
 */
export const localNodePorts = (
    ports: readonly { readonly port: number; readonly nodePort?: number }[],
    range: NodePortRange = LOCAL_PORTS,
): string[] =>
    ports.flatMap(({ port, nodePort }) =>
        nodePort !== undefined && nodePort >= range.from && nodePort <= range.to
            ? [`node port ${nodePort} of port ${port} is in the nodes' local port range ${range.from}-${range.to}`]
            : [],
    );

/** Values of a port's fields that equal an absent field. Source: Kubernetes API, defaults of a Service's ports. */
const UNSET_IN_PORT: ReadonlyMap<string, readonly unknown[]> = new Map([
    ["name", [""]],
    ["protocol", [""]],
    ["targetPort", ["", 0]],
    ["nodePort", [0]],
]);

const withoutUnsetInPort = (port: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    filtered(port, (field, value) => value !== null && UNSET_IN_PORT.get(field)?.includes(value) !== true);

/** Removes the unset fields (null or an empty text) of metadata or spec, which the API server drops. */
export function withoutUnset(part: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const set = filtered(part, (_, value) => value !== null && value !== "");
    const { ports } = set;
    if (!Array.isArray(ports)) return set;
    return { ...set, ports: ports.map((port: unknown) => (isMapping(port) ? withoutUnsetInPort(port) : port)) };
}
