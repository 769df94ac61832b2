/** Annotations of HTTP and HTTPS listeners. */

import { needs, rows } from "../row";
import type { ListenerProtocol } from "../../../schema/protocols";
import { clbDocument } from "../../../schema/documents";
import { cookie, domainExtensions, forwardPorts, identifier, integer, onOff, oneOf } from "../codecs";

const LAYER_7: readonly ListenerProtocol[] = ["http", "https"];
const HTTPS: readonly ListenerProtocol[] = ["https"];

export const clbHttpRows = rows("listener", "v1.9.3", {
    stickySession: {
        type: onOff,
        defaults: [{ value: "off" }],
        protocols: LAYER_7,
        companions: [
            needs(
                "stickySessionType",
                "a session is kept either by a cookie of the load balancer or by one of the backend",
                { when: "on" },
            ),
        ],
        api: "StickySession",
        doc:
            "Whether requests with the same cookie go to the same backend. It applies to all HTTP and HTTPS " +
            "listeners of the Service.",
        source: clbDocument("Configure session persistence for HTTP and HTTPS listeners"),
    },
    stickySessionType: {
        type: oneOf("insert", "server"),
        protocols: LAYER_7,
        companions: [
            needs("stickySession", "the type counts only while session persistence is on", { equals: "on" }),
            needs("cookieTimeout", "the inserted cookie has to expire", { when: "insert" }),
            needs("cookie", "the cookie of the backend has to be named", { when: "server" }),
        ],
        api: "StickySessionType",
        doc:
            "Whether the load balancer inserts a cookie of its own (`insert`) or rewrites one that the backend sets " +
            "(`server`).",
        source: clbDocument("Configure session persistence for HTTP and HTTPS listeners"),
    },
    cookieTimeout: {
        type: integer(1, 86400, "seconds"),
        protocols: LAYER_7,
        companions: [needs("stickySessionType", "only an inserted cookie expires", { equals: "insert" })],
        api: "CookieTimeout",
        doc: "For how long an inserted cookie is valid.",
        source: clbDocument("Configure session persistence for HTTP and HTTPS listeners"),
    },
    cookie: {
        type: cookie,
        protocols: LAYER_7,
        companions: [needs("stickySessionType", "an inserted cookie has a name of its own", { equals: "server" })],
        api: "Cookie",
        doc: "The name of the backend's cookie that keeps the session.",
        source: clbDocument("Configure session persistence for HTTP and HTTPS listeners"),
    },
    certId: {
        type: identifier("", "a certificate id"),
        protocols: HTTPS,
        since: "v1.9.3.164-g2105d2e-aliyun",
        api: "ServerCertificateId",
        doc: "The certificate of the HTTPS listeners. Backends get plain HTTP.",
        source: clbDocument("Create an HTTPS listener"),
        reference: true,
    },
    forwardPort: {
        type: forwardPorts,
        protocols: ["http"],
        companions: [
            needs("protocolPort", "it has to say which port is HTTP and which is HTTPS"),
            needs("certId", "requests are redirected to an HTTPS listener"),
        ],
        since: "v1.9.3.164-g2105d2e-aliyun",
        onChange: "listener is replaced",
        api: "ListenerForward, ForwardPort",
        doc: "Redirect requests from an HTTP port to an HTTPS port of the Service.",
        source: clbDocument("Redirect HTTP to HTTPS"),
    },
    domainExtensions: {
        type: domainExtensions,
        protocols: HTTPS,
        companions: [needs("certId", "the listener needs a default certificate besides")],
        since: "v2.13.0",
        api: "CreateDomainExtension",
        doc: "Certificates for further domains of the HTTPS listeners.",
        source: clbDocument("Configure extended domain name certificates for HTTPS listeners"),
    },
    tlsCipherPolicy: {
        type: oneOf(
            "tls_cipher_policy_1_0",
            "tls_cipher_policy_1_1",
            "tls_cipher_policy_1_2",
            "tls_cipher_policy_1_2_strict",
            "tls_cipher_policy_1_2_strict_with_1_3",
        ),
        defaults: [{ value: "tls_cipher_policy_1_0" }],
        protocols: HTTPS,
        companions: [needs("certId", "TLS needs a certificate")],
        since: "v2.4.0",
        attribute: { api: "TLSCipherPolicy", property: "tlsCipherPolicy" },
        doc: "The TLS versions and cipher suites that the HTTPS listeners offer.",
        source: clbDocument("Configure a TLS security policy"),
    },
    http2Enabled: {
        type: onOff,
        defaults: [{ value: "on" }],
        protocols: HTTPS,
        companions: [needs("certId", "HTTP/2 is spoken by HTTPS listeners only")],
        since: "v2.1.0",
        attribute: { api: "EnableHttp2", property: "enableHttp2" },
        doc: "Whether the HTTPS listeners speak HTTP/2.",
        source: clbDocument("Disable HTTP/2"),
    },
    xforwardedforProto: {
        type: onOff,
        defaults: [{ value: "off" }],
        protocols: LAYER_7,
        since: "v2.1.0",
        attribute: { api: "XForwardedFor_proto", property: "xForwardedFor.retriveSlbProto", boolean: true },
        doc: "Whether backends receive the listener's protocol in the header X-Forwarded-Proto.",
        source: clbDocument("Add forwarded request headers"),
    },
    xforwardedforSlbport: {
        type: onOff,
        defaults: [{ value: "off" }],
        protocols: LAYER_7,
        since: "v2.9.1",
        attribute: { api: "XForwardedFor_SLBPORT" },
        doc: "Whether backends receive the listener's port in the header XForwardedFor_SLBPORT.",
        source: clbDocument("Add forwarded request headers"),
    },
    xforwardedforClientsrcport: {
        type: onOff,
        defaults: [{ value: "off" }],
        protocols: LAYER_7,
        since: "v2.9.1",
        attribute: { api: "XForwardedFor_ClientSrcPort" },
        doc: "Whether backends receive the client's port in the header XForwardedFor_ClientSrcPort.",
        source: clbDocument("Add forwarded request headers"),
    },
    idleTimeout: {
        type: integer(1, 60, "seconds"),
        defaults: [{ value: 15 }],
        protocols: LAYER_7,
        since: "v2.1.0",
        attribute: { api: "IdleTimeout", property: "idleTimeout" },
        doc: "After how long a connection without requests is closed.",
        source: clbDocument("Set the idle connection timeout"),
    },
    requestTimeout: {
        type: integer(1, 180, "seconds"),
        defaults: [{ value: 60 }],
        protocols: LAYER_7,
        since: "v2.3.0",
        attribute: { api: "RequestTimeout", property: "requestTimeout" },
        doc: "How long a backend may take to answer before the client gets HTTP 504.",
        source: clbDocument("Set the request timeout"),
    },
});
