/** Desired model of an NLB, in the cloud's terms. Plain data. */

import { nlbOwnershipKey, type Owner } from "../schema/names";
import type { NlbProtocol } from "../schema/protocols";
import type { AlpnPolicy, Settings, ZoneMap } from "../schema/settings";
import type { ClbServerGroup } from "../clb/model";

/** Address type as the API writes it. Source: NLB API, CreateLoadBalancer, AddressType. */
type NlbAddressType = "Internet" | "Intranet";

/** Converts the address type of an annotation to that of the API. */
export const nlbAddressType = (word: "internet" | "intranet"): NlbAddressType =>
    word === "internet" ? "Internet" : "Intranet";

/** NLB instance of a Service. */
export interface NlbLoadBalancer {
    /** Name from the annotation; absent = derived from the Service's UID. */
    readonly name?: string;
    readonly addressType: NlbAddressType;
    readonly ipVersion: "ipv4" | "DualStack";
    /** Only for `DualStack`. */
    readonly ipv6AddressType?: NlbAddressType;
    /** At least two. */
    readonly zones: readonly ZoneMap[];
    /** True if traffic crosses zones. */
    readonly crossZone: boolean;
    /** Security groups by annotation, without that of the source ranges. */
    readonly securityGroupIds: readonly string[];
    /** Internet Shared Bandwidth package; absent = none. */
    readonly bandwidthPackageId?: string;
    /** Absent = the cloud chooses. */
    readonly resourceGroupId?: string;
    readonly deleteProtection: boolean;
    readonly modificationProtection: "ConsoleProtection" | "NonProtection";
    readonly additionalTags: Readonly<Record<string, string>>;
    /** True if instance, listeners and server groups are preserved when the Service is deleted. */
    readonly preserve: boolean;
    /** Address ranges that may connect, for a managed security group; empty = no group. */
    readonly sourceRanges: readonly string[];
}

/** Content of Proxy Protocol besides the client's address. */
export interface ProxyProtocol {
    readonly vpcId: boolean;
    readonly endpointId: boolean;
    readonly endpointServiceId: boolean;
}

/** TLS of a TCPSSL listener, which ends at the load balancer. */
export interface NlbTls {
    readonly certId: string;
    /** Certificates of further domains. */
    readonly additionalCertIds: readonly string[];
    /** Certificate authority of clients; absent = clients need no certificate. */
    readonly caCertId?: string;
    /** Absent = the protocol inside TLS is not negotiated. */
    readonly alpnPolicy?: AlpnPolicy;
}

/** NLB listener of a Service port. */
export interface NlbListener {
    /** `tcp-80` or `udp-53`: Service port and layer-4 family; TLS runs over TCP. */
    readonly key: string;
    readonly protocol: NlbProtocol;
    /** Port, or first and last port of a range. */
    readonly ports: number | { readonly from: number; readonly to: number };
    /** Key of the server group behind it. */
    readonly serverGroup: string;
    /** Plain attributes: settings, else defaults. */
    readonly attributes: Settings;
    /** Absent = off. */
    readonly proxyProtocol?: ProxyProtocol;
    /** TCPSSL listeners. */
    readonly tls?: NlbTls;
}

/** Formats ports for names: `80`, or `80_100` for a range. */
export function portText(ports: NlbListener["ports"]): string {
    return typeof ports === "number" ? String(ports) : `${ports.from}_${ports.to}`;
}

/** Returns the ownership mark of a listener. */
export function nlbListenerMark({ ports, protocol }: Pick<NlbListener, "ports" | "protocol">, owner: Owner): string {
    return nlbOwnershipKey(portText(ports), protocol, owner);
}

/** Members of an NLB server group: ECS instances and network interfaces, or addresses. */
export type ServerGroupType = "Instance" | "Ip";

/** Health check of an NLB server group. Times in seconds. */
export type NlbHealthCheck =
    | { readonly enabled: false }
    | {
          readonly enabled: true;
          readonly type: "TCP" | "HTTP" | "UDP";
          /** 0 = the member's own port. */
          readonly connectPort: number;
          readonly connectTimeout: number;
          readonly interval: number;
          readonly healthyThreshold: number;
          readonly unhealthyThreshold: number;
          /** Checks by HTTP. */
          readonly http?: {
              readonly url: string;
              readonly domain: string;
              readonly method: "GET" | "HEAD";
              readonly codes: readonly string[];
          };
      };

/** NLB server group of a Service. It belongs to the VPC, and has attributes that a CLB has in its listeners. */
export interface NlbServerGroup extends ClbServerGroup {
    readonly protocol: NlbProtocol;
    readonly type: ServerGroupType;
    /** True if members answer on the port that the client asked for. */
    readonly anyPort: boolean;
    readonly ipVersion: "ipv4" | "ipv6" | "dualstack";
    /** As the API writes it: `Wrr`, `Sch`, … */
    readonly scheduler: string;
    /** Seconds that connections to a removed member may go on; absent = they are left open. */
    readonly drainTimeout?: number;
    /** Absent = the cloud chooses. */
    readonly preserveClientIp?: boolean;
    readonly healthCheck: NlbHealthCheck;
    /** Ports in names of a group for a range of ports; absent = {@link ClbServerGroup.backendPort}. */
    readonly range?: string;
}
