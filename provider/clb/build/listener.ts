/** Listeners and vServer groups of a CLB. Documented defaults are written out: removing an annotation restores them. */

import { backendTypeOf, plainAttributes, settled } from "../../service/annotations";
import type { Service, ServicePort } from "../../service/service";
import {
    type AccessControl,
    type ClbHealthCheck,
    type ClbListener,
    type ClbServerGroup,
    isLayer4,
    portKey,
    type StickySession,
} from "../model";
import { defined } from "../../schema/defined";
import type { ClusterFacts } from "../../schema/facts";
import { clbProtocol, type ClbProtocol, listenerProtocolOf } from "../../schema/protocols";
import type { Settings } from "../../schema/settings";
import { sourceRanges } from "./load-balancer";

/** Builds one listener for each port, in the order of the manifest. */
export function buildClbListeners(service: Service, facts: ClusterFacts): ClbListener[] {
    return service.ports.map((port) => buildListener(service, port, facts));
}

function buildListener(service: Service, port: ServicePort, facts: ClusterFacts): ClbListener {
    const { settings } = service;
    const protocol = clbProtocol(listenerProtocolOf(port, settings));
    const target =
        protocol === "http" ? settings.forwardPort?.find((entry) => entry.http === port.port)?.https : undefined;
    return {
        key: portKey(port),
        port: port.port,
        protocol,
        serverGroup: groupKey(service, port, facts),
        scheduler: settled(settings, "scheduler", "clb"),
        access: buildAccess(service),
        ...(target === undefined ? serving(settings, protocol) : redirecting(target)),
    };
}

/** An access control list by annotation has priority over the Service's source ranges. */
function buildAccess(service: Service): AccessControl {
    const { aclStatus, aclId, aclType } = service.settings;
    if (aclStatus === "on" && aclId !== undefined) {
        return { status: "on", type: aclType ?? "white", aclIds: [...new Set(aclId.split(","))] };
    }
    const restricted = sourceRanges(service).length > 0;
    return restricted ? { status: "on", type: "white", aclIds: undefined } : { status: "off" };
}

const redirecting = (port: number): Pick<ClbListener, "healthCheck" | "attributes" | "forwardTo"> => ({
    healthCheck: { enabled: false, type: "http", timeout: settled({}, "healthCheckTimeout", "clb") },
    attributes: {},
    forwardTo: portKey({ port, protocol: "TCP" }),
});

/** Rules have checked that an HTTPS listener has a certificate. */
function serving(
    settings: Settings,
    protocol: ClbProtocol,
): Pick<ClbListener, "healthCheck" | "attributes" | "drainTimeout" | "stickySession" | "tls"> {
    const healthCheck = buildHealthCheck(settings, protocol);
    const { connectionDrain, connectionDrainTimeout, certId = "", domainExtensions: domains = [] } = settings;
    if (isLayer4({ protocol }))
        return {
            healthCheck,
            attributes: plainAttributes("clb", settings, { protocol, check: healthCheck.type }),
            ...(connectionDrain === "on" ? defined({ drainTimeout: connectionDrainTimeout }) : {}),
        };
    const check = healthCheck.enabled ? healthCheck.type : undefined;
    return {
        healthCheck,
        attributes: plainAttributes("clb", settings, { protocol, ...defined({ check }) }),
        stickySession: buildStickySession(settings),
        ...(protocol === "https" ? { tls: { certId, domains } } : {}),
    };
}

/** Rules have checked that session persistence has a type, and a timeout or a cookie. */
function buildStickySession(settings: Settings): StickySession {
    const { stickySession, stickySessionType, cookieTimeout, cookie } = settings;
    if (stickySession !== "on") return { kind: "off" };
    if (stickySessionType === "insert" && cookieTimeout !== undefined)
        return { kind: "insert", timeout: cookieTimeout };
    return stickySessionType === "server" && cookie !== undefined ? { kind: "server", cookie } : { kind: "off" };
}

function buildHealthCheck(settings: Settings, protocol: ClbProtocol): ClbHealthCheck {
    const layer7 = !isLayer4({ protocol });
    const type = layer7 ? "http" : protocol === "udp" ? "udp" : (settings.healthCheckType ?? "tcp");
    const interval = settled(settings, "healthCheckInterval", "clb");
    // Only behind HTTP and HTTPS listeners the API has a default, `head`. Source: CreateLoadBalancerHTTPListener.
    const method = settings.healthCheckMethod ?? (layer7 ? "head" : undefined);
    return {
        enabled: layer7 ? settings.healthCheckFlag === "on" : settings.healthCheckSwitch !== "off",
        type,
        timeout: Math.max(checkTimeout(settings, layer7, type), interval),
        ...(type === "http" ? defined({ domain: settings.healthCheckDomain, method }) : {}),
    };
}

/** Connect timeout for a check by connection, timeout for a check by HTTP. */
function checkTimeout(settings: Settings, layer7: boolean, type: ClbHealthCheck["type"]): number {
    const { healthCheckConnectTimeout: connect, healthCheckTimeout: answer } = settings;
    const byType = type === "http" ? (answer ?? connect) : connect;
    return (layer7 ? answer : byType) ?? settled({}, "healthCheckTimeout", "clb");
}

/** Returns the user-managed group of a port's backends. Source: "Configure CLB using annotations", vServer groups. */
export function joinedGroup({ settings }: Service, { port }: ServicePort): string | undefined {
    return settings.id === undefined ? undefined : settings.vgroupPort?.find((entry) => entry.port === port)?.vgroupId;
}

/** Pods of one targetPort form one group, as in CCM. */
function groupKey(service: Service, port: ServicePort, facts: ClusterFacts): string {
    const shared = backendTypeOf(service.settings, facts) === "eni" && joinedGroup(service, port) === undefined;
    return shared ? `target-${port.targetPort}` : portKey(port);
}

/** Builds the vServer groups of a Service, in the order in which its ports first need them. */
export function buildClbServerGroups(service: Service, facts: ClusterFacts): ClbServerGroup[] {
    const kind = backendTypeOf(service.settings, facts);
    const groups = Map.groupBy(service.ports, (port) => groupKey(service, port, facts));
    return [...groups].map(([key, ports]) => {
        const last = ports.at(-1)!;
        return {
            key,
            kind,
            ports: ports.map(({ port, protocol }) => ({ port, protocol })),
            ...defined({
                backendPort: kind === "eni" ? last.targetPort : last.nodePort,
                joined: joinedGroup(service, last),
            }),
            ...(service.settings.backendIpVersion === "ipv6" ? { ipVersion: "ipv6" } : {}),
        };
    });
}
