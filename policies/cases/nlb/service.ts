/** Rules about one Service, where an NLB means something else. */
import { NETWORK_INSTANCE_TYPE, NETWORK_LISTENER_TYPE, NETWORK_TLS_POLICY_TYPE } from "../../types";
import { type Case, component, inside, plain, resource, UNKNOWN } from "../case";
import { applied, LOCAL, ours, TERWAY, TLS } from "./case";

const PROTECTED = { deletionProtectionEnabled: true, modificationProtectionStatus: "ConsoleProtection" };

export const SERVICE: readonly Case[] = [
    {
        rule: "exposure-open",
        what: "NLB, open",
        given: ours(),
        expect: [/open to the Internet on TCP:80, without a security group\. Remedy: .*or security-group-ids\.$/],
    },
    {
        rule: "exposure-open",
        what: "NLB, open, under the Cloud Controller Manager",
        given: applied(),
        expect: [/without a security group/],
    },
    {
        rule: "exposure-open",
        what: "NLB, a security group",
        given: ours({ annotations: { "security-group-ids": "sg-1" } }),
        expect: [],
    },
    {
        rule: "exposure-open",
        what: "NLB, source ranges",
        given: applied({ spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } }),
        expect: [],
    },
    {
        rule: "exposure-open",
        what: "NLB, a range that holds everybody",
        given: ours({ spec: { loadBalancerSourceRanges: ["10.0.0.0/8", "0.0.0.0/0"] } }),
        expect: [/open/],
    },
    {
        rule: "exposure-open",
        what: "NLB, source ranges of a reused one",
        given: applied({ annotations: { id: "nlb-1" }, spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } }),
        expect: [/open/],
    },
    {
        rule: "exposure-open",
        what: "NLB, an access control list means nothing to it",
        given: applied({ annotations: { "acl-status": "on", "acl-id": "acl-1", "acl-type": "white" } }),
        expect: [/open/],
    },
    {
        rule: "exposure-open",
        what: "NLB, internal",
        given: ours({ annotations: { "address-type": "intranet" } }),
        expect: [],
    },
    {
        rule: "exposure-open",
        what: "NLB, internal, but its IPv6 addresses are not",
        given: ours({
            annotations: { "address-type": "intranet", "ip-version": "DualStack", "ipv6-address-type": "internet" },
        }),
        expect: [/open to the Internet over IPv6 on TCP:80/],
    },
    {
        rule: "exposure-open",
        what: "NLB, a range of ports",
        given: ours({ annotations: { "listener-port-range": "100-200:80" }, ...TERWAY }),
        expect: [/on TCP:100-200, without/],
    },
    {
        rule: "exposure-open",
        what: "NLB, groups that are not known yet",
        given: applied({ annotations: { "security-group-ids": UNKNOWN } }),
        expect: "not known",
    },
    {
        rule: "exposure-open",
        what: "CLB, the Cloud Controller Manager passes over source ranges",
        given: plain({ spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } }),
        expect: [/passes over loadBalancerSourceRanges\. Remedy: .*name who may connect: acl-status/],
    },
    {
        rule: "exposure-open",
        what: "CLB, a list of others takes the place of source ranges",
        given: component({
            annotations: { "acl-status": "on", "acl-id": "acl-1", "acl-type": "black" },
            spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] },
        }),
        expect: [/open/],
    },

    {
        rule: "exposure-tls",
        what: "NLB, the default",
        given: ours({ annotations: TLS }),
        expect: [/the TCPSSL listeners speak TLS 1\.0 \(tls_cipher_policy_1_0, the default\)/],
    },
    {
        rule: "exposure-tls",
        what: "NLB, 1.2",
        given: applied({ annotations: { ...TLS, "tls-cipher-policy": "tls_cipher_policy_1_2" } }),
        expect: [],
    },
    {
        rule: "exposure-tls",
        what: "NLB, a policy of one's own",
        given: applied({ annotations: { ...TLS, "tls-cipher-policy": "tls-abc" } }),
        expect: [],
    },
    { rule: "exposure-tls", what: "NLB, no TLS at all", given: ours(), expect: [] },
    {
        rule: "exposure-tls",
        what: "NLB, not known",
        given: applied({ annotations: { ...TLS, "tls-cipher-policy": UNKNOWN } }),
        expect: "not known",
    },
    {
        rule: "exposure-tls",
        what: "NLB, somebody's listener",
        given: resource(NETWORK_LISTENER_TYPE, { listenerProtocol: "TCPSSL" }),
        expect: [/^Listener one: the TCPSSL listeners speak TLS 1\.0/],
    },
    {
        rule: "exposure-tls",
        what: "NLB, somebody's listener without TLS",
        given: resource(NETWORK_LISTENER_TYPE, { listenerProtocol: "TCP" }),
        expect: [],
    },
    {
        rule: "exposure-tls",
        what: "NLB, a component's listener",
        given: inside(resource(NETWORK_LISTENER_TYPE, { listenerProtocol: "TCPSSL" })),
        expect: "not applicable",
    },
    {
        rule: "exposure-tls",
        what: "NLB, somebody's policy",
        given: resource(NETWORK_TLS_POLICY_TYPE, { tlsVersions: ["TLSv1.1", "TLSv1.2"] }),
        expect: [/^SecurityPolicy one: listeners with this policy speak TLSv1\.1; at least TLS 1\.2/],
    },
    {
        rule: "exposure-tls",
        what: "NLB, somebody's good policy",
        given: resource(NETWORK_TLS_POLICY_TYPE, { tlsVersions: ["TLSv1.2", "TLSv1.3"] }),
        expect: [],
    },

    {
        rule: "protection-critical",
        what: "NLB, unprotected",
        given: ours({
            labels: { "ack-loadbalancer.io/critical": "true" },
            annotations: { "delete-protection": "off" },
        }),
        expect: [/deletion protection of its instance is switched off/],
    },
    {
        rule: "protection-critical",
        what: "NLB, the Cloud Controller Manager protects it whatever annotations say",
        given: applied({
            labels: { "ack-loadbalancer.io/critical": "true" },
            annotations: { "delete-protection": "off" },
        }),
        expect: [],
    },
    {
        rule: "protection-switched-off",
        what: "NLB, a Service",
        given: ours({ annotations: { "modification-protection": "NonProtection" } }),
        expect: [/lost at the next run/],
    },
    {
        rule: "protection-switched-off",
        what: "NLB, ignored by the Cloud Controller Manager",
        given: applied({ annotations: { "delete-protection": "off" } }),
        expect: [],
    },
    {
        rule: "protection-switched-off",
        what: "NLB, somebody's instance",
        given: resource(NETWORK_INSTANCE_TYPE, {}),
        expect: [/^LoadBalancer one: deletion protection of the instance is not/, /console/],
    },
    {
        rule: "protection-switched-off",
        what: "NLB, somebody's protected instance",
        given: resource(NETWORK_INSTANCE_TYPE, PROTECTED),
        expect: [],
    },
    {
        rule: "protection-switched-off",
        what: "NLB, protected by the older properties",
        given: resource(NETWORK_INSTANCE_TYPE, {
            deletionProtectionConfig: { enabled: true },
            modificationProtectionConfig: { status: "ConsoleProtection" },
        }),
        expect: [],
    },
    {
        rule: "protection-switched-off",
        what: "NLB, not known",
        given: resource(NETWORK_INSTANCE_TYPE, { ...PROTECTED, deletionProtectionEnabled: UNKNOWN }),
        expect: "not known",
    },
    {
        rule: "protection-switched-off",
        what: "NLB, a component's instance",
        given: inside(resource(NETWORK_INSTANCE_TYPE, {})),
        expect: "not applicable",
    },

    // An NLB has a DNS name, so that no node takes calls for it.
    ...["access-local", "access-proxy-protocol", "access-http", "access-hostname"].map((rule): Case => ({
        rule,
        what: "NLB, calls from inside go out to it",
        given: ours({ annotations: { "proxy-protocol": "on" }, spec: LOCAL }),
        expect: "not applicable",
    })),

    {
        rule: "backends-source-address",
        what: "NLB, Cluster",
        given: ours(),
        expect: [/pods see the address of a node/],
    },
    { rule: "backends-source-address", what: "NLB, Local", given: ours({ spec: LOCAL }), expect: [] },
    {
        rule: "backends-source-address",
        what: "NLB, pods behind TLS",
        given: ours({ annotations: TLS, ...TERWAY }),
        expect: [/behind TCPSSL listeners/],
    },
    {
        rule: "backends-source-address",
        what: "NLB, pods behind TLS, with Proxy Protocol",
        given: ours({ annotations: { ...TLS, "proxy-protocol": "on" }, ...TERWAY }),
        expect: [],
    },
    {
        rule: "backends-source-address",
        what: "NLB, the address is not kept",
        given: applied({ annotations: { "preserve-client-ip": "off" }, spec: LOCAL }),
        expect: [/preserve-client-ip "off"/],
    },
    {
        rule: "backends-persistence",
        what: "NLB, it keeps no sessions",
        given: ours({ annotations: { "persistence-timeout": "60" } }),
        expect: [],
    },
    {
        rule: "backends-node-ports",
        what: "NLB, a node port among the local ones",
        given: applied({ spec: { ports: [{ port: 80, nodePort: 32768 }] } }),
        expect: [/node port 32768 of port 80/],
    },
    {
        rule: "edge-cluster-policy",
        what: "NLB, nodes that forward, with Local",
        given: ours({ labels: { "ack-loadbalancer.io/edge": "ens" }, spec: LOCAL }),
        expect: [/leaves out the ECS instances that forward/],
    },
    {
        rule: "edge-cluster-policy",
        what: "NLB, pods that are reached by address, with Local",
        given: ours({
            labels: { "ack-loadbalancer.io/edge": "ens" },
            annotations: { "service.beta.kubernetes.io/backend-type": "eni", "server-group-type": "Ip" },
            spec: LOCAL,
            facts: { networkPlugin: "terway-edge", clusterType: "edge" },
        }),
        expect: [],
    },
];
