import type { ClbProtocol } from "../../schema/protocols";
import type { DomainExtension } from "../../schema/settings";

/** Health check of a listener. Intervals and timeouts in seconds. */
export interface ClbHealthCheck {
    readonly enabled: boolean;
    readonly type: "tcp" | "http" | "udp";
    /** Effective timeout: never below {@link interval}. Source: "Configure CLB using annotations", health-check-timeout and health-check-connect-timeout. */
    readonly timeout: number;
    readonly interval: number;
    readonly healthyThreshold: number;
    readonly unhealthyThreshold: number;
    readonly uri?: string;
    readonly httpCode?: string;
    /** Host header; `$_ip` = the backend's own address. */
    readonly domain?: string;
    readonly method?: "head" | "get";
}

/** Who may connect to a listener. The list is one that exists, or the one that this package keeps for the Service's source ranges. */
export type AccessControl =
    | { readonly status: "off" }
    /** `aclIds` undefined = the list of the Service's source ranges. */
    | { readonly status: "on"; readonly type: "white" | "black"; readonly aclIds: readonly string[] | undefined };

/** What TCP and UDP listeners have beside the rest. Times in seconds. */
export interface Layer4 {
    readonly proxyProtocol: boolean;
    /** How long connections to a removed backend may go on; absent = they are cut. */
    readonly drainTimeout?: number;
    /** TCP only; 0 = off. */
    readonly persistenceTimeout?: number;
    /** TCP only. */
    readonly establishedTimeout?: number;
}

/** How requests of one session find their backend again. */
export type StickySession =
    | { readonly kind: "off" }
    /** The load balancer's own cookie; `timeout` in seconds. */
    | { readonly kind: "insert"; readonly timeout: number }
    /** A cookie that the backend sets. */
    | { readonly kind: "server"; readonly cookie: string };

/** What HTTP and HTTPS listeners have beside the rest. Times in seconds. */
export interface Layer7 {
    readonly stickySession: StickySession;
    readonly idleTimeout: number;
    readonly requestTimeout: number;
    /** Which facts backends are told in headers. */
    readonly forwardedFor: { readonly protocol: boolean; readonly listenerPort: boolean; readonly clientPort: boolean };
}

/** What HTTPS listeners have beside that. */
export interface Tls {
    readonly certId: string;
    readonly cipherPolicy: string;
    readonly http2: boolean;
    /** Certificates of further domains. */
    readonly domains: readonly DomainExtension[];
}

/** A listener of a Service, in the cloud's terms. Plain data. */
export interface ClbListener {
    /** `tcp-80` or `udp-53`: port and layer-4 family, which is what the cloud keeps unique on an instance. */
    readonly key: string;
    readonly port: number;
    readonly protocol: ClbProtocol;
    /** Key of the {@link ServerGroup} behind it. */
    readonly serverGroup: string;
    readonly description: string;
    readonly scheduler: string;
    readonly access: AccessControl;
    readonly healthCheck: ClbHealthCheck;
    /** TCP and UDP listeners. */
    readonly layer4?: Layer4;
    /** HTTP and HTTPS listeners that do not redirect. */
    readonly layer7?: Layer7;
    /** HTTPS listeners. */
    readonly tls?: Tls;
    /** Key of the HTTPS listener that this HTTP listener redirects to. */
    readonly forwardTo?: string;
}

/** Key of a listener and of an ecs vServer group. http and https stand on TCP, so switching between them and tcp replaces one listener and keeps its key. */
export function portKey(port: { readonly port: number; readonly protocol: "TCP" | "UDP" }): string {
    return `${port.protocol.toLowerCase()}-${port.port}`;
}
