import { listenerProtocolOf, type Settings } from "../../annotations";
import type { NetworkListener, NetworkProtocol } from "../../model/nlb/listener";
import type { Service, ServicePort } from "../../model/service";

/** The protocol of the listener and of the server group for a Service port. The catalogue of NLB annotations knows no others. */
export function networkProtocolOf(service: Service, port: ServicePort): NetworkProtocol {
    return listenerProtocolOf(port, service.settings).toUpperCase() as NetworkProtocol;
}

/** What the listener for a Service port listens on. */
export function portsOf(settings: Settings, port: ServicePort): NetworkListener["ports"] {
    const range = settings.listenerPortRange?.find((candidate) => candidate.port === port.port);
    return range === undefined ? port.port : { from: range.from, to: range.to };
}
