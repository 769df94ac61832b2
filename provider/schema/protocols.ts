/** Listener protocols of a CLB. Source: SLB API, DescribeLoadBalancerListeners, ListenerProtocol. */
export const CLB_PROTOCOLS = ["tcp", "udp", "http", "https"] as const;

/** Listener protocols of an NLB, in lower case. Source: NLB API, ListListeners, ListenerProtocol. */
export const NLB_PROTOCOLS = ["tcp", "udp", "tcpssl"] as const;

export type ClbProtocol = (typeof CLB_PROTOCOLS)[number];
export type NlbProtocol = (typeof NLB_PROTOCOLS)[number];

export type ListenerProtocol = ClbProtocol | NlbProtocol;

type TransportProtocol = "TCP" | "UDP";

/**
 * Parses the protocol of a CLB listener, in any case.
 *
 * @throws RangeError if a CLB has no such listeners.
 */
export const clbProtocol = (text: string): ClbProtocol => protocolIn(CLB_PROTOCOLS, text, "a CLB");

/** Parses the protocol of an NLB listener. See {@link clbProtocol}. */
export const nlbProtocol = (text: string): NlbProtocol => protocolIn(NLB_PROTOCOLS, text, "an NLB");

function protocolIn<Protocol extends string>(protocols: readonly Protocol[], text: string, kind: string): Protocol {
    const known = protocols.find((protocol) => protocol === text.toLowerCase());
    if (known === undefined)
        throw new RangeError(
            `"${text}" is no protocol that a listener of ${kind} has. Remedy: use one of ${protocols.join(", ")}; ` +
                "if the cloud has a new one, update ack-loadbalancer.",
        );
    return known;
}

/** Fields of a Service port that decide about its listener. */
export interface PortOfService {
    readonly port: number;
    readonly protocol: TransportProtocol;
}

/** True for a listener that serves connections, false if it serves requests. */
export const isLayer4 = ({ protocol }: { readonly protocol: ListenerProtocol }): boolean =>
    protocol !== "http" && protocol !== "https";

/** Returns the transport of a listener protocol: HTTP, HTTPS and TLS run over TCP. */
export const transportOf = (protocol: ListenerProtocol): TransportProtocol => (protocol === "udp" ? "UDP" : "TCP");

/**
 * Returns the protocol of the listener for a Service port: from `protocol-port`, else TCP or UDP as in the Service.
 * Port 443 is not HTTPS by default. If TCP and UDP share a port number, `http:80` applies to the TCP port only.
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
