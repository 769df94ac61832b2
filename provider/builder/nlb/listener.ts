import { plainAttributes } from "../../annotations";
import type { Settings } from "../../schema/settings";
import type { ClusterFacts } from "../../schema/facts";
import { portKey } from "../../model/clb";
import { nlbOwnershipKey } from "../../model/names";
import { type NlbListener, type NlbTls, portText } from "../../model/nlb";
import type { Service, ServicePort } from "../../kubernetes/service/service";
import { nlbProtocolOf, portsOf } from "./ports";
import { nlbGroupKey } from "./server-group";

/** The listeners of a Service, one for each port, in the order of the manifest. Every documented default is written out, so that removing an annotation restores it. */
export function buildNlbListeners(service: Service, facts: ClusterFacts): NlbListener[] {
    return service.ports.map((port) => buildListener(service, port, facts));
}

function buildListener(service: Service, port: ServicePort, facts: ClusterFacts): NlbListener {
    const { settings } = service;
    const protocol = nlbProtocolOf(service, port);
    const ports = portsOf(service.settings, port);
    return {
        key: portKey(port),
        protocol,
        ports,
        serverGroup: nlbGroupKey(service, port, facts),
        description: nlbOwnershipKey(portText(ports), protocol, { ...service, clusterId: facts.clusterId }),
        attributes: plainAttributes("nlb", settings, { protocol }),
        ...(settings.proxyProtocol === "on"
            ? {
                  proxyProtocol: {
                      vpcId: settings.ppv2PvlVpcIdEnabled === "on",
                      endpointId: settings.ppv2PvlEpIdEnabled === "on",
                      endpointServiceId: settings.ppv2PvlEpsIdEnabled === "on",
                  },
              }
            : {}),
        ...(protocol === "tcpssl" ? { tls: buildNlbTls(settings) } : {}),
    };
}

/** The rules see to it that there is a certificate, and what mutual authentication and ALPN need. */
function buildNlbTls(settings: Settings): NlbTls {
    return {
        certId: settings.certId ?? "",
        additionalCertIds: [...new Set(settings.additionalCertIds ?? [])].sort(),
        ...(settings.cacert === "on" && settings.cacertId !== undefined ? { caCertId: settings.cacertId } : {}),
        ...(settings.alpn === "on" && settings.alpnPolicy !== undefined ? { alpnPolicy: settings.alpnPolicy } : {}),
    };
}
