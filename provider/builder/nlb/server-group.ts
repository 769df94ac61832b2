import { backendTypeOf, settled } from "../../annotations";
import type { NlbProtocol } from "../../schema/protocols";
import type { Settings } from "../../schema/settings";
import type { ClusterFacts } from "../../schema/facts";
import { portKey } from "../../model/clb";
import { type NlbHealthCheck, type NlbListener, type NlbServerGroup, portText } from "../../model/nlb";
import type { Service, ServicePort } from "../../kubernetes/service/service";
import { joinedGroup } from "../clb/server-group";
import { nlbProtocolOf, portsOf } from "./ports";
import { defined } from "../../schema/defined";

/** Key of the group behind a Service port. Pods of one targetPort and protocol form one group, as in CCM; a range of ports has one of its own. */
export function nlbGroupKey(service: Service, port: ServicePort, facts: ClusterFacts): string {
    if (joinedGroup(service, port) !== undefined) return portKey(port);
    const shared =
        backendTypeOf(service.settings, facts) === "eni" && typeof portsOf(service.settings, port) === "number";
    return shared ? `target-${nlbProtocolOf(service, port)}-${port.targetPort}` : portKey(port);
}

/** The server groups of a Service, in the order in which its ports first need them. */
export function buildNlbServerGroups(service: Service, facts: ClusterFacts): NlbServerGroup[] {
    const groups = new Map<string, NlbServerGroup>();
    for (const port of service.ports) {
        const key = nlbGroupKey(service, port, facts);
        const known = groups.get(key);
        const here = { port: port.port, protocol: port.protocol };
        groups.set(
            key,
            known === undefined ? buildGroup(service, port, facts) : { ...known, ports: [...known.ports, here] },
        );
    }
    return [...groups.values()];
}

function buildGroup(service: Service, port: ServicePort, facts: ClusterFacts): NlbServerGroup {
    const { settings } = service;
    const kind = backendTypeOf(settings, facts);
    const protocol = nlbProtocolOf(service, port);
    const ports = portsOf(service.settings, port);
    const type = settled(settings, "serverGroupType", "nlb");
    const backendPort = typeof ports === "number" ? (kind === "eni" ? port.targetPort : port.nodePort) : undefined;
    const joined = joinedGroup(service, port);
    const preserveClientIp = clientIp(settings, protocol, type);
    const drains = settings.connectionDrain === "on" && settings.connectionDrainTimeout !== undefined;
    return {
        key: nlbGroupKey(service, port, facts),
        kind,
        ports: [{ port: port.port, protocol: port.protocol }],
        ...defined({ backendPort, joined }),
        protocol,
        type,
        anyPort: typeof ports !== "number",
        ipVersion: settled(settings, "backendIpVersion", "nlb"),
        scheduler: capitalised(settled(settings, "scheduler", "nlb")),
        ...(drains ? { drainTimeout: settings.connectionDrainTimeout } : {}),
        ...defined({ preserveClientIp }),
        healthCheck: buildNlbHealthCheck(settings, port, ports),
        ...(typeof ports === "number" ? {} : { range: portText(ports) }),
    };
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Groups of TLS listeners cannot keep the client's address; for groups of addresses no default is documented. */
function clientIp(settings: Settings, protocol: NlbProtocol, type: NlbServerGroup["type"]): boolean | undefined {
    if (protocol === "tcpssl") return false;
    if (settings.preserveClientIp !== undefined) return settings.preserveClientIp === "on";
    return type === "Ip" ? undefined : true;
}

/** How the members behind a Service port are checked. Members of a group for a range of ports are checked on the targetPort: the client's port is not known beforehand. */
function buildNlbHealthCheck(settings: Settings, port: ServicePort, ports: NlbListener["ports"]): NlbHealthCheck {
    if (settings.healthCheckFlag === "off") return { enabled: false };
    const type = settled(settings, "healthCheckType", "nlb");
    const fallback = typeof ports !== "number" && typeof port.targetPort === "number" ? port.targetPort : 0;
    return {
        enabled: true,
        type: type.toUpperCase() as "TCP" | "HTTP" | "UDP",
        connectPort: settings.healthCheckConnectPort ?? fallback,
        connectTimeout: settled(settings, "healthCheckConnectTimeout", "nlb"),
        interval: settled(settings, "healthCheckInterval", "nlb"),
        healthyThreshold: settled(settings, "healthyThreshold", "nlb"),
        unhealthyThreshold: settled(settings, "unhealthyThreshold", "nlb"),
        ...(type === "http"
            ? {
                  http: {
                      url: settled(settings, "healthCheckUri", "nlb"),
                      domain: settled(settings, "healthCheckDomain", "nlb"),
                      method: settled(settings, "healthCheckMethod", "nlb").toUpperCase() as "GET" | "HEAD",
                      codes: settled(settings, "healthCheckHttpcode", "nlb"),
                  },
              }
            : {}),
    };
}
