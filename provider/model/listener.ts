import type { ListenerProtocol } from "../annotations";

/** Health check of a listener. Intervals and timeouts in seconds. */
export interface HealthCheck {
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

/** A listener of a Service, in the cloud's terms. Plain data. */
export interface Listener {
    /** `tcp-80` or `udp-53`: port and layer-4 family, which is what the cloud keeps unique on an instance. */
    readonly key: string;
    readonly port: number;
    readonly protocol: ListenerProtocol;
    /** Key of the {@link ServerGroup} behind it. */
    readonly serverGroup: string;
    readonly description: string;
    readonly scheduler: string;
    readonly healthCheck: HealthCheck;
}

/** Key of a listener and of an ecs vServer group. http and https stand on TCP, so switching between them and tcp replaces one listener and keeps its key. */
export function portKey(port: { readonly port: number; readonly protocol: "TCP" | "UDP" }): string {
    return `${port.protocol.toLowerCase()}-${port.port}`;
}
