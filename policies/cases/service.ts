import { LISTENER_TYPE } from "../types";
import { type Case, component, inside, plain, resource, stated, UNKNOWN } from "./case";

const OTHER = resource("a:b:C", {});
const LOCAL = { spec: { externalTrafficPolicy: "Local" } };
const HTTPS = { annotations: { "protocol-port": "https:80", "cert-id": "cert-1" } };

/** For every rule about one Service: what is not its business, and what it cannot tell. */
const common = (rule: string, unknown: Parameters<typeof plain>[0]): Case[] => [
    { rule, what: "another resource", given: OTHER, expect: "not applicable" },
    {
        rule,
        what: "a Service inside the cluster",
        given: plain({ spec: { type: "ClusterIP" } }),
        expect: "not applicable",
    },
    { rule, what: "what a component has applied itself", given: inside(plain()), expect: "not applicable" },
    { rule, what: "a value that is not known yet", given: plain(unknown), expect: "not known" },
    {
        rule,
        what: "a component's value that is not known yet",
        given: stated({ settings: UNKNOWN }),
        expect: "not known",
    },
];

export const SERVICE: readonly Case[] = [
    ...common("exposure-open", { annotations: { "address-type": UNKNOWN } }),
    {
        rule: "exposure-open",
        what: "open",
        given: component(),
        expect: [
            /^Service shop\/web: open to the Internet on TCP:80, without an access control list\. Remedy: set address-type to "intranet".*loadBalancerSourceRanges, or acl-status/,
        ],
    },
    {
        rule: "exposure-open",
        what: "open, under the Cloud Controller Manager",
        given: plain(),
        expect: [/open to the Internet/],
    },
    {
        rule: "exposure-open",
        what: "internal",
        given: component({ annotations: { "address-type": "intranet", "vswitch-id": "vsw-1" } }),
        expect: [],
    },
    {
        rule: "exposure-open",
        what: "listed",
        given: component({ annotations: { "acl-status": "on", "acl-id": "acl-1", "acl-type": "white" } }),
        expect: [],
    },
    {
        rule: "exposure-open",
        what: "a list of others",
        given: component({ annotations: { "acl-status": "on", "acl-id": "acl-1", "acl-type": "black" } }),
        expect: [/open/],
    },
    {
        rule: "exposure-open",
        what: "a list of others, where that is enough",
        given: component({ annotations: { "acl-status": "on", "acl-id": "acl-1", "acl-type": "black" } }),
        config: { blacklists: true },
        expect: [],
    },
    {
        rule: "exposure-open",
        what: "source ranges",
        given: component({ spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } }),
        expect: [],
    },
    {
        rule: "exposure-open",
        what: "a range that holds everybody",
        given: plain({ spec: { loadBalancerSourceRanges: ["0.0.0.0/0"] } }),
        expect: [/open/],
    },

    ...common("exposure-tls", { annotations: { ...HTTPS.annotations, "tls-cipher-policy": UNKNOWN } }),
    {
        rule: "exposure-tls",
        what: "the default",
        given: component(HTTPS),
        expect: [/speak TLS 1\.0 \(tls_cipher_policy_1_0, the default\); at least 1\.2 is wanted/],
    },
    {
        rule: "exposure-tls",
        what: "1.1",
        given: plain({ annotations: { ...HTTPS.annotations, "tls-cipher-policy": "tls_cipher_policy_1_1" } }),
        expect: [/TLS 1\.1/],
    },
    {
        rule: "exposure-tls",
        what: "1.1 where that is enough",
        given: plain({ annotations: { ...HTTPS.annotations, "tls-cipher-policy": "tls_cipher_policy_1_1" } }),
        config: { minimum: "1.1" },
        expect: [],
    },
    {
        rule: "exposure-tls",
        what: "1.2",
        given: component({
            annotations: { ...HTTPS.annotations, "tls-cipher-policy": "tls_cipher_policy_1_2_strict" },
        }),
        expect: [],
    },
    { rule: "exposure-tls", what: "no TLS at all", given: component(), expect: [] },
    {
        rule: "exposure-tls",
        what: "somebody's listener",
        given: resource(LISTENER_TYPE, { protocol: "https", tlsCipherPolicy: "tls_cipher_policy_1_0" }),
        expect: [/^Listener one: .*TLS 1\.0/],
    },
    {
        rule: "exposure-tls",
        what: "somebody's good listener",
        given: resource(LISTENER_TYPE, { protocol: "https", tlsCipherPolicy: "tls_cipher_policy_1_2" }),
        expect: [],
    },
    {
        rule: "exposure-tls",
        what: "somebody's listener, not known yet",
        given: resource(LISTENER_TYPE, { protocol: "https", tlsCipherPolicy: UNKNOWN }),
        expect: "not known",
    },
    {
        rule: "exposure-tls",
        what: "a component's listener",
        given: inside(resource(LISTENER_TYPE, { protocol: "https" })),
        expect: "not applicable",
    },

    ...common("protection-critical", { labels: UNKNOWN }),
    {
        rule: "protection-critical",
        what: "labelled and unprotected",
        given: component({
            labels: { "ack-loadbalancer.io/critical": "true" },
            annotations: { "delete-protection": "off" },
        }),
        expect: [/deletion protection of its instance is switched off/],
    },
    {
        rule: "protection-critical",
        what: "named and unprotected",
        given: plain({ annotations: { "modification-protection": "NonProtection" } }),
        config: { services: ["shop/w*"] },
        expect: [/can be changed in the console/],
    },
    {
        rule: "protection-critical",
        what: "protected",
        given: component({ labels: { "ack-loadbalancer.io/critical": "true" } }),
        expect: [],
    },
    {
        rule: "protection-critical",
        what: "not critical",
        given: component({ annotations: { "delete-protection": "off" } }),
        expect: [],
    },
    {
        rule: "protection-critical",
        what: "protect is asked for",
        given: component(),
        config: { services: ["*"], protect: true },
        expect: [/protect is not set/],
    },
    {
        rule: "protection-critical",
        what: "protect is asked for and set",
        given: component({}, { protect: true }),
        config: { services: ["*"], protect: true },
        expect: [],
    },

    ...common("access-local", { spec: { externalTrafficPolicy: UNKNOWN } }),
    {
        rule: "access-local",
        what: "Local",
        given: component(LOCAL),
        expect: [
            /fail on nodes without a pod of the Service\. Remedy: let callers inside use web\.shop\.svc\.cluster\.local/,
        ],
    },
    {
        rule: "access-local",
        what: "Local, with a host name",
        given: component({ ...LOCAL, annotations: { hostname: "www.example.com" } }),
        expect: [],
    },
    { rule: "access-local", what: "Cluster", given: plain(), expect: [] },

    ...common("access-proxy-protocol", { annotations: { "proxy-protocol": UNKNOWN } }),
    {
        rule: "access-proxy-protocol",
        what: "on",
        given: component({ annotations: { "proxy-protocol": "on" } }),
        expect: [/without the Proxy Protocol header/],
    },
    {
        rule: "access-proxy-protocol",
        what: "on, with a host name",
        given: plain({ annotations: { "proxy-protocol": "on", hostname: "www.example.com" } }),
        expect: [],
    },
    { rule: "access-proxy-protocol", what: "off", given: component(), expect: [] },

    ...common("access-http", { annotations: { "protocol-port": UNKNOWN } }),
    {
        rule: "access-http",
        what: "HTTP",
        given: component({ annotations: { "protocol-port": "http:80" } }),
        expect: [/without its headers, such as X-Forwarded-For/],
    },
    {
        rule: "access-http",
        what: "HTTPS",
        given: plain(HTTPS),
        expect: [/without TLS being ended \(curl: wrong version number\)/],
    },
    {
        rule: "access-http",
        what: "HTTPS with a host name",
        given: plain({ annotations: { ...HTTPS.annotations, hostname: "www.example.com" } }),
        expect: [],
    },
    { rule: "access-http", what: "TCP", given: component(), expect: [] },

    ...common("backends-persistence", { annotations: { "persistence-timeout": UNKNOWN } }),
    {
        rule: "backends-persistence",
        what: "kept on a node",
        given: component({ annotations: { "persistence-timeout": "60" } }),
        expect: [/keeps a client on a node/],
    },
    {
        rule: "backends-persistence",
        what: "switched off",
        given: component({ annotations: { "persistence-timeout": "0" } }),
        expect: [],
    },
    {
        rule: "backends-persistence",
        what: "Local",
        given: component({ ...LOCAL, annotations: { "persistence-timeout": "60" } }),
        expect: [],
    },
    {
        rule: "backends-persistence",
        what: "pods as backends, as the pack is told of the cluster",
        given: plain({ annotations: { "persistence-timeout": "60" } }),
        config: { cluster: { networkPlugin: "terway" } },
        expect: [],
    },

    ...common("backends-source-address", { spec: { externalTrafficPolicy: UNKNOWN } }),
    {
        rule: "backends-source-address",
        what: "Cluster",
        given: component(),
        expect: [/pods see the address of a node/],
    },
    { rule: "backends-source-address", what: "Local", given: component(LOCAL), expect: [] },
    {
        rule: "backends-source-address",
        what: "HTTP",
        given: component({ annotations: { "protocol-port": "http:80" } }),
        expect: [],
    },

    ...common("backends-node-ports", { spec: { ports: [{ port: 80, nodePort: UNKNOWN }] } }),
    {
        rule: "backends-node-ports",
        what: "the usual ranges",
        given: component({ spec: { ports: [{ port: 80, nodePort: 30080 }] } }),
        expect: [],
    },
    {
        rule: "backends-node-ports",
        what: "a node port among the local ones",
        given: component({ spec: { ports: [{ port: 80, nodePort: 32000 }] } }),
        config: { localFrom: 31000 },
        expect: [
            /node port range 30000-32767 of the cluster overlaps/,
            /node port 32000 of port 80 is in the nodes' local port range 31000-60999/,
        ],
    },
    {
        rule: "backends-node-ports",
        what: "ranges that overlap",
        given: component({ facts: { nodePortRange: { from: 30000, to: 40000 } } }),
        expect: [/node port range 30000-40000 of the cluster overlaps/],
    },

    ...common("edge-cluster-policy", { labels: UNKNOWN }),
    {
        rule: "edge-cluster-policy",
        what: "pods at the edge with Local",
        given: component({ ...LOCAL, labels: { "ack-loadbalancer.io/edge": "ens" } }),
        expect: [/leaves out the ECS instances that forward/],
    },
    {
        rule: "edge-cluster-policy",
        what: "a cluster of edge pods",
        given: component(LOCAL),
        config: { clusters: ["c1"] },
        expect: [/the pods are at the edge/],
    },
    {
        rule: "edge-cluster-policy",
        what: "pods at the edge with Cluster",
        given: component({ labels: { "ack-loadbalancer.io/edge": "ens" } }),
        expect: [],
    },
    { rule: "edge-cluster-policy", what: "pods in the cloud with Local", given: plain(LOCAL), expect: [] },

    ...common("reuse-force-override", { annotations: { id: "lb-1", "force-override-listeners": UNKNOWN } }),
    {
        rule: "reuse-force-override",
        what: "asked for",
        given: plain({ annotations: { id: "lb-1", "force-override-listeners": "true" } }),
        expect: [/whatever listens on port 80 of load balancer lb-1 is replaced/],
    },
    { rule: "reuse-force-override", what: "not asked for", given: plain({ annotations: { id: "lb-1" } }), expect: [] },

    ...common("reuse-api-server", { annotations: { id: UNKNOWN } }),
    {
        rule: "reuse-api-server",
        what: "on the list",
        given: plain({ annotations: { id: "lb-1" } }),
        config: { denied: ["lb-*"] },
        expect: [/on the list of instances that no Service may use/],
    },
    {
        rule: "reuse-api-server",
        what: "not on the list",
        given: plain({ annotations: { id: "lb-1" } }),
        config: { denied: ["lb-2"] },
        expect: [],
    },
];
