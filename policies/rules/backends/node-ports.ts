import { z } from "zod";
import { faqDocument } from "../../../provider/schema/documents";
import { localNodePorts } from "../../../provider/kubernetes/service/local-ports";
import { DEFAULT_NODE_PORTS, LOCAL_PORTS } from "../../../provider/schema/facts";
import type { ResourceRule } from "../../rule";

const port = z.int().min(1).max(65535);

const OPTIONS = z.object({
    localFrom: port.default(LOCAL_PORTS.from).describe("First port of net.ipv4.ip_local_port_range."),
    localTo: port.default(LOCAL_PORTS.to).describe("Last port of net.ipv4.ip_local_port_range."),
});

/** Services of type LoadBalancer and NodePort have node ports. A node uses ports of its local range for outgoing connections; a node port in that range is taken at times, and health checks fail for no visible reason. */
export const nodePorts: ResourceRule<typeof OPTIONS> = {
    name: "backends-node-ports",
    title: "Node ports are outside the range that nodes use for outgoing connections (net.ipv4.ip_local_port_range).",
    group: "backends",
    severity: "high",
    level: "mandatory",
    remedy: "Choose another node port or let Kubernetes choose; keep the node port range of the API server outside the local port range of the nodes.",
    source: faqDocument("How do I configure the NodePort range?"),
    options: OPTIONS,
    anyType: true,
    service: ({ type, ports, facts }, { localFrom: from, localTo: to }) => {
        if (type !== "LoadBalancer" && type !== "NodePort") return [];
        const local = `the nodes' local port range ${from}-${to}`;
        const range = facts.nodePortRange ?? DEFAULT_NODE_PORTS;
        return [
            ...(range.from <= to && range.to >= from
                ? [`the node port range ${range.from}-${range.to} of the cluster overlaps ${local}`]
                : []),
            ...localNodePorts(ports, { from, to }),
        ];
    },
};
