import type { ExistingInstance, ReuseWish } from "../../provider/model/instance";
import { WISH } from "../../provider/plan/reuse/testing";
import { INSTANCE_TYPE, LISTENER_TYPE } from "../types";
import { type Case, contract, plain, resource, UNKNOWN } from "./case";

const FOUND: ExistingInstance = {
    id: "lb-1",
    address: "47.0.0.1",
    addressType: "internet",
    ipVersion: "ipv4",
    tags: {},
    listeners: [],
    serverGroups: [],
};

const reusing = (wish: Partial<ReuseWish>, found: Partial<ExistingInstance> | undefined) =>
    contract({
        reuse: { wish: { ...WISH, ...wish }, ...(found === undefined ? {} : { found: { ...FOUND, ...found } }) },
    });

/** What each rule says of an instance that was looked up. */
const VERDICTS: readonly [
    rule: string,
    what: string,
    wish: Partial<ReuseWish>,
    found: Partial<ExistingInstance> | undefined,
    message: RegExp,
][] = [
    [
        "reuse-missing-instance",
        "no such instance",
        {},
        undefined,
        /^Service shop\/web: there is no load balancer lb-1 in this region\. Remedy: correct/,
    ],
    [
        "reuse-made-by-cluster",
        "a cluster's mark",
        {},
        { tags: { "ack.aliyun.com": "c9" } },
        /was made by a cluster and cannot be reused/,
    ],
    [
        "reuse-api-server",
        "the API server's port",
        {},
        { listeners: [{ protocol: "tcp", port: 6443, description: "" }] },
        /listens on tcp:6443/,
    ],
    ["reuse-api-server", "on the cluster's list", { denied: ["lb-1"] }, {}, /on the list of instances/],
    [
        "reuse-other-vpc",
        "another VPC",
        { addressType: "intranet" },
        { addressType: "intranet", vpcId: "vpc-2" },
        /a CLB cannot be reused across VPCs/,
    ],
    [
        "reuse-address-type",
        "another address type",
        {},
        { addressType: "intranet" },
        /has the address type intranet, but the Service asks for internet/,
    ],
    ["reuse-address-type", "another IP version", {}, { ipVersion: "ipv6" }, /has the IP version ipv6/],
    ["reuse-unfit-instance", "locked", {}, { status: "locked" }, /is locked by the cloud/],
    ["reuse-unfit-instance", "bound to another address", { boundTo: ["47.0.0.9"] }, {}, /is bound to 47\.0\.0\.9/],
    [
        "reuse-occupied",
        "another Service's listener",
        {},
        { listeners: [{ protocol: "tcp", port: 80, description: "k8s/80/api/shop/c1" }] },
        /belongs to another Service/,
    ],
    [
        "reuse-occupied",
        "the same name in another cluster",
        {},
        { serverGroups: [{ id: "rsp-1", name: "k8s/30080/web/shop/c2" }] },
        /of another cluster already/,
    ],
    [
        "reuse-groups",
        "no such group",
        { joinedGroups: [{ vgroupId: "rsp-1", port: 80 }] },
        {},
        /has no vServer group rsp-1/,
    ],
    [
        "reuse-groups",
        "a server group of an NLB that holds something else",
        { loadBalancerType: "nlb", groupType: "Ip", joinedGroups: [{ vgroupId: "sgp-1", port: 80 }] },
        { serverGroups: [{ id: "sgp-1", name: "mine", type: "Instance" }] },
        /holds members of type Instance, but the Service's are of type Ip/,
    ],
    [
        "reuse-consequences",
        "an NLB in another VPC",
        { loadBalancerType: "nlb", crossesVpcs: true },
        { vpcId: "vpc-2" },
        /is in vpc-2, but the cluster is in vpc-1: server groups are made in vpc-2/,
    ],
    [
        "reuse-force-override",
        "somebody's listener",
        {},
        { listeners: [{ protocol: "http", port: 80, description: "mine" }] },
        /will be replaced, with an interruption/,
    ],
    [
        "reuse-consequences",
        "listeners that nobody manages",
        { manageListeners: false },
        {},
        /for tcp:80 only vServer groups and their backends are/,
    ],
    [
        "reuse-consequences",
        "attributes that change",
        { attributes: { name: "mine" } },
        { name: "theirs" },
        /will be changed: name "theirs" => "mine"/,
    ],
];

const sharing = (name: string, annotations: object = {}, more: Parameters<typeof plain>[0] = {}) =>
    plain({ name, annotations: { id: "lb-1", ...annotations }, ...more }, { name });

export const REUSE: readonly Case[] = [
    ...VERDICTS.flatMap(([rule, what, wish, found, message]): Case[] => [
        { rule, what, given: reusing(wish, found), expect: [message] },
    ]),
    ...[...new Set(VERDICTS.map(([rule]) => rule))].flatMap((rule): Case[] => [
        { rule, what: "an instance in order", given: reusing({}, {}), expect: [] },
        { rule, what: "an instance of its own", given: contract({}), expect: [] },
        { rule, what: "another resource", given: resource("a:b:C", {}), expect: "not applicable" },
        { rule, what: "an instance that is not known yet", given: contract({ reuse: UNKNOWN }), expect: "not known" },
        {
            rule,
            what: "an id that is not known yet",
            given: contract({ reuse: { wish: { ...WISH, loadBalancerId: UNKNOWN }, found: FOUND } }),
            expect: "not known",
        },
    ]),

    {
        rule: "reuse-changed",
        what: "added",
        given: contract({ established: {}, requested: { id: "lb-1" } }),
        expect: [/^Service shop\/web: id cannot change from unset to "lb-1": a Service stays bound to its instance/],
    },
    {
        rule: "reuse-changed",
        what: "removed",
        given: contract({ established: { id: "lb-1" }, requested: {} }),
        expect: [/from "lb-1" to unset/],
    },
    {
        rule: "reuse-changed",
        what: "kept",
        given: contract({ established: { id: "lb-1" }, requested: { id: "lb-1" } }),
        expect: [],
    },
    {
        rule: "reuse-changed",
        what: "another setting",
        given: contract({ established: { addressType: "internet" }, requested: { addressType: "intranet" } }),
        expect: [],
    },
    {
        rule: "reuse-changed",
        what: "a saved preview",
        given: sharing("web", {}, {}) && plain({ annotations: { id: "lb-2" } }, { before: sharing("web").props }),
        expect: [/from "lb-1" to "lb-2"/],
    },
    { rule: "reuse-changed", what: "another resource", given: resource("a:b:C", {}), expect: "not applicable" },
    {
        rule: "reuse-changed",
        what: "not known",
        given: contract({ established: { id: "lb-1" }, requested: { id: UNKNOWN } }),
        expect: "not known",
    },

    {
        rule: "reuse-port-claimed",
        what: "one port, two Services",
        given: [sharing("web"), sharing("api")],
        expect: [
            /^load balancer lb-1: Services shop\/web and shop\/api both use listener tcp:80 of load balancer lb-1\. Remedy: /,
        ],
    },
    {
        rule: "reuse-port-claimed",
        what: "as a preview shows them, with node ports that the cluster has given",
        given: [sharing("web", {}, { spec: { ports: [{ port: 80, nodePort: 32769 }] } }), sharing("api")],
        expect: [/both use listener/],
    },
    {
        rule: "reuse-port-claimed",
        what: "two ports",
        given: [sharing("web"), sharing("api", {}, { spec: { ports: [{ port: 81 }] } })],
        expect: [],
    },
    {
        rule: "reuse-port-claimed",
        what: "two instances",
        given: [sharing("web"), sharing("api", { id: "lb-2" })],
        expect: [],
    },
    {
        rule: "reuse-port-claimed",
        what: "TCP and UDP",
        given: [sharing("web"), sharing("api", {}, { spec: { ports: [{ port: 80, protocol: "UDP" }] } })],
        expect: [],
    },
    {
        rule: "reuse-port-claimed",
        what: "one group of the user's",
        given: [sharing("web", { "vgroup-port": "rsp-1:80" }), sharing("api", { "vgroup-port": "rsp-1:80" })],
        expect: [],
    },
    {
        rule: "reuse-port-claimed",
        what: "Services with instances of their own",
        given: [plain({ name: "web" }), plain({ name: "api" })],
        expect: [],
    },
    {
        rule: "reuse-port-claimed",
        what: "a Service and a listener of the program's, joined by the instance's id",
        given: [
            sharing("web"),
            resource(INSTANCE_TYPE, { id: "lb-1" }, { name: "edge" }),
            resource(
                LISTENER_TYPE,
                { loadBalancerId: UNKNOWN, protocol: "http", frontendPort: 80 },
                { name: "door", origins: { loadBalancerId: [`urn:pulumi:dev::test::${INSTANCE_TYPE}::edge`] } },
            ),
        ],
        expect: [/Services shop\/web and \(listener door\) both use listener tcp:80 of load balancer edge/],
    },
    {
        rule: "reuse-port-claimed",
        what: "excepted",
        given: [sharing("web"), sharing("api")],
        config: { except: ["shop/api"] },
        expect: [],
    },
    {
        rule: "reuse-port-claimed",
        what: "an id that is not known yet",
        given: [sharing("web", { id: UNKNOWN })],
        expect: "not known",
    },

    {
        rule: "reuse-names",
        what: "a twin in another stack",
        given: [sharing("web")],
        config: { others: ["lb-1 c2 shop/web"] },
        expect: [/^Service shop\/web: load balancer lb-1 serves a Service of this namespace and name in cluster c2/],
    },
    {
        rule: "reuse-names",
        what: "another name in another stack",
        given: [sharing("web")],
        config: { others: ["lb-1 c2 shop/api", "lb-2 c2 shop/web"] },
        expect: [],
    },
    { rule: "reuse-names", what: "nobody else", given: [sharing("web")], expect: [] },
    {
        rule: "reuse-names",
        what: "an id that is not known yet",
        given: [sharing("web", { id: UNKNOWN })],
        expect: "not known",
    },
];
