/** Which protocol the listener of a Service port speaks. */

import type { ListenerProtocol, Settings } from "./settings";

/** The part of a Service port that decides about its listener. */
export interface PortOfService {
    readonly port: number;
    readonly protocol: "TCP" | "UDP";
}

/** HTTP, HTTPS and TLS run over TCP; an entry of `protocol-port` therefore concerns the TCP or the UDP port of that number. */
export const transportOf = (protocol: ListenerProtocol): "TCP" | "UDP" => (protocol === "udp" ? "UDP" : "TCP");

/**
 * The protocol of the listener for a Service port: from `protocol-port` for this port, else TCP or UDP as in the Service.
 * Port 443 is not HTTPS unless `protocol-port` makes it so. Where TCP and UDP share a port number, `http:80` concerns the TCP port alone.
 */
export function listenerProtocolOf(port: PortOfService, settings: Pick<Settings, "protocolPort">): ListenerProtocol {
    const entry = settings.protocolPort?.find(
        (candidate) => candidate.port === port.port && transportOf(candidate.protocol) === port.protocol,
    );
    return entry?.protocol ?? (port.protocol === "UDP" ? "udp" : "tcp");
}
