import type { ClbProtocol } from "../../schema/protocols";
import type { DomainExtension, Settings } from "../../schema/settings";

/** What is particular about the health check of a listener; the rest are {@link ClbListener.attributes}. */
export interface ClbHealthCheck {
    readonly enabled: boolean;
    readonly type: "tcp" | "http" | "udp";
    /** Effective timeout, seconds: never below the interval. Source: "Configure CLB using annotations", health-check-timeout and health-check-connect-timeout. */
    readonly timeout: number;
    /** Host header; `$_ip` = the backend's own address. */
    readonly domain?: string;
    readonly method?: "head" | "get";
}

/** Who may connect to a listener. The list is one that exists, or the one that this package keeps for the Service's source ranges. */
export type AccessControl =
    | { readonly status: "off" }
    /** `aclIds` undefined = the list of the Service's source ranges. */
    | { readonly status: "on"; readonly type: "white" | "black"; readonly aclIds: readonly string[] | undefined };

/** How requests of one session find their backend again. */
export type StickySession =
    | { readonly kind: "off" }
    /** The load balancer's own cookie; `timeout` in seconds. */
    | { readonly kind: "insert"; readonly timeout: number }
    /** A cookie that the backend sets. */
    | { readonly kind: "server"; readonly cookie: string };

/** Certificates of an HTTPS listener. */
export interface Tls {
    readonly certId: string;
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
    /** Attributes without logic, by setting: what is set, or else the default. None for a listener that redirects. */
    readonly attributes: Settings;
    /** TCP and UDP listeners: how long connections to a removed backend may go on, seconds; absent = they are cut. */
    readonly drainTimeout?: number;
    /** HTTP and HTTPS listeners that do not redirect. */
    readonly stickySession?: StickySession;
    /** HTTPS listeners. */
    readonly tls?: Tls;
    /** Key of the HTTPS listener that this HTTP listener redirects to. */
    readonly forwardTo?: string;
}

/** Whether a listener serves connections rather than requests. */
export const isLayer4 = ({ protocol }: Pick<ClbListener, "protocol">): boolean =>
    protocol === "tcp" || protocol === "udp";

/** Key of a listener and of an ecs vServer group. http and https run over TCP, so switching between them and tcp replaces one listener and keeps its key. */
export function portKey(port: { readonly port: number; readonly protocol: "TCP" | "UDP" }): string {
    return `${port.protocol.toLowerCase()}-${port.port}`;
}
