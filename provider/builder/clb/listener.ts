import { plainAttributes, settled } from "../../annotations";
import { clbProtocol, type ClbProtocol, listenerProtocolOf } from "../../schema/protocols";
import type { Settings } from "../../schema/settings";
import type { ClusterFacts } from "../../schema/facts";
import { type AccessControl, type ClbListener, isLayer4, portKey, type Tls } from "../../model/clb";
import { ownershipKey } from "../../model/names";
import type { Service, ServicePort } from "../../kubernetes/service/service";
import { buildHealthCheck, HEALTH_CHECK_OFF } from "./health-check";
import { buildStickySession } from "./sticky-session";
import { groupKey } from "./server-group";
import { restrictsSources } from "../source-ranges";

/** The listeners of a Service, one for each port, in the order of the manifest. Every documented default is written out, so that removing an annotation restores it. */
export function buildClbListeners(service: Service, facts: ClusterFacts): ClbListener[] {
    return service.ports.map((port) => buildListener(service, port, facts));
}

function buildListener(service: Service, port: ServicePort, facts: ClusterFacts): ClbListener {
    const { settings } = service;
    // The catalogue of CLB annotations knows no other protocols.
    const protocol = clbProtocol(listenerProtocolOf(port, settings));
    const target =
        protocol === "http" ? settings.forwardPort?.find((entry) => entry.http === port.port)?.https : undefined;
    return {
        key: portKey(port),
        port: port.port,
        protocol,
        serverGroup: groupKey(service, port, facts),
        description: ownershipKey(port.port, { ...service, clusterId: facts.clusterId }),
        scheduler: settled(settings, "scheduler", "clb"),
        access: buildAccess(service),
        ...(target === undefined
            ? serving(settings, protocol)
            : { healthCheck: HEALTH_CHECK_OFF, attributes: {}, forwardTo: portKey({ port: target, protocol: "TCP" }) }),
    };
}

/** What a listener has that serves requests itself, rather than redirecting them. */
function serving(
    settings: Settings,
    protocol: ClbProtocol,
): Pick<ClbListener, "healthCheck" | "attributes" | "drainTimeout" | "stickySession" | "tls"> {
    const healthCheck = buildHealthCheck(settings, protocol);
    if (isLayer4({ protocol })) {
        const drains = settings.connectionDrain === "on" && settings.connectionDrainTimeout !== undefined;
        return {
            healthCheck,
            attributes: plainAttributes("clb", settings, { protocol, check: healthCheck.type }),
            ...(drains ? { drainTimeout: settings.connectionDrainTimeout } : {}),
        };
    }
    return {
        healthCheck,
        attributes: plainAttributes("clb", settings, {
            protocol,
            ...(healthCheck.enabled ? { check: healthCheck.type } : {}),
        }),
        stickySession: buildStickySession(settings),
        ...(protocol === "https" ? { tls: buildTls(settings) } : {}),
    };
}

/** The rules see to it that there is a certificate. */
function buildTls({ certId, domainExtensions }: Settings): Tls {
    return { certId: certId ?? "", domains: domainExtensions ?? [] };
}

/** An access control list that is named wins over the Service's source ranges. */
function buildAccess(service: Service): AccessControl {
    const { aclStatus, aclId, aclType } = service.settings;
    if (aclStatus === "on" && aclId !== undefined) {
        return { status: "on", type: aclType ?? "white", aclIds: [...new Set(aclId.split(","))] };
    }
    return restrictsSources(service) ? { status: "on", type: "white", aclIds: undefined } : { status: "off" };
}
