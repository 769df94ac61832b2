/** Listeners and server groups of an NLB. Documented defaults are written out: removing an annotation restores them. */

import { backendTypeOf, plainAttributes, settled } from "../../service/annotations";
import type { Service, ServicePort } from "../../service/service";
import { portKey } from "../../clb/model";
import { type NlbHealthCheck, type NlbListener, type NlbServerGroup, type NlbTls, portText } from "../model";
import { defined } from "../../schema/defined";
import type { ClusterFacts } from "../../schema/facts";
import { listenerProtocolOf, nlbProtocol, type NlbProtocol } from "../../schema/protocols";
import type { Settings } from "../../schema/settings";
import { joinedGroup } from "../../clb/build/listener";
import { portsOf } from "../../service/reuse";

const protocolOf = ({ settings }: Service, port: ServicePort): NlbProtocol =>
    nlbProtocol(listenerProtocolOf(port, settings));

/** Builds one listener for each port, in the order of the manifest. */
export function buildNlbListeners(service: Service, facts: ClusterFacts): NlbListener[] {
    return service.ports.map((port) => buildListener(service, port, facts));
}

function buildListener(service: Service, port: ServicePort, facts: ClusterFacts): NlbListener {
    const { settings } = service;
    const protocol = protocolOf(service, port);
    const ports = portsOf(settings, port);
    const proxyProtocol = {
        vpcId: settings.ppv2PvlVpcIdEnabled === "on",
        endpointId: settings.ppv2PvlEpIdEnabled === "on",
        endpointServiceId: settings.ppv2PvlEpsIdEnabled === "on",
    };
    return {
        key: portKey(port),
        protocol,
        ports,
        serverGroup: groupKey(service, port, facts),
        attributes: plainAttributes("nlb", settings, { protocol }),
        ...(settings.proxyProtocol === "on" ? { proxyProtocol } : {}),
        ...(protocol === "tcpssl" ? { tls: buildTls(settings) } : {}),
    };
}

/** Rules have checked certificate, mutual authentication and ALPN. */
function buildTls(settings: Settings): NlbTls {
    const { certId = "", additionalCertIds = [], cacert, cacertId, alpn, alpnPolicy } = settings;
    return {
        certId,
        additionalCertIds: [...new Set(additionalCertIds)].sort(),
        ...(cacert === "on" ? defined({ caCertId: cacertId }) : {}),
        ...(alpn === "on" ? defined({ alpnPolicy }) : {}),
    };
}

/** Pods of one targetPort and protocol form one group, as in CCM; a range of ports has its own. */
function groupKey(service: Service, port: ServicePort, facts: ClusterFacts): string {
    const { settings } = service;
    const shared = backendTypeOf(settings, facts) === "eni" && typeof portsOf(settings, port) === "number";
    return shared && joinedGroup(service, port) === undefined
        ? `target-${protocolOf(service, port)}-${port.targetPort}`
        : portKey(port);
}

/** Builds the server groups of a Service, in the order in which its ports first need them. */
export function buildNlbServerGroups(service: Service, facts: ClusterFacts): NlbServerGroup[] {
    return [...Map.groupBy(service.ports, (port) => groupKey(service, port, facts))].map(([key, ports]) =>
        buildGroup(service, key, ports, facts),
    );
}

function buildGroup(
    service: Service,
    key: string,
    served: readonly ServicePort[],
    facts: ClusterFacts,
): NlbServerGroup {
    const { settings } = service;
    const [port] = served as [ServicePort];
    const kind = backendTypeOf(settings, facts);
    const protocol = protocolOf(service, port);
    const ports = portsOf(settings, port);
    const anyPort = typeof ports !== "number";
    const type = settled(settings, "serverGroupType", "nlb");
    const backendPort = kind === "eni" ? port.targetPort : port.nodePort;
    return {
        key,
        kind,
        ports: served.map(({ port: number, protocol: transport }) => ({ port: number, protocol: transport })),
        ...defined({ backendPort: anyPort ? undefined : backendPort, joined: joinedGroup(service, port) }),
        protocol,
        type,
        anyPort,
        ipVersion: settled(settings, "backendIpVersion", "nlb"),
        scheduler: capitalised(settled(settings, "scheduler", "nlb")),
        ...defined({
            drainTimeout: settings.connectionDrain === "on" ? settings.connectionDrainTimeout : undefined,
            preserveClientIp: preservesClientIp(settings, protocol, type),
        }),
        healthCheck: buildHealthCheck(settings, port, ports),
        ...(anyPort ? { range: portText(ports) } : {}),
    };
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Groups of TLS listeners cannot keep the client's address; for groups of addresses no default is documented. */
function preservesClientIp(
    settings: Settings,
    protocol: NlbProtocol,
    type: NlbServerGroup["type"],
): boolean | undefined {
    if (protocol === "tcpssl") return false;
    if (settings.preserveClientIp !== undefined) return settings.preserveClientIp === "on";
    return type === "Ip" ? undefined : true;
}

/** A group for a range of ports is checked on the targetPort: the client's port is not known beforehand. */
function buildHealthCheck(settings: Settings, port: ServicePort, ports: NlbListener["ports"]): NlbHealthCheck {
    if (settings.healthCheckFlag === "off") return { enabled: false };
    const type = settled(settings, "healthCheckType", "nlb");
    const fallback = typeof ports !== "number" && typeof port.targetPort === "number" ? port.targetPort : 0;
    const http = {
        url: settled(settings, "healthCheckUri", "nlb"),
        domain: settled(settings, "healthCheckDomain", "nlb"),
        method: settled(settings, "healthCheckMethod", "nlb").toUpperCase() as "GET" | "HEAD",
        codes: settled(settings, "healthCheckHttpcode", "nlb"),
    };
    return {
        enabled: true,
        type: type.toUpperCase() as "TCP" | "HTTP" | "UDP",
        connectPort: settings.healthCheckConnectPort ?? fallback,
        connectTimeout: settled(settings, "healthCheckConnectTimeout", "nlb"),
        interval: settled(settings, "healthCheckInterval", "nlb"),
        healthyThreshold: settled(settings, "healthyThreshold", "nlb"),
        unhealthyThreshold: settled(settings, "unhealthyThreshold", "nlb"),
        ...(type === "http" ? { http } : {}),
    };
}
