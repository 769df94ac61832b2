/** Desired model of a CLB, in the cloud's terms. Plain data. */

import type { ClbProtocol } from "../schema/protocols";
import type { DomainExtension, Settings } from "../schema/settings";

/** CLB instance of a Service. */
export interface ClbLoadBalancer {
    /** Name from the annotation; absent = derived from the Service's UID ({@link defaultLoadBalancerName}). */
    readonly name?: string;
    readonly addressType: "internet" | "intranet";
    /** Only for `intranet`. */
    readonly vswitch?: VSwitchSelector;
    /** Static address; only for `intranet`. Absent = the cloud chooses. */
    readonly address?: string;
    readonly ipVersion: "ipv4" | "ipv6";
    /** Primary and secondary zone; absent = the cloud chooses. */
    readonly masterZoneId?: string;
    readonly slaveZoneId?: string;
    /** Absent = the cloud chooses. */
    readonly resourceGroupId?: string;
    readonly instanceChargeType: "PayBySpec" | "PayByCLCU";
    /** Only for `PayBySpec`. */
    readonly spec?: string;
    /** Only for `internet`. */
    readonly internetChargeType?: "PayByTraffic" | "PayByBandwidth";
    /** Mbps; only for `PayByBandwidth`. */
    readonly bandwidth?: number;
    readonly deleteProtection: "on" | "off";
    readonly modificationProtection: "ConsoleProtection" | "NonProtection";
    readonly additionalTags: Readonly<Record<string, string>>;
    /** True if the instance is preserved when its Service is deleted. */
    readonly preserve: boolean;
    /** Address ranges that may connect, for a managed access control list; empty = no list. */
    readonly sourceRanges: readonly string[];
}

/** Choice of the vSwitch of an internal instance: a named one, or one of the cluster's. */
export interface VSwitchSelector {
    readonly named?: string;
    /** `first`: in any state. `available`: the first one with a free address. */
    readonly rule: "first" | "available";
}

/** Health check of a listener, without its plain {@link ClbListener.attributes}. */
export interface ClbHealthCheck {
    readonly enabled: boolean;
    readonly type: "tcp" | "http" | "udp";
    /** Seconds; never below the interval. */
    readonly timeout: number;
    /** Host header; `$_ip` = the backend's own address. */
    readonly domain?: string;
    readonly method?: "head" | "get";
}

/** Clients that may connect to a listener. `aclIds` undefined = the managed list of the Service's source ranges. */
export type AccessControl =
    | { readonly status: "off" }
    | { readonly status: "on"; readonly type: "white" | "black"; readonly aclIds: readonly string[] | undefined };

/** Session persistence of HTTP and HTTPS listeners. */
export type StickySession =
    | { readonly kind: "off" }
    /** Cookie of the load balancer; `timeout` in seconds. */
    | { readonly kind: "insert"; readonly timeout: number }
    /** Cookie of the backend. */
    | { readonly kind: "server"; readonly cookie: string };

/** Certificates of an HTTPS listener. */
export interface Tls {
    readonly certId: string;
    /** Certificates of further domains. */
    readonly domains: readonly DomainExtension[];
}

/** CLB listener of a Service port. */
export interface ClbListener {
    /** `tcp-80` or `udp-53`: port and layer-4 family, which the cloud keeps unique on an instance. */
    readonly key: string;
    readonly port: number;
    readonly protocol: ClbProtocol;
    /** Key of the {@link ClbServerGroup} behind it. */
    readonly serverGroup: string;
    readonly scheduler: string;
    readonly access: AccessControl;
    readonly healthCheck: ClbHealthCheck;
    /** Plain attributes: settings, else defaults. Empty for a listener that redirects. */
    readonly attributes: Settings;
    /** TCP and UDP listeners: seconds that connections to a removed backend may go on; absent = they are cut. */
    readonly drainTimeout?: number;
    /** HTTP and HTTPS listeners that do not redirect. */
    readonly stickySession?: StickySession;
    /** HTTPS listeners. */
    readonly tls?: Tls;
    /** Key of the HTTPS listener that this HTTP listener redirects to. */
    readonly forwardTo?: string;
}

/** True for a listener that serves connections, false for one that serves requests. */
export const isLayer4 = ({ protocol }: Pick<ClbListener, "protocol">): boolean =>
    protocol === "tcp" || protocol === "udp";

/** Returns the key of a listener and of an ecs server group. It survives a change between tcp, http and https. */
export function portKey(port: { readonly port: number; readonly protocol: "TCP" | "UDP" }): string {
    return `${port.protocol.toLowerCase()}-${port.port}`;
}

/** vServer group of a Service: the backends behind one nodePort, or behind one targetPort with pods as backends. */
export interface ClbServerGroup {
    /** `tcp-80` (ecs: the Service port) or `target-8080` (eni: the targetPort). */
    readonly key: string;
    /** `ecs`: nodes are backends, on the nodePort. `eni`: pods are backends, on their address and targetPort. */
    readonly kind: "ecs" | "eni";
    /** Service ports of the group; several only for eni, where ports of one targetPort share a group, as in CCM. */
    readonly ports: readonly { readonly port: number; readonly protocol: "TCP" | "UDP" }[];
    /** targetPort for eni; nodePort for ecs if the manifest fixes it. Absent: the API server chooses it. */
    readonly backendPort?: number | string;
    /** Addresses of pods that are members; `dualstack` on an NLB only. Default: `ipv4`. */
    readonly ipVersion?: "ipv4" | "ipv6" | "dualstack";
    /** Id of a user-managed group that the backends join; absent = a managed group. Annotation vgroup-port. */
    readonly joined?: string;
}
