import { listenerProtocolOf, nlbProtocol, type NlbProtocol } from "../../schema/protocols";
import type { Settings } from "../../schema/settings";
import type { NlbListener } from "../../model/nlb";
import type { Service, ServicePort } from "../../kubernetes/service/service";

/** The protocol of the listener and of the server group for a Service port. The catalogue of NLB annotations knows no others. */
export function nlbProtocolOf(service: Service, port: ServicePort): NlbProtocol {
    return nlbProtocol(listenerProtocolOf(port, service.settings));
}

/** What the listener for a Service port listens on. */
export function portsOf(settings: Settings, port: ServicePort): NlbListener["ports"] {
    const range = settings.listenerPortRange?.find((candidate) => candidate.port === port.port);
    return range === undefined ? port.port : { from: range.from, to: range.to };
}
