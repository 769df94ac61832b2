/** Protocols of listeners, and which of them the listener of a Service port speaks. */

/** Protocols of a CLB's listeners, as its API writes them. Source: SLB API, DescribeLoadBalancerListeners, ListenerProtocol. */
export const CLB_PROTOCOLS = ["tcp", "udp", "http", "https"] as const;

/** Protocols of an NLB's listeners, in small letters as annotations write them. Source: NLB API, ListListeners, ListenerProtocol. */
export const NLB_PROTOCOLS = ["tcp", "udp", "tcpssl"] as const;

export type ClbProtocol = (typeof CLB_PROTOCOLS)[number];
export type NlbProtocol = (typeof NLB_PROTOCOLS)[number];

/** The protocol of a listener, of whichever kind of load balancer. */
export type ListenerProtocol = ClbProtocol | NlbProtocol;

/** The protocol of a Service port. */
export type TransportProtocol = "TCP" | "UDP";

/**
 * The protocol of a CLB's listener.
 *
 * @param text from the API, from a resource's inputs or from the settings.
 * @throws RangeError if a CLB has no such listeners.
 */
export function clbProtocol(text: string): ClbProtocol {
    return protocolIn(CLB_PROTOCOLS, text, "a CLB");
}

/** The protocol of an NLB's listener, whose API writes it in capitals. See {@link clbProtocol}. */
export function nlbProtocol(text: string): NlbProtocol {
    return protocolIn(NLB_PROTOCOLS, text, "an NLB");
}

function protocolIn<Protocol extends string>(protocols: readonly Protocol[], text: string, kind: string): Protocol {
    const known = protocols.find((protocol) => protocol === text.toLowerCase());
    if (known === undefined) {
        throw new RangeError(
            `"${text}" is no protocol that a listener of ${kind} has. Remedy: use one of ${protocols.join(", ")}; if the cloud has a new one, update ack-loadbalancer.`,
        );
    }
    return known;
}

/** The part of a Service port that decides about its listener. */
export interface PortOfService {
    readonly port: number;
    readonly protocol: TransportProtocol;
}

/** HTTP, HTTPS and TLS run over TCP; an entry of `protocol-port` therefore concerns the TCP or the UDP port of that number. */
export const transportOf = (protocol: ListenerProtocol): TransportProtocol => (protocol === "udp" ? "UDP" : "TCP");

/**
 * The protocol of the listener for a Service port: from `protocol-port` for this port, else TCP or UDP as in the Service.
 * Port 443 is not HTTPS unless `protocol-port` makes it so. Where TCP and UDP share a port number, `http:80` concerns the TCP port alone.
 */
export function listenerProtocolOf(
    port: PortOfService,
    settings: { readonly protocolPort?: readonly { readonly protocol: ListenerProtocol; readonly port: number }[] },
): ListenerProtocol {
    const entry = settings.protocolPort?.find(
        (candidate) => candidate.port === port.port && transportOf(candidate.protocol) === port.protocol,
    );
    return entry?.protocol ?? (port.protocol === "UDP" ? "udp" : "tcp");
}
