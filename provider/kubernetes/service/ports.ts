/** The ports of a Service. */

import { z } from "zod";
import { accepted, reportIssues, shown } from "./shape";
import { withoutUnsetInPort } from "./unset";
import { backendTypeOf, isDnsLabel } from "../../annotations";
import type { Settings } from "../../schema/settings";
import { clbDocument, faqDocument, notesDocument } from "../../schema/documents";
import { type Collector, collector, type Diagnostic, type FieldPath, isMapping } from "../../diagnostics";
import { compatibilityOf, DEFAULT_NODE_PORTS, type ClusterFacts } from "../../schema/facts";
import { isAtLeast, parseKubernetesVersion } from "../../schema/versions";
import { defined } from "../../schema/defined";

/** One port of a Service. */
export interface ServicePort {
    readonly name?: string;
    /** 1 to 65535; the port of the listener. */
    readonly port: number;
    /** Default: TCP. */
    readonly protocol: "TCP" | "UDP";
    /** The port of the pods, or the name of one. Default: the same as `port`. */
    readonly targetPort: number | string;
    /** The port of the nodes. Absent until Kubernetes has assigned one. */
    readonly nodePort?: number;
}

const PORTS: FieldPath = ["spec", "ports"];

/** Most ports of a Service: more than an instance can have listeners, even with its quota raised. */
const MAX_PORTS = 1_000;

const isPort = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65535;

/** Port names follow the rules for service names: 1 to 15 lower-case letters, digits and inner hyphens, at least one letter. */
const isPortName = (value: string): boolean => /^(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value);

/** The ports of a Service that are in order, and what is wrong with the others. */
export interface ReadPorts {
    readonly ports: readonly ServicePort[];
    readonly diagnostics: readonly Diagnostic[];
}

/** Reads `spec.ports`. */
export function readPorts(value: unknown, facts: ClusterFacts): ReadPorts {
    const report = collector("service-port");
    if (!Array.isArray(value) || value.length === 0) {
        report.error(
            PORTS,
            value === undefined || (Array.isArray(value) && value.length === 0)
                ? "the Service has no ports"
                : "must be a list of ports",
            "list at least one port; every port becomes a listener",
            { source: notesDocument("Listener") },
        );
        return { ports: [], diagnostics: report.diagnostics };
    }
    if (value.length > MAX_PORTS) {
        report.error(
            PORTS,
            `the Service has ${value.length} ports, and at most ${MAX_PORTS} are read; every port becomes a listener`,
            "spread the ports over several Services, or give an NLB a range of ports (listener-port-range)",
            { source: notesDocument("Listener") },
        );
        return { ports: [], diagnostics: report.diagnostics };
    }
    const schema = portSchema(facts.nodePortRange ?? DEFAULT_NODE_PORTS);
    const ports: ServicePort[] = [];
    value.forEach((entry: unknown, index) => {
        const parsed = schema.safeParse(entry, { reportInput: true });
        if (!parsed.success) return reportIssues(parsed.error, [...PORTS, index], report);
        const port = parsed.data;
        refuseDuplicates(port, index, ports, report);
        if (value.length > 1 && port.name === undefined)
            report.error(
                [...PORTS, index],
                "has no name, but Services with several ports need names",
                "give every port a name",
            );
        ports.push(port);
    });
    return { ports, diagnostics: report.diagnostics };
}

interface PortRange {
    readonly from: number;
    readonly to: number;
}

/** By range: zod compiles a parser for each schema, which takes longer than reading the ports of a Service. */
const schemas = new Map<string, z.ZodType<ServicePort>>();

/** The schema of one port, for a range of node ports. */
function portSchema(nodePorts: PortRange): z.ZodType<ServicePort> {
    const key = `${nodePorts.from}-${nodePorts.to}`;
    const schema = schemas.get(key) ?? newPortSchema(nodePorts);
    schemas.set(key, schema);
    return schema;
}

function newPortSchema({ from, to }: PortRange): z.ZodType<ServicePort> {
    const entry = z.looseObject({
        name: accepted<string>(
            (value) => typeof value === "string" && isDnsLabel(value),
            (value) => `${shown(value)} is not a port name`,
            "write lower-case letters, digits and hyphens",
        ).optional(),
        port: accepted<number>(
            isPort,
            (value) => `${shown(value)} is not a port`,
            "write a whole number from 1 to 65535, unquoted",
        ),
        protocol: accepted<"TCP" | "UDP">(
            (value) => value === "TCP" || value === "UDP",
            (value) => (value === "SCTP" ? "load balancers do not speak SCTP" : `${shown(value)} is not a protocol`),
            (value) => (value === "SCTP" ? "use TCP or UDP" : "write TCP or UDP, in upper case"),
        ).default("TCP"),
        targetPort: accepted<number | string>(
            (value) => isPort(value) || (typeof value === "string" && isPortName(value)),
            (value) => `${shown(value)} is neither a port nor the name of one`,
            "write a whole number from 1 to 65535, unquoted, or the name of a container port",
        ).optional(),
        nodePort: accepted<number>(
            (value) => isPort(value) && value >= from && value <= to,
            (value) => `${shown(value)} is not a port between ${from} and ${to}`,
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

/** The node ports that ports name, each as `TCP:30080`. Of all Services of a cluster, one has each. */
export const nodePortClaims = (ports: readonly ServicePort[]): string[] =>
    ports.flatMap(({ protocol, nodePort }) => (nodePort === undefined ? [] : [`${protocol}:${nodePort}`]));

function refuseDuplicates(port: ServicePort, index: number, earlier: readonly ServicePort[], report: Collector): void {
    if (earlier.some((other) => other.port === port.port && other.protocol === port.protocol))
        report.error(
            [...PORTS, index, "port"],
            `${port.protocol} port ${port.port} is there twice`,
            "remove one of them",
        );
    if (port.name !== undefined && earlier.some((other) => other.name === port.name))
        report.error([...PORTS, index, "name"], `the name "${port.name}" is there twice`, "rename one of them");
    if (
        port.nodePort !== undefined &&
        earlier.some((other) => other.nodePort === port.nodePort && other.protocol === port.protocol)
    )
        report.error([...PORTS, index, "nodePort"], `node port ${port.nodePort} is there twice`, "remove one of them");
}

/**
 * What the ports demand of the cluster and of the other settings.
 *
 * @param nodePortsAssigned whether Kubernetes assigns the node ports that the Service does not name.
 */
export function checkPorts(
    ports: readonly ServicePort[],
    settings: Settings,
    facts: ClusterFacts,
    nodePortsAssigned: boolean,
): readonly Diagnostic[] {
    const report = collector("service-port");
    const version = facts.kubernetesVersion === undefined ? undefined : parseKubernetesVersion(facts.kubernetesVersion);
    const mixedProtocols = version === undefined || version[0] > 1 || version[1] >= 24;
    const pods = backendTypeOf(settings, facts) === "eni";
    ports.forEach((port, index) => {
        if (
            !mixedProtocols &&
            ports.slice(0, index).some((other) => other.port === port.port && other.protocol !== port.protocol)
        ) {
            report.error(
                [...PORTS, index, "port"],
                `TCP and UDP on one port (${port.port}) need Kubernetes 1.24 or later, but the cluster runs ${facts.kubernetesVersion}`,
                "use different ports, or upgrade the cluster",
                { source: clbDocument("Configure both TCP and UDP for a single listener") },
            );
        }
        if (!pods && !nodePortsAssigned && port.nodePort === undefined) {
            report.error(
                [...PORTS, index],
                "has no node port, and allocateLoadBalancerNodePorts is false; nodes are the backends of this Service and are reached through node ports",
                "remove allocateLoadBalancerNodePorts, or name a nodePort",
                { source: notesDocument("Backend server group") },
            );
        }
        if (pods && typeof port.targetPort === "string" && !isAtLeast(compatibilityOf(facts), "v2.0.1")) {
            report.error(
                [...PORTS, index, "targetPort"],
                `a named target port ("${port.targetPort}") needs Cloud Controller Manager v2.0.1 or later while pods are the backends; the cluster is at ${compatibilityOf(facts)}`,
                "write the number of the port",
                { source: faqDocument("Service error messages and solutions") },
            );
        }
    });
    return report.diagnostics;
}
