/**
 * Annotations that the Cloud Controller Manager reads but that the CLB annotation document does not describe: those of NLB, and some of CLB.
 * They are known by name, so that they are not mistaken for misspelt ones, and refused because this version cannot make them so.
 */

import { CCM_SOURCE, nlbDocument } from "../sources";

/** A known annotation without a typed setting. */
export interface ExternalRow {
    /** The key after `service.beta.kubernetes.io/`. */
    readonly suffix: string;
    readonly product: "CLB" | "NLB";
    readonly doc: string;
    readonly source: string;
}

const LOADBALANCER = "alibaba-cloud-loadbalancer-";

const clb = (suffix: string, doc: string): ExternalRow => ({ suffix, product: "CLB", doc, source: CCM_SOURCE });
const nlb = (name: string, doc: string): ExternalRow => ({ suffix: LOADBALANCER + name, product: "NLB", doc, source: nlbDocument("Annotation index") });

export const external: readonly ExternalRow[] = [
    clb("class", "Leaves the Service to another controller."),
    clb(`${LOADBALANCER}type`, "Selects CLB or NLB where a feature gate allows it."),
    clb(`${LOADBALANCER}tunnel-type`, "Leaves the Service to another controller."),
    clb(`${LOADBALANCER}network-type`, "Classic network or VPC; the classic network is retired."),
    clb(`${LOADBALANCER}external-ip-type`, "Shows the address of an elastic IP as the external address of the Service."),
    clb(`${LOADBALANCER}backend-ip-version`, "The IP version of the backends."),
    clb(`${LOADBALANCER}default-weight`, "The weight of every backend in place of 100."),
    clb(`${LOADBALANCER}health-check-connect-port`, "The port that health checks connect to."),
    nlb("zone-maps", "The zones and vSwitches of an NLB."),
    nlb("ipv6-address-type", "Whether the IPv6 address of an NLB is public."),
    nlb("cross-zone-enabled", "Whether an NLB forwards across zones."),
    nlb("security-group-ids", "The security groups of an NLB."),
    nlb("bandwidth-package-id", "The shared bandwidth of an NLB."),
    nlb("listener-port-range", "A listener for a range of ports."),
    nlb("additional-cert-ids", "Further certificates of a TCPSSL listener."),
    nlb("cacert", "Whether TCPSSL clients are authenticated by certificate."),
    nlb("cacert-id", "The certificate authority of the clients."),
    nlb("cps", "New connections per second, at most."),
    nlb("alpn", "Whether TCPSSL listeners negotiate the protocol."),
    nlb("alpn-policy", "The protocols to negotiate."),
    nlb("ppv2-pvl-ep-id-enabled", "Whether Proxy Protocol carries the PrivateLink endpoint id."),
    nlb("ppv2-pvl-eps-id-enabled", "Whether Proxy Protocol carries the PrivateLink service id."),
    nlb("ppv2-pvl-vpc-id-enabled", "Whether Proxy Protocol carries the VPC id."),
    nlb("preserve-client-ip", "Whether backends see the client's address."),
];
