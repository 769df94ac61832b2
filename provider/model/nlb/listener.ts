import type { NlbProtocol } from "../../schema/protocols";
import type { AlpnPolicy, Settings } from "../../schema/settings";

/** What Proxy Protocol carries beside the client's address. */
export interface ProxyProtocol {
    readonly vpcId: boolean;
    readonly endpointId: boolean;
    readonly endpointServiceId: boolean;
}

/** TLS that ends at the load balancer. */
export interface NlbTls {
    readonly certId: string;
    /** Certificates of further domains. */
    readonly additionalCertIds: readonly string[];
    /** Certificate authority that clients must come from; absent = clients need no certificate. */
    readonly caCertId?: string;
    /** Absent = the protocol inside TLS is not negotiated. */
    readonly alpnPolicy?: AlpnPolicy;
}

/** An NLB listener of a Service, in the cloud's terms. Plain data. */
export interface NlbListener {
    /** `tcp-80` or `udp-53`: Service port and layer-4 family; TLS runs over TCP. */
    readonly key: string;
    readonly protocol: NlbProtocol;
    /** The port, or the first and the last one of a range. */
    readonly ports: number | { readonly from: number; readonly to: number };
    /** Key of the server group behind it. */
    readonly serverGroup: string;
    readonly description: string;
    /** Attributes without logic, by setting: what is set, or else the default. */
    readonly attributes: Settings;
    /** Absent = off. */
    readonly proxyProtocol?: ProxyProtocol;
    /** TCPSSL listeners. */
    readonly tls?: NlbTls;
}

/** Ports in names: `80`, or `80_100` for a range. */
export function portText(ports: NlbListener["ports"]): string {
    return typeof ports === "number" ? String(ports) : `${ports.from}_${ports.to}`;
}
