import { comesWith, entry, input, needs, preset, row, rows } from "../row";
import type { ListenerProtocol } from "../../../schema/protocols";
import { nlbDocument } from "../../../schema/documents";
import {
    anyCase,
    identifier,
    identifiers,
    integer,
    listenerPortRanges,
    nlbProtocolPorts,
    onOff,
    oneOf,
    tlsPolicy,
} from "../codecs";

const TLS: readonly ListenerProtocol[] = ["tcpssl"];

const proxyExtra = (api: string, doc: string) =>
    ({
        type: anyCase(onOff),
        defaults: [{ value: "off" }],
        companions: [needs("proxyProtocol", "it is carried by Proxy Protocol", { equals: "on", when: "on" })],
        since: "v2.9.1",
        api: `ProxyProtocolV2Config ${api}`,
        doc,
        source: nlbDocument("Proxy Protocol Carries Additional Information"),
    }) as const;

export const nlbListenerRows = rows("listener", "v2.5.0", nlbDocument, {
    protocolPort: row(nlbProtocolPorts, "CreateListener ListenerProtocol", "Create a TCP/SSL Listener", {
        onChange: "listener is replaced",
        doc:
            "The listener protocol of Service ports: TCP, UDP, or TCP with TLS that ends at the load balancer " +
            "(`tcpssl`), in upper or lower case. A port that is not mentioned gets the protocol it has in the Service.",
    }),
    listenerPortRange: entry(listenerPortRanges, "Configure Listener Port Range", {
        since: "v2.11.4",
        onChange: "listener is replaced",
        api: "CreateListener StartPort and EndPort, CreateServerGroup AnyPortEnabled",
        doc:
            "Ranges of ports to listen on in place of Service ports. A connection reaches the same port of a pod as " +
            "the client's destination port; the targetPort, a number, is what health checks connect to. Pods must " +
            "be the backends.",
    }),
    idleTimeout: row(integer(10, 900, "seconds"), input("IdleTimeout"), "Configure Listener Connection Idle Timeout", {
        defaultNote: "`900`; for UDP listeners the cloud decides",
        defaults: [{ value: 900, protocols: ["tcp", "tcpssl"] }],
        doc:
            "After how long an idle connection is closed. UDP listeners take 90 at most. Alibaba Cloud lets some " +
            "accounts use more than 900; this package keeps to the documented range.",
    }),
    cps: {
        type: integer(0, 1_000_000, "new connections per second, 0 is no limit"),
        attribute: { api: "Cps", property: "cps" },
        doc: "How many new connections per second each listener takes in each zone.",
        source: nlbDocument("Configure Listener New Connection Rate Limit (CPS)"),
    },
    proxyProtocol: row(preset(anyCase(onOff), "off"), "ProxyProtocolEnabled", "Configure Proxy Protocol", {
        onChange: "in place, with an interruption",
        doc:
            "Whether backends receive the client's address by Proxy Protocol version 2. Backends must understand " +
            "it; switching interrupts the service.",
    }),
    ppv2PvlVpcIdEnabled: proxyExtra("Ppv2VpcIdEnabled", "Whether Proxy Protocol carries the id of the client's VPC."),
    ppv2PvlEpIdEnabled: proxyExtra(
        "Ppv2PrivateLinkEpIdEnabled",
        "Whether Proxy Protocol carries the id of the PrivateLink endpoint.",
    ),
    ppv2PvlEpsIdEnabled: proxyExtra(
        "Ppv2PrivateLinkEpsIdEnabled",
        "Whether Proxy Protocol carries the id of the PrivateLink endpoint service.",
    ),
    certId: row(identifier("", "one single certificate id"), "CertificateIds", "Create a TCP/SSL Listener", {
        protocols: TLS,
        doc:
            "The server certificate of TCPSSL listeners, for clients that ask for no name or one of the " +
            "certificate's.",
        reference: true,
    }),
    additionalCertIds: {
        type: identifiers("", "a certificate id", "cert-id-1,cert-id-2"),
        protocols: TLS,
        companions: [needs("certId", "they are additional to the certificate of the listener")],
        api: "AssociateAdditionalCertificatesWithListener, DisassociateAdditionalCertificatesWithListener",
        doc: "Certificates of further domains of TCPSSL listeners.",
        source: nlbDocument("Configure Extended Certificates"),
        reference: true,
    },
    cacert: row(preset(anyCase(onOff), "off"), "CaEnabled", "Enable Mutual Authentication", {
        protocols: TLS,
        companions: [needs("cacertId", "clients are checked against a certificate authority", { when: "on" })],
        doc: "Whether clients of TCPSSL listeners have to show a certificate.",
    }),
    cacertId: row(identifier("", "one single CA certificate id"), "CaCertificateIds", "Enable Mutual Authentication", {
        protocols: TLS,
        companions: [
            comesWith("cacert", "it has no effect until clients are asked for certificates", { equals: "on" }),
        ],
        doc: "The certificate authority that client certificates must come from.",
        reference: true,
    }),
    tlsCipherPolicy: row(tlsPolicy, input("SecurityPolicyId"), "Configure TLS Security Policy", {
        defaults: [{ value: "tls_cipher_policy_1_0" }],
        protocols: TLS,
        doc: "The TLS versions and cipher suites of TCPSSL listeners: a policy of the system, or one of your own.",
    }),
    alpn: row(preset(anyCase(onOff), "off"), "AlpnEnabled", "Configure ALPN Policy", {
        protocols: TLS,
        companions: [needs("alpnPolicy", "ALPN needs a policy", { when: "on" })],
        since: "v2.10.0",
        doc: "Whether TCPSSL listeners negotiate the protocol inside TLS.",
    }),
    alpnPolicy: entry(oneOf("HTTP1Only", "HTTP2Only", "HTTP2Optional", "HTTP2Preferred"), "Configure ALPN Policy", {
        protocols: TLS,
        companions: [comesWith("alpn", "it has no effect until the protocol is negotiated", { equals: "on" })],
        since: "v2.10.0",
        api: "AlpnPolicy",
        doc: "Which versions of HTTP are offered, and which first.",
    }),
});
