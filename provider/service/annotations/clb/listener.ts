import { entry, input, needs, OF_API, preset, row, rows } from "../row";
import { clbDocument } from "../../../schema/documents";
import type { SettingValue } from "../../../schema/settings";
import {
    clbProtocolPorts,
    cookie,
    domainExtensions,
    forwardPorts,
    identifier,
    identifierList,
    integer,
    oneOf,
    onOff,
    SYSTEM_POLICIES,
    type ValueType,
} from "../codecs";
import type { ListenerProtocol } from "../../../schema/protocols";

const DOCUMENTED = oneOf("rr", "wrr", "sch", "tch");

/** The document lists four algorithms. A fifth algorithm, of the API, is left to rules. */
const schedulers: ValueType<SettingValue<"scheduler">> = {
    ...DOCUMENTED,
    parse: (text) => (text === "wlc" ? { value: text } : DOCUMENTED.parse(text)),
};

const ACCESS = "Configure an access control list";
const SESSIONS = "Configure session persistence for HTTP and HTTPS listeners";
const OFF = preset(onOff, "off");
const LAYER_7: readonly ListenerProtocol[] = ["http", "https"];
const HTTPS: readonly ListenerProtocol[] = ["https"];

export const clbListenerRows = rows("listener", "v1.9.3", clbDocument, {
    protocolPort: row(clbProtocolPorts, "CreateLoadBalancer<protocol>Listener", "Create an HTTP listener", {
        onChange: "listener is replaced",
        doc:
            "The listener protocol of Service ports. A port that is not mentioned gets the protocol it has in the " +
            "Service, TCP or UDP.",
    }),
    scheduler: row(preset(schedulers, "rr"), "Scheduler", "Set the scheduling algorithm", {
        doc:
            "How requests are spread over the backends: in turn (`rr`), in turn by weight (`wrr`), by source " +
            "address (`sch`), or by source and destination address and port (`tch`). `wlc`, by weight and " +
            "connections, is a value of the API that the document does not list.",
    }),
    aclStatus: row(OFF, "AclStatus", ACCESS, {
        companions: [
            needs("aclId", "access control needs an access control list", { when: "on" }),
            needs("aclType", "a list either lets clients in or keeps them out", { when: "on" }),
        ],
        since: "v1.9.3.164-g2105d2e-aliyun",
        doc: "Whether an access control list decides who may connect to the listeners of the Service.",
    }),
    aclId: row(identifierList("acl-", "an access control list id", "acl-aaaaa,acl-bbbbb"), "AclId", ACCESS, {
        companions: [
            needs("aclStatus", "the list has no effect until access control is on"),
            needs("aclType", "a list either lets clients in or keeps them out"),
        ],
        since: "v1.9.3.164-g2105d2e-aliyun",
        doc:
            "The access control list, or several, which the document does not support and the release notes do from " +
            "Cloud Controller Manager v2.11.1 on. While it is empty, every request is forwarded, whatever its type.",
        reference: true,
    }),
    aclType: row(oneOf("white", "black"), "AclType", ACCESS, {
        companions: [
            needs("aclStatus", "the type has no effect until access control is on"),
            needs("aclId", "the type allows or denies the addresses of a list"),
        ],
        since: "v1.9.3.164-g2105d2e-aliyun",
        doc: "Whether only the addresses in the access control list may connect (`white`) or all others (`black`).",
    }),
    persistenceTimeout: {
        type: integer(0, 3600, "seconds, 0 switches persistence off"),
        defaults: [{ value: 0 }],
        protocols: ["tcp"],
        attribute: { api: "PersistenceTimeout", property: "persistenceTimeout" },
        doc:
            "For how long TCP connections from one address go to the same backend. It applies to all TCP listeners " +
            "of the Service.",
        source: clbDocument("Configure session persistence for TCP listeners"),
    },
    proxyProtocol: entry(OFF, "Configure Proxy Protocol", {
        protocols: ["tcp", "udp"],
        since: "v2.6.0",
        onChange: "in place, with an interruption",
        attribute: { api: "ProxyProtocolV2Enabled", property: "proxyProtocolV2Enabled", boolean: true },
        doc:
            "Whether backends receive the client's address by Proxy Protocol version 2. Backends must understand " +
            "it; switching interrupts the service.",
    }),
    connectionDrain: row(OFF, "ConnectionDrain", "Configure connection draining", {
        protocols: ["tcp", "udp"],
        companions: [needs("connectionDrainTimeout", "no default is known for the time to wait", { when: "on" })],
        since: "v2.0.1",
        doc: `Whether connections to a backend that is removed or unhealthy may go on for a while. ${OF_API}`,
    }),
    connectionDrainTimeout: entry(integer(10, 900, "seconds"), "Configure connection draining", {
        protocols: ["tcp", "udp"],
        companions: [needs("connectionDrain", "the time counts only while draining is on", { equals: "on" })],
        since: "v2.0.1",
        api: "ConnectionDrainTimeout",
        doc: "For how long connections to such a backend may go on.",
    }),
    establishedTimeout: row(integer(10, 900, "seconds"), input("EstablishedTimeout"), "Set the connection timeout", {
        defaults: [{ value: 900 }],
        protocols: ["tcp"],
        since: "v2.3.0",
        doc: `After how long an idle TCP connection is closed. ${OF_API}`,
    }),
    stickySession: row(OFF, "StickySession", SESSIONS, {
        protocols: LAYER_7,
        companions: [
            needs(
                "stickySessionType",
                "a session is kept either by a cookie of the load balancer or by one of the backend",
                { when: "on" },
            ),
        ],
        doc:
            "Whether requests with the same cookie go to the same backend. It applies to all HTTP and HTTPS " +
            "listeners of the Service.",
    }),
    stickySessionType: row(oneOf("insert", "server"), "StickySessionType", SESSIONS, {
        protocols: LAYER_7,
        companions: [
            needs("stickySession", "the type counts only while session persistence is on", { equals: "on" }),
            needs("cookieTimeout", "the inserted cookie has to expire", { when: "insert" }),
            needs("cookie", "the cookie of the backend has to be named", { when: "server" }),
        ],
        doc:
            "Whether the load balancer inserts its own cookie (`insert`) or rewrites one that the backend sets " +
            "(`server`).",
    }),
    cookieTimeout: row(integer(1, 86400, "seconds"), "CookieTimeout", SESSIONS, {
        protocols: LAYER_7,
        companions: [needs("stickySessionType", "only an inserted cookie expires", { equals: "insert" })],
        doc: "For how long an inserted cookie is valid.",
    }),
    cookie: row(cookie, "Cookie", SESSIONS, {
        protocols: LAYER_7,
        companions: [needs("stickySessionType", "an inserted cookie has its own name", { equals: "server" })],
        doc: "The name of the backend's cookie that keeps the session.",
    }),
    certId: row(identifier("", "a certificate id"), "ServerCertificateId", "Create an HTTPS listener", {
        protocols: HTTPS,
        since: "v1.9.3.164-g2105d2e-aliyun",
        doc: "The certificate of the HTTPS listeners. Backends get plain HTTP.",
        reference: true,
    }),
    forwardPort: row(forwardPorts, "ListenerForward, ForwardPort", "Redirect HTTP to HTTPS", {
        protocols: ["http"],
        companions: [
            needs("protocolPort", "it has to say which port is HTTP and which is HTTPS"),
            needs("certId", "requests are redirected to an HTTPS listener"),
        ],
        since: "v1.9.3.164-g2105d2e-aliyun",
        onChange: "listener is replaced",
        doc: "Redirect requests from an HTTP port to an HTTPS port of the Service.",
    }),
    domainExtensions: entry(domainExtensions, "Configure extended domain name certificates for HTTPS listeners", {
        protocols: HTTPS,
        companions: [needs("certId", "the listener needs a default certificate besides")],
        since: "v2.13.0",
        api: "CreateDomainExtension",
        doc: "Certificates for further domains of the HTTPS listeners.",
    }),
    tlsCipherPolicy: entry(oneOf(...SYSTEM_POLICIES), "Configure a TLS security policy", {
        defaults: [{ value: "tls_cipher_policy_1_0" }],
        protocols: HTTPS,
        companions: [needs("certId", "TLS needs a certificate")],
        since: "v2.4.0",
        attribute: { api: "TLSCipherPolicy", property: "tlsCipherPolicy" },
        doc: "The TLS versions and cipher suites that the HTTPS listeners offer.",
    }),
    http2Enabled: row(preset(onOff, "on"), input("EnableHttp2"), "Disable HTTP/2", {
        protocols: HTTPS,
        companions: [needs("certId", "HTTP/2 is spoken by HTTPS listeners only")],
        since: "v2.1.0",
        doc: "Whether the HTTPS listeners speak HTTP/2.",
    }),
    xforwardedforProto: entry(OFF, "Add forwarded request headers", {
        protocols: LAYER_7,
        since: "v2.1.0",
        attribute: { api: "XForwardedFor_proto", property: "xForwardedFor.retriveSlbProto", boolean: true },
        doc: "Whether backends receive the listener's protocol in the header X-Forwarded-Proto.",
    }),
    xforwardedforSlbport: row(OFF, { api: "XForwardedFor_SLBPORT" }, "Add forwarded request headers", {
        protocols: LAYER_7,
        since: "v2.9.1",
        doc: "Whether backends receive the listener's port in the header XForwardedFor_SLBPORT.",
    }),
    xforwardedforClientsrcport: row(OFF, { api: "XForwardedFor_ClientSrcPort" }, "Add forwarded request headers", {
        protocols: LAYER_7,
        since: "v2.9.1",
        doc: "Whether backends receive the client's port in the header XForwardedFor_ClientSrcPort.",
    }),
    idleTimeout: row(preset(integer(1, 60, "seconds"), 15), input("IdleTimeout"), "Set the idle connection timeout", {
        protocols: LAYER_7,
        since: "v2.1.0",
        doc: "After how long a connection without requests is closed.",
    }),
    requestTimeout: row(preset(integer(1, 180, "seconds"), 60), input("RequestTimeout"), "Set the request timeout", {
        protocols: LAYER_7,
        since: "v2.3.0",
        doc: "How long a backend may take to answer before the client gets HTTP 504.",
    }),
});
