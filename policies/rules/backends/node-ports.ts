import { faqDocument } from "../../../provider/schema/documents";
import { DEFAULT_NODE_PORTS } from "../../../provider/schema/facts";
import type { ResourceRule } from "../../rule";

/** A node gives ports of its local range to outgoing connections; a node port among them is taken at times, and health checks fail for no visible reason. */
export const nodePorts: ResourceRule = {
    name: "backends-node-ports",
    title: "Node ports are none of the ports that nodes give to outgoing connections (net.ipv4.ip_local_port_range).",
    group: "backends",
    severity: "high",
    level: "mandatory",
    remedy: "Choose another node port or let Kubernetes choose; keep the node port range of the API server and the local port range of the nodes apart.",
    source: faqDocument("How do I configure the NodePort range?"),
    options: {
        localFrom: {
            type: "integer",
            minimum: 1,
            default: 32768,
            description: "First port of net.ipv4.ip_local_port_range.",
        },
        localTo: {
            type: "integer",
            minimum: 1,
            default: 60999,
            description: "Last port of net.ipv4.ip_local_port_range.",
        },
    },
    service: ({ ports, facts }, config) => {
        const [from, to] = [Number(config["localFrom"]), Number(config["localTo"])];
        const local = `the nodes' local port range ${from}-${to}`;
        const range = facts.nodePortRange ?? DEFAULT_NODE_PORTS;
        return [
            ...(range.from <= to && range.to >= from
                ? [`the node port range ${range.from}-${range.to} of the cluster overlaps ${local}`]
                : []),
            ...ports.flatMap(({ port, nodePort }) =>
                nodePort !== undefined && nodePort >= from && nodePort <= to
                    ? [`node port ${nodePort} of port ${port} is in ${local}`]
                    : [],
            ),
        ];
    },
};
