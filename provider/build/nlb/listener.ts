import type { Settings } from "../../annotations";
import type { ClusterFacts } from "../../model/facts";
import { portKey } from "../../model/listener";
import { networkOwnershipKey } from "../../model/names";
import { type NetworkListener, type NetworkTls, portText } from "../../model/nlb/listener";
import type { Service, ServicePort } from "../../model/service";
import { networkProtocolOf, portsOf } from "./ports";
import { networkGroupKey, settled } from "./servergroup";

/** The listeners of a Service, one for each port, in the order of the manifest. Every documented default is written out, so that removing an annotation goes back to it. */
export function buildNetworkListeners(service: Service, facts: ClusterFacts): NetworkListener[] {
    return service.ports.map((port) => buildListener(service, port, facts));
}

function buildListener(service: Service, port: ServicePort, facts: ClusterFacts): NetworkListener {
    const { settings } = service;
    const protocol = networkProtocolOf(service, port);
    const ports = portsOf(service.settings, port);
    // UDP listeners have a shorter one, which no document names.
    const idleTimeout = settings.idleTimeout ?? (protocol === "UDP" ? undefined : settled(settings, "idleTimeout"));
    return {
        key: portKey(port),
        protocol,
        ports,
        serverGroup: networkGroupKey(service, port, facts),
        description: networkOwnershipKey(portText(ports), protocol, { ...service, clusterId: facts.clusterId }),
        ...(idleTimeout === undefined ? {} : { idleTimeout }),
        ...(settings.cps === undefined ? {} : { cps: settings.cps }),
        ...(settings.proxyProtocol === "on"
            ? {
                  proxyProtocol: {
                      vpcId: settings.ppv2PvlVpcIdEnabled === "on",
                      endpointId: settings.ppv2PvlEpIdEnabled === "on",
                      endpointServiceId: settings.ppv2PvlEpsIdEnabled === "on",
                  },
              }
            : {}),
        ...(protocol === "TCPSSL" ? { tls: buildNetworkTls(settings) } : {}),
    };
}

/** The rules see to it that there is a certificate, and what mutual authentication and ALPN need. */
function buildNetworkTls(settings: Settings): NetworkTls {
    return {
        certId: settings.certId ?? "",
        additionalCertIds: [...new Set(settings.additionalCertIds ?? [])].sort(),
        policy: settled(settings, "tlsCipherPolicy"),
        ...(settings.cacert === "on" && settings.cacertId !== undefined ? { caCertId: settings.cacertId } : {}),
        ...(settings.alpn === "on" && settings.alpnPolicy !== undefined ? { alpnPolicy: settings.alpnPolicy } : {}),
    };
}
