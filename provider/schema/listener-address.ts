/** Address of a listener on its load balancer. */
import type { ListenerProtocol } from "./protocols";

export interface ListenerAddress {
    readonly protocol: ListenerProtocol;
    /** Port, or first port of a range. */
    readonly port: number;
    /** Last port of a range, on an NLB. If absent, there is one port. */
    readonly endPort?: number;
}

/** True if two listeners exclude each other. http, https and tcpssl use tcp. A range uses all of its ports. */
export function sharePort(a: ListenerAddress, b: ListenerAddress): boolean {
    return (
        a.port <= (b.endPort ?? b.port) &&
        b.port <= (a.endPort ?? a.port) &&
        (a.protocol === "udp") === (b.protocol === "udp")
    );
}

/** Returns a listener as people write it: `tcp:80`, or `tcp:80-100` for a range. */
export function listenerName({ protocol, port, endPort }: ListenerAddress): string {
    return `${protocol}:${port}${endPort === undefined ? "" : `-${endPort}`}`;
}

/** Formats ports for names: `80`, or `80_100` for a range. */
export function portText({ port, endPort }: Omit<ListenerAddress, "protocol">): string {
    return endPort === undefined ? String(port) : `${port}_${endPort}`;
}
