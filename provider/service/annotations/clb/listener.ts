import { entry, input, needs, preset, row, rows } from "../row";
import { clbDocument } from "../../../schema/documents";
import type { SettingValue } from "../../../schema/settings";
import { identifierList, integer, onOff, oneOf, protocolPorts, type ValueType } from "../codecs";

const DOCUMENTED = oneOf("rr", "wrr", "sch", "tch");

/** The document lists four algorithms; a fifth one, of the API, is left to rules. */
const schedulers: ValueType<SettingValue<"scheduler">> = {
    ...DOCUMENTED,
    parse: (text) => (text === "wlc" ? { value: text } : DOCUMENTED.parse(text)),
};

export const clbListenerRows = rows("listener", "v1.9.3", clbDocument, {
    protocolPort: row(protocolPorts, "CreateLoadBalancer<protocol>Listener", "Create an HTTP listener", {
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
    aclStatus: row(preset(onOff, "off"), "AclStatus", "Configure an access control list", {
        companions: [
            needs("aclId", "access control needs an access control list", { when: "on" }),
            needs("aclType", "a list either lets clients in or keeps them out", { when: "on" }),
        ],
        since: "v1.9.3.164-g2105d2e-aliyun",
        doc: "Whether an access control list decides who may connect to the listeners of the Service.",
    }),
    aclId: {
        type: identifierList("acl-", "an access control list id", "acl-aaaaa,acl-bbbbb"),
        companions: [
            needs("aclStatus", "the list has no effect until access control is on"),
            needs("aclType", "a list either lets clients in or keeps them out"),
        ],
        since: "v1.9.3.164-g2105d2e-aliyun",
        api: "AclId",
        doc:
            "The access control list, or several, which the document does not support and the release notes do from " +
            "Cloud Controller Manager v2.11.1 on. While it is empty, every request is forwarded, whatever its type.",
        source: clbDocument("Configure an access control list"),
        reference: true,
    },
    aclType: row(oneOf("white", "black"), "AclType", "Configure an access control list", {
        companions: [
            needs("aclStatus", "the type has no effect until access control is on"),
            needs("aclId", "the type says what the list means"),
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
    proxyProtocol: entry(preset(onOff, "off"), "Configure Proxy Protocol", {
        protocols: ["tcp", "udp"],
        since: "v2.6.0",
        onChange: "in place, with an interruption",
        attribute: { api: "ProxyProtocolV2Enabled", property: "proxyProtocolV2Enabled", boolean: true },
        doc:
            "Whether backends receive the client's address by Proxy Protocol version 2. Backends must understand " +
            "it; switching interrupts the service.",
    }),
    connectionDrain: row(onOff, "ConnectionDrain", "Configure connection draining", {
        protocols: ["tcp", "udp"],
        companions: [needs("connectionDrainTimeout", "no default is known for the time to wait", { when: "on" })],
        since: "v2.0.1",
        doc: "Whether connections to a backend that is removed or unhealthy may go on for a while.",
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
        doc:
            "After how long an idle TCP connection is closed. No document states a default; that of the API is " +
            "sent, so that a removed annotation goes back to it.",
    }),
});
