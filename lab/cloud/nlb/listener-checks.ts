import { rule } from "../core";
import { SYSTEM_TLS_POLICIES } from "../slb/tls-policies";
import type { World } from "../world";
import type { NlbListener, NlbLoadBalancer, NlbServerGroup } from "./state";

const CREATE = "NLB API CreateListener, error codes";

const RANGE_COMPLETE = rule({
    id: "nlb.listener.port-range",
    code: "IllegalParam.Port",
    message: "The param of Port is illegal.",
    when: "the port is 0 without StartPort below EndPort, or a range is given with another port",
    source: CREATE,
});

const IDLE_RANGE = rule({
    id: "nlb.listener.idle-timeout",
    code: "IllegalParam.IdleTimeout",
    message: "The param of IdleTimeout is illegal.",
    when: "the timeout is not 10 to 900 seconds (UDP: 10 to 90)",
    source: "NLB API CreateListener, parameter IdleTimeout",
});

const CERTIFICATE_GIVEN = rule({
    id: "nlb.listener.certificate-given",
    code: "MissingParam.Certificate",
    message: "The param of certificate is missing.",
    when: "a TCPSSL listener has no server certificate",
    source: CREATE,
});

const ONE_CERTIFICATE = rule({
    id: "nlb.listener.one-certificate",
    code: "IllegalParamSize.certificateIds",
    message: "The param size of certificateIds or caCertificateIds is illegal.",
    when: "more than one server or CA certificate is given",
    source: CREATE,
});

const CERTIFICATE_EXISTS = rule({
    id: "nlb.listener.certificate-exists",
    code: "ResourceNotFound.Certificate",
    message: "The specified resource %s is not found.",
    when: "a certificate is unknown",
    source: CREATE,
});

const CA_GIVEN = rule({
    id: "nlb.listener.ca-given",
    code: "MissingParam.CaCertificate",
    message: "The param of CaCertificate is missing.",
    when: "mutual authentication is on without a CA certificate",
    source: "NLB API CreateListener, parameter CaEnabled (the code is this lab's)",
});

const ALPN_GIVEN = rule({
    id: "nlb.listener.alpn-policy-given",
    code: "MissingParam.AlpnPolicy",
    message: "The parameter of AlpnPolicy is missing.",
    when: "ALPN is on without a policy",
    source: "NLB API CreateListener, parameter AlpnPolicy",
});

const POLICY_KNOWN = rule({
    id: "nlb.listener.security-policy",
    code: "ResourceNotFound.SecurityPolicy",
    status: 404,
    message: "The specified resource of SecurityPolicy is not found.",
    when: "the security policy is not one of the system's, the only ones here",
    source: "NLB API CreateListener, parameter SecurityPolicyId",
});

const MSS_PROTOCOL = rule({
    id: "nlb.listener.mss-protocol",
    code: "IllegalParam.MssConflictWithUdpAndGeneve",
    message: "The param of MssConflictWithUdpAndGeneve is illegal.",
    when: "a maximum segment size is given for UDP",
    source: CREATE,
});

const SAME_VPC = rule({
    id: "nlb.listener.same-vpc",
    code: "Mismatch.VpcId",
    message: "The VpcId is mismatched for %s and %s.",
    when: "instance and server group are in different VPCs",
    source: CREATE,
});

const PROTOCOL_FITS = rule({
    id: "nlb.listener.protocol-fits",
    code: "Mismatch.Protocol",
    message: "The Protocol is mismatched for %s and %s.",
    when: "TCP meets a UDP group, UDP a TCP group, or TCPSSL a group of UDP or TCP_UDP",
    source: "NLB API CreateListener, parameter ServerGroupId",
});

const NO_CLIENT_IP = rule({
    id: "nlb.listener.tcpssl-client-ip",
    code: "IllegalParam.PreserveClientIpSwitch",
    message: "The server group associated with the tcpssl listener does not support enabling PreserveClientIp.",
    when: "a TCPSSL listener uses a group that keeps client addresses",
    source: CREATE,
});

const ANY_PORT_GROUP = rule({
    id: "nlb.listener.range-needs-any-port",
    code: "IllegalParam.AnyPortListenerConflictWithNonAnyPortServerGroup",
    message: "The param of AnyPortListenerConflictWithNonAnyPortServerGroup is illegal.",
    when: "a listener with a port range uses a group without AnyPortEnabled",
    source: CREATE,
});

const SINGLE_PORT_GROUP = rule({
    id: "nlb.listener.port-needs-single-port",
    code: "IllegalParam.NonAnyPortListenerConflictWithAnyPortServerGroup",
    message: "The param of NonAnyPortListenerConflictWithAnyPortServerGroup is illegal.",
    when: "a listener with one port uses a group with AnyPortEnabled",
    source: CREATE,
});

const FITS: Readonly<Record<string, readonly string[]>> = {
    TCP: ["TCP", "TCP_UDP"],
    UDP: ["UDP", "TCP_UDP"],
    TCPSSL: ["TCP", "TCPSSL"],
};

/** Checks a listener as it would be after the call. */
export function checkListener(world: World, l: NlbListener, lb: NlbLoadBalancer, group: NlbServerGroup): void {
    const ranged =
        l.startPort !== undefined &&
        l.endPort !== undefined &&
        l.startPort >= 1 &&
        l.startPort < l.endPort &&
        l.endPort <= 65535;
    world.rules.check(RANGE_COMPLETE, l.port === 0 ? ranged : l.startPort === undefined && l.endPort === undefined);
    world.rules.check(IDLE_RANGE, l.idleTimeout >= 10 && l.idleTimeout <= (l.protocol === "UDP" ? 90 : 900));
    world.rules.check(MSS_PROTOCOL, l.mss === 0 || l.protocol !== "UDP");
    world.rules.check(SAME_VPC, group.vpcId === lb.vpcId, lb.id, group.id);
    world.rules.check(PROTOCOL_FITS, FITS[l.protocol]?.includes(group.protocol) === true, l.protocol, group.protocol);
    world.rules.check(ANY_PORT_GROUP, l.port !== 0 || group.anyPortEnabled);
    world.rules.check(SINGLE_PORT_GROUP, l.port === 0 || !group.anyPortEnabled);
    if (l.protocol === "TCPSSL") checkTls(world, l, group);
}

function checkTls(world: World, l: NlbListener, group: NlbServerGroup): void {
    world.rules.check(CERTIFICATE_GIVEN, l.certificateIds.length > 0);
    world.rules.check(ONE_CERTIFICATE, l.certificateIds.length <= 1 && l.caCertificateIds.length <= 1);
    for (const id of [...l.certificateIds, ...l.caCertificateIds, ...l.additionalCertificateIds])
        world.rules.check(CERTIFICATE_EXISTS, world.slb.certificates.has(id), id);
    world.rules.check(CA_GIVEN, !l.caEnabled || l.caCertificateIds.length > 0);
    world.rules.check(ALPN_GIVEN, !l.alpnEnabled || l.alpnPolicy !== "");
    world.rules.check(POLICY_KNOWN, SYSTEM_TLS_POLICIES.includes(l.securityPolicyId));
    world.rules.check(NO_CLIENT_IP, !group.preserveClientIpEnabled);
}
