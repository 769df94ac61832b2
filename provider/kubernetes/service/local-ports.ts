/** Node ports that nodes may use for connections of their own. */

import { LOCAL_PORTS } from "../../schema/facts";

/** What to do about such a port. Source: "FAQ about Services", How do I configure the NodePort range? */
export const LOCAL_PORT_REMEDY =
    "set spec.ports.nodePort to an unused port outside of that range, and keep the node port range of the API server (service-node-port-range) outside of it";

/**
 * The node ports of a Service, written or assigned, that are in the local port range of the nodes, a clause each: a connection of the node may take such a port, so that health checks fail now and then.
 *
 * @param range net.ipv4.ip_local_port_range of the nodes. Default: that of a node on which nobody has changed it.
 */
export function localNodePorts(
    ports: readonly { readonly port: number; readonly nodePort?: number }[],
    range: { readonly from: number; readonly to: number } = LOCAL_PORTS,
): string[] {
    return ports.flatMap(({ port, nodePort }) =>
        nodePort !== undefined && nodePort >= range.from && nodePort <= range.to
            ? [`node port ${nodePort} of port ${port} is in the nodes' local port range ${range.from}-${range.to}`]
            : [],
    );
}
