/** Resources of NLBs that a program makes itself, and counts of what stands on one. */
import {
    BACKENDS_TYPE,
    INSTANCE_TYPE,
    NETWORK_GROUP_SERVER_TYPE,
    NETWORK_GROUP_TYPE,
    NETWORK_INSTANCE_TYPE,
    NETWORK_LISTENER_TYPE,
} from "../../types";
import { type Case, inside, resource, UNKNOWN } from "../case";
import { applied, TLS } from "./case";

/** An NLB with a listener before a group, as a program writes them: each knows the other by reference. */
const INSTANCE = resource(NETWORK_INSTANCE_TYPE, { id: "nlb-1" }, { name: "edge" });
const GROUP = resource(NETWORK_GROUP_TYPE, { serverGroupName: "group" }, { name: "group" });
const door = (port: number, more: object = {}) =>
    resource(
        NETWORK_LISTENER_TYPE,
        { loadBalancerId: UNKNOWN, serverGroupId: UNKNOWN, listenerProtocol: "TCP", listenerPort: port, ...more },
        { name: `door-${port}`, origins: { loadBalancerId: [INSTANCE.urn], serverGroupId: [GROUP.urn] } },
    );
const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`i-${index}`, { weight: 100 }]));
const backends = (of: unknown) =>
    resource(
        BACKENDS_TYPE,
        { serverGroupId: UNKNOWN, backends: of },
        { name: "shop/web/tcp-80", origins: { serverGroupId: [GROUP.urn] } },
    );
const server = (serverId: unknown) =>
    resource(
        NETWORK_GROUP_SERVER_TYPE,
        { serverGroupId: UNKNOWN, serverId },
        { name: "server", origins: { serverGroupId: [GROUP.urn] } },
    );
const sharing = (name: string, annotations: object = {}) =>
    applied({ name, annotations: { id: "nlb-1", ...annotations } }, { name });

export const RESOURCES: readonly Case[] = [
    {
        rule: "naming-owner-tags",
        what: "NLB, a cluster's tag",
        given: resource(NETWORK_INSTANCE_TYPE, { tags: { "ack.aliyun.com": "c1" } }),
        expect: [/says that a cluster owns the instance/],
    },
    {
        rule: "naming-owner-tags",
        what: "NLB, on a server group",
        given: resource(NETWORK_GROUP_TYPE, { tags: { "kubernetes.do.not.delete": "a1" } }),
        expect: [/owns the server group/],
    },
    {
        rule: "naming-owner-tags",
        what: "NLB, the user's tags",
        given: resource(NETWORK_GROUP_TYPE, { tags: { team: "a" } }),
        expect: [],
    },
    {
        rule: "naming-owner-tags",
        what: "NLB, a component's group",
        given: inside(resource(NETWORK_GROUP_TYPE, { tags: { "ack.aliyun.com": "c1" } })),
        expect: "not applicable",
    },
    {
        rule: "naming-owner-marks",
        what: "NLB, a Service's listener",
        given: resource(NETWORK_LISTENER_TYPE, { listenerDescription: "k8s.80.TCP.web.shop.c1" }),
        expect: [/the description/],
    },
    {
        rule: "naming-owner-marks",
        what: "NLB, a Service's group",
        given: resource(NETWORK_GROUP_TYPE, { serverGroupName: "k8s.30080.TCP.web.shop.c1" }),
        expect: [/the name/],
    },
    {
        rule: "naming-owner-marks",
        what: "NLB, a Service's server",
        given: resource(NETWORK_GROUP_SERVER_TYPE, { description: "k8s.30080.TCP.web.shop.c1" }),
        expect: [/the description/],
    },
    {
        rule: "naming-owner-marks",
        what: "NLB, the user's",
        given: resource(NETWORK_GROUP_TYPE, { serverGroupName: "k8s.mine" }),
        expect: [],
    },

    {
        rule: "quota-backends",
        what: "NLB, more than a CLB takes",
        given: [INSTANCE, GROUP, door(80), backends(members(400))],
        expect: [],
    },
    {
        rule: "quota-backends",
        what: "NLB, more than its quota, and a group before two of its listeners counts once",
        given: [INSTANCE, GROUP, door(80), door(81), backends(members(400)), server("i-x")],
        expect: [/^instance edge: 401 backends are more than the 400/],
    },
    {
        rule: "quota-backends",
        what: "NLB, a quota of one's own",
        given: [INSTANCE, GROUP, door(80), backends(members(3))],
        config: { networkLimit: 2 },
        expect: [/3 backends are more than the 2/],
    },
    {
        rule: "quota-backends",
        what: "NLB, a group without a listener is behind nothing",
        given: [INSTANCE, GROUP, backends(members(3))],
        config: { networkLimit: 2 },
        expect: [],
    },
    {
        rule: "quota-backends",
        what: "NLB, backends that are not known yet",
        given: [INSTANCE, GROUP, door(80), backends(UNKNOWN)],
        expect: "not known",
    },
    {
        rule: "quota-listeners",
        what: "NLB, more than the quota",
        given: [INSTANCE, GROUP, door(80), door(81)],
        config: { networkLimit: 1 },
        expect: [/^instance edge: 2 listeners/],
    },
    {
        rule: "quota-listeners",
        what: "NLB, a CLB of the same name has a count of its own",
        given: [INSTANCE, resource(INSTANCE_TYPE, { id: "lb-1" }, { name: "edge" }), GROUP, door(80)],
        config: { limit: 0 },
        expect: [],
    },
    {
        rule: "quota-attachments",
        what: "NLB, a machine in too many groups",
        given: [INSTANCE, GROUP, door(80), backends(members(1)), server("i-0")],
        config: { networkLimit: 1 },
        expect: [/more than the 1 server groups of NLB instances that a machine may: i-0 behind 2/],
    },
    {
        rule: "quota-attachments",
        what: "NLB, addresses are no machines",
        given: [INSTANCE, GROUP, door(80), server("10.0.0.1")],
        config: { networkLimit: 0 },
        expect: [],
    },

    {
        rule: "reuse-port-claimed",
        what: "NLB, one port, two Services",
        given: [sharing("web"), sharing("api")],
        expect: [/both use listener tcp:80 of load balancer nlb-1/],
    },
    {
        rule: "reuse-port-claimed",
        what: "NLB, TLS stands on TCP",
        given: [sharing("web", TLS), sharing("api")],
        expect: [/both use listener/],
    },
    {
        rule: "reuse-port-claimed",
        what: "NLB, a range in place of the port",
        given: [sharing("web", { "listener-port-range": "100-200:80" }), sharing("api")],
        expect: [],
    },
    {
        rule: "reuse-port-claimed",
        what: "NLB, a Service and a listener of the program's",
        given: [sharing("web"), INSTANCE, GROUP, door(80)],
        expect: [/\(listener door-80\) both use listener tcp:80 of load balancer edge/],
    },
    {
        rule: "reuse-port-claimed",
        what: "NLB, a listener on another port",
        given: [sharing("web"), INSTANCE, GROUP, door(81)],
        expect: [],
    },
    {
        rule: "reuse-names",
        what: "NLB, a twin in another stack",
        given: [sharing("web")],
        config: { others: ["nlb-1 c2 shop/web"] },
        expect: [/in cluster c2 as well/],
    },
];
