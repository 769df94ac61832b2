import { CONTRACT_TYPE } from "../types";
import { type Case, component, contract, plain, resource, UNKNOWN } from "./case";

const PRESERVED = { annotations: { "preserve-lb-on-delete": "true" } };
const FINALIZER = "service.k8s.alibaba/resources";
const ESTABLISHED = { addressType: "internet", clusterId: "c1", loadBalancerType: "clb" };
const changed = (more: object, before: object = {}) =>
    contract({ established: { ...ESTABLISHED, ...before }, requested: { ...ESTABLISHED, ...before, ...more } });
const was = (spec: Parameters<typeof plain>[0], now: Parameters<typeof plain>[0]) =>
    plain(now, { before: plain(spec).props });

export const LIFECYCLE: readonly Case[] = [
    {
        rule: "lifecycle-type",
        what: "annotations without effect",
        given: plain({ annotations: { scheduler: "wrr" }, spec: { type: "ClusterIP" } }),
        expect: [/its type is ClusterIP/],
    },
    {
        rule: "lifecycle-type",
        what: "a Service inside the cluster",
        given: plain({ spec: { type: "ClusterIP" } }),
        expect: [],
    },
    { rule: "lifecycle-type", what: "a load balancer", given: plain(), expect: [] },
    {
        rule: "lifecycle-type",
        what: "it loses its load balancer",
        given: was({}, { spec: { type: "NodePort" } }),
        expect: [/changes from LoadBalancer to NodePort.*is deleted with it/],
    },
    {
        rule: "lifecycle-type",
        what: "it leaves a reused one",
        given: was({ annotations: { id: "lb-1" } }, { annotations: { id: "lb-1" }, spec: { type: "ClusterIP" } }),
        expect: [/which stays/],
    },
    { rule: "lifecycle-type", what: "another resource", given: resource("a:b:C", {}), expect: "not applicable" },
    {
        rule: "lifecycle-type",
        what: "not known",
        given: plain({ annotations: { scheduler: UNKNOWN }, spec: { type: "ClusterIP" } }),
        expect: "not known",
    },

    {
        rule: "lifecycle-preserve",
        what: "the type is changed instead",
        given: plain({ ...PRESERVED, spec: { type: "ClusterIP" } }),
        expect: [/preserve-lb-on-delete is set, but the type is ClusterIP/],
    },
    {
        rule: "lifecycle-preserve",
        what: "a text that sounds like no",
        given: plain({ annotations: { "preserve-lb-on-delete": "false" } }),
        expect: [/any text preserves the instance, even "false"/],
    },
    { rule: "lifecycle-preserve", what: "as meant", given: component(PRESERVED), expect: [] },
    { rule: "lifecycle-preserve", what: "another resource", given: resource("a:b:C", {}), expect: "not applicable" },
    {
        rule: "lifecycle-preserve",
        what: "not known",
        given: plain({ annotations: { "preserve-lb-on-delete": UNKNOWN }, spec: { type: "ClusterIP" } }),
        expect: "not known",
    },

    {
        rule: "lifecycle-finalizers",
        what: "the controller's is left out",
        given: plain({ finalizers: ["example.com/mine"] }),
        expect: [/leaves out "service\.k8s\.alibaba\/resources"/],
    },
    {
        rule: "lifecycle-finalizers",
        what: "that of an NLB is left out",
        given: plain({ finalizers: [FINALIZER], spec: { loadBalancerClass: "alibabacloud.com/nlb" } }),
        expect: [/leaves out "service\.k8s\.alibaba\/nlb"/],
    },
    {
        rule: "lifecycle-finalizers",
        what: "it is kept",
        given: plain({ finalizers: [FINALIZER, "example.com/mine"] }),
        expect: [],
    },
    { rule: "lifecycle-finalizers", what: "none are listed", given: plain(), expect: [] },
    {
        rule: "lifecycle-finalizers",
        what: "they were there before",
        given: was({ finalizers: [FINALIZER] }, {}),
        expect: [/leaves out/],
    },
    {
        rule: "lifecycle-finalizers",
        what: "this package needs none",
        given: component({ finalizers: ["example.com/mine"] }),
        expect: [],
    },
    { rule: "lifecycle-finalizers", what: "another resource", given: resource("a:b:C", {}), expect: "not applicable" },
    { rule: "lifecycle-finalizers", what: "not known", given: plain({ finalizers: [UNKNOWN] }), expect: "not known" },

    {
        rule: "lifecycle-twice",
        what: "two descriptions",
        given: [component(), component({}, { name: "again" })],
        expect: [/^Service shop\/web: the Service is described twice\.$/],
    },
    {
        rule: "lifecycle-twice",
        what: "two clusters",
        given: [component(), component({ facts: { clusterId: "c2" } })],
        expect: [],
    },
    { rule: "lifecycle-twice", what: "two Services", given: [component(), component({ name: "api" })], expect: [] },
    { rule: "lifecycle-twice", what: "not known", given: [plain({ name: UNKNOWN }), component()], expect: "not known" },

    {
        rule: "immutability-create-only",
        what: "another address type",
        given: changed({ addressType: "intranet" }),
        expect: [
            /^Service shop\/web: addressType cannot change from "internet" to "intranet".*Remedy: put addressType back to "internet".+\.$/,
        ],
    },
    {
        rule: "immutability-create-only",
        what: "several at once",
        given: changed({ ipVersion: "ipv6", masterZoneid: "z2" }, { ipVersion: "ipv4", masterZoneid: "z1" }),
        expect: [/^Service shop\/web: ipVersion/, /^Service shop\/web: masterZoneid/],
    },
    {
        rule: "immutability-create-only",
        what: "excepted",
        given: changed({ addressType: "intranet" }),
        config: { except: ["shop/web"] },
        expect: [],
    },
    {
        rule: "immutability-create-only",
        what: "another one excepted",
        given: changed({ addressType: "intranet" }),
        config: { except: ["shop/other"] },
        expect: [/addressType/],
    },
    { rule: "immutability-create-only", what: "nothing changes", given: changed({}), expect: [] },
    {
        rule: "immutability-create-only",
        what: "the first time",
        given: contract({ requested: ESTABLISHED }),
        expect: [],
    },
    {
        rule: "immutability-create-only",
        what: "a saved preview of somebody's Service",
        given: was({}, { annotations: { "address-type": "intranet" } }),
        expect: [/addressType cannot change/],
    },
    {
        rule: "immutability-create-only",
        what: "a Service that was none of ours before",
        given: was({ spec: { type: "ClusterIP" } }, { annotations: { "address-type": "intranet" } }),
        expect: [],
    },
    {
        rule: "immutability-create-only",
        what: "another resource",
        given: resource("a:b:C", {}),
        expect: "not applicable",
    },
    {
        rule: "immutability-create-only",
        what: "not known",
        given: changed({ vswitchId: UNKNOWN }, { vswitchId: "vsw-1" }),
        expect: "not known",
    },

    {
        rule: "change-interrupts",
        what: "Proxy Protocol is switched on",
        given: contract({
            disruptiveBefore: { proxyProtocol: "off", "listener TCP:80": "tcp" },
            disruptive: { proxyProtocol: "on", "listener TCP:80": "tcp" },
        }),
        expect: [
            /^Service shop\/web: proxyProtocol changes from "off" to "on": Proxy Protocol cannot be switched while traffic flows/,
        ],
    },
    {
        rule: "change-interrupts",
        what: "a listener changes its protocol and the backends their kind",
        given: contract({
            disruptiveBefore: { "listener TCP:80": "tcp", backendType: "ecs" },
            disruptive: { "listener TCP:80": "http", backendType: "eni" },
        }),
        expect: [
            /listener TCP:80 changes from "tcp" to "http": the listener is deleted/,
            /backendType changes from "ecs" to "eni"/,
        ],
    },
    {
        rule: "change-interrupts",
        what: "ports come and go",
        given: contract({ disruptiveBefore: { "listener TCP:80": "tcp" }, disruptive: { "listener TCP:81": "tcp" } }),
        expect: [],
    },
    {
        rule: "change-interrupts",
        what: "the first time",
        given: contract({ disruptive: { proxyProtocol: "on" } }),
        expect: [],
    },
    {
        rule: "change-interrupts",
        what: "a saved preview",
        given: was({}, { annotations: { "proxy-protocol": "on" } }),
        expect: [/proxyProtocol changes/],
    },
    { rule: "change-interrupts", what: "another resource", given: resource("a:b:C", {}), expect: "not applicable" },
    {
        rule: "change-interrupts",
        what: "not known",
        given: resource(CONTRACT_TYPE, { disruptiveBefore: { proxyProtocol: "off" }, disruptive: UNKNOWN }),
        expect: "not known",
    },
];
