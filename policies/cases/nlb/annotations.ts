/** What reading the annotations of an NLB finds. */
import { type Case, plain, UNKNOWN } from "../case";
import { applied, CCM_CLASS, LOCAL, ours, TLS } from "./case";

export const ANNOTATIONS: readonly Case[] = [
    {
        rule: "annotations-values",
        what: "NLB, a value that a CLB has",
        given: applied({ annotations: { "ip-version": "ipv6" } }),
        expect: [/"ipv6" is not valid/],
    },
    {
        rule: "annotations-values",
        what: "NLB, a value that only an NLB has",
        given: applied({ annotations: { scheduler: "wlc", "idle-timeout": "900" } }),
        expect: [],
    },
    {
        rule: "annotations-values",
        what: "NLB, one zone is too few",
        given: applied({ annotations: { "zone-maps": "cn-hangzhou-a:vsw-1" } }),
        expect: [/names 1 zone, but an NLB stands in 2/],
    },
    {
        rule: "annotations-values",
        what: "NLB, certificates that are not known yet",
        given: applied({ annotations: { ...TLS, "additional-cert-ids": UNKNOWN } }),
        expect: [],
    },
    {
        rule: "annotations-values",
        what: "NLB, zones that are not known yet",
        given: applied({ annotations: { "idle-timeout": UNKNOWN } }),
        expect: "not known",
    },
    {
        rule: "annotations-companions",
        what: "NLB, no zones",
        given: plain({ spec: { loadBalancerClass: CCM_CLASS } }),
        expect: [/an NLB needs .*zone-maps/],
    },
    {
        rule: "annotations-companions",
        what: "NLB, TLS without a certificate",
        given: applied({ annotations: { "protocol-port": "tcpssl:80" } }),
        expect: [/needs .*cert-id/],
    },
    {
        rule: "annotations-exclusions",
        what: "NLB, pods as backends where they have no network interface of their own",
        given: applied({
            annotations: { "service.beta.kubernetes.io/backend-type": "eni", "server-group-type": "Ip" },
        }),
        config: { cluster: { networkPlugin: "flannel" } },
        expect: [/flannel/i],
    },
    {
        rule: "annotations-exclusions",
        what: "NLB, the client's address behind TLS",
        given: applied({ annotations: { ...TLS, "preserve-client-ip": "on" } }),
        expect: [/TCPSSL listeners cannot keep/],
    },
    {
        rule: "annotations-scope",
        what: "NLB, annotations of a CLB are advice",
        given: applied({ annotations: { hostname: "www.example.com", "acl-status": "on" } }),
        expect: [/applies to a CLB only, but the Service gets an NLB/, /acl-status.*applies to a CLB only/],
    },
    {
        rule: "annotations-scope",
        what: "NLB, one of a CLB whose value is not known yet",
        given: applied({ annotations: { "acl-id": UNKNOWN } }),
        expect: [/applies to a CLB only/],
    },
    {
        rule: "annotations-scope",
        what: "CLB, annotations of an NLB are advice",
        given: plain({ annotations: { "server-group-type": "Ip" } }),
        expect: [/applies to an NLB only, but the Service gets a CLB/],
    },
    { rule: "annotations-scope", what: "NLB, nothing of a CLB", given: ours(), expect: [] },
    {
        rule: "annotations-version",
        what: "NLB, ranges of ports, before the controller had them",
        given: applied({
            annotations: { "listener-port-range": "100-200:80", "service.beta.kubernetes.io/backend-type": "eni" },
        }),
        config: { cluster: { compatibility: "v2.10.0", networkPlugin: "terway" } },
        expect: [/v2\.11\.4/],
    },
    {
        rule: "annotations-effects",
        what: "NLB, UDP is checked by TCP",
        given: applied({ spec: { ports: [{ port: 53, protocol: "UDP" }] } }),
        expect: [/checked by opening a TCP connection/],
    },
    {
        rule: "annotations-legacy",
        what: "NLB, a component with an old key",
        given: ours({ annotations: { "service.beta.kubernetes.io/alicloud-loadbalancer-scheduler": "wrr" } }),
        expect: [/legacy name/],
    },
    {
        rule: "annotations-service",
        what: "NLB, a range that is none",
        given: applied({ spec: { loadBalancerSourceRanges: ["everybody"] } }),
        expect: [/is not an address range/],
    },
    {
        rule: "backends-unchecked",
        what: "NLB, switched off",
        given: applied({ annotations: { "health-check-flag": "off" } }),
        expect: [/dead ones keep getting traffic/],
    },
    { rule: "backends-unchecked", what: "NLB, checked by default", given: ours(), expect: [] },
    {
        rule: "backends-scheduler",
        what: "NLB, rr and Local",
        given: applied({ annotations: { scheduler: "rr" }, spec: LOCAL }),
        expect: [/"rr" does not regard weights/],
    },
    { rule: "backends-scheduler", what: "NLB, its default regards weights", given: ours({ spec: LOCAL }), expect: [] },
];
