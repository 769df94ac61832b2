/** Services behind an NLB, and NLB resources that a program makes itself: where they are judged otherwise than those of a CLB. */
import { networkCreateOnlyFacts } from "../../provider/build";
import { BACKENDS_TYPE, INSTANCE_TYPE, NETWORK_GROUP_SERVER_TYPE, NETWORK_GROUP_TYPE, NETWORK_INSTANCE_TYPE, NETWORK_LISTENER_TYPE, NETWORK_TLS_POLICY_TYPE } from "../types";
import { type Case, component, contract, inside, plain, resource, type ServiceSpec, UNKNOWN } from "./case";

const ZONES = { "zone-maps": "cn-hangzhou-a:vsw-1,cn-hangzhou-b:vsw-2" };
const CCM_CLASS = "alibabacloud.com/nlb";
const OWN_CLASS = "ack-loadbalancer.io/nlb";

const withNlb = (loadBalancerClass: string, { annotations, spec, ...rest }: ServiceSpec): ServiceSpec => ({
    ...rest,
    annotations: { ...ZONES, ...annotations },
    spec: { loadBalancerClass, ...spec },
});

/** A Service that a program applies, for the Cloud Controller Manager to make an NLB for. */
const applied = (spec: ServiceSpec = {}, more: Parameters<typeof plain>[1] = {}) => plain(withNlb(CCM_CLASS, spec), more);

/** A component whose Service gets an NLB. */
const ours = (spec: NonNullable<Parameters<typeof component>[0]> = {}, more: Parameters<typeof component>[1] = {}) =>
    component({ ...withNlb(OWN_CLASS, spec), ...(spec.facts === undefined ? {} : { facts: spec.facts }) }, more);

const was = (before: ServiceSpec, now: ServiceSpec) => applied(now, { before: applied(before).props });

const LOCAL = { externalTrafficPolicy: "Local" };
const TERWAY = { facts: { networkPlugin: "terway" } } as const;
const TLS = { "protocol-port": "tcpssl:80", "cert-id": "cert-1" };
const ESTABLISHED = networkCreateOnlyFacts({ settings: {} }, { clusterId: "c1" });
const PROTECTED = { deletionProtectionEnabled: true, modificationProtectionStatus: "ConsoleProtection" };

const ANNOTATIONS: readonly Case[] = [
    { rule: "annotations-values", what: "nlb: a value that a CLB has", given: applied({ annotations: { "ip-version": "ipv6" } }), expect: [/"ipv6" is not valid/] },
    { rule: "annotations-values", what: "nlb: a value that only an NLB has", given: applied({ annotations: { scheduler: "wlc", "idle-timeout": "900" } }), expect: [] },
    {
        rule: "annotations-values",
        what: "nlb: one zone is too few",
        given: applied({ annotations: { "zone-maps": "cn-hangzhou-a:vsw-1" } }),
        expect: [/names 1 zone, but an NLB stands in 2/],
    },
    { rule: "annotations-values", what: "nlb: certificates that are not known yet", given: applied({ annotations: { ...TLS, "additional-cert-ids": UNKNOWN } }), expect: [] },
    { rule: "annotations-values", what: "nlb: zones that are not known yet", given: applied({ annotations: { "idle-timeout": UNKNOWN } }), expect: "not known" },
    { rule: "annotations-companions", what: "nlb: no zones", given: plain({ spec: { loadBalancerClass: CCM_CLASS } }), expect: [/an NLB needs .*zone-maps/] },
    { rule: "annotations-companions", what: "nlb: TLS without a certificate", given: applied({ annotations: { "protocol-port": "tcpssl:80" } }), expect: [/needs .*cert-id/] },
    {
        rule: "annotations-exclusions",
        what: "nlb: pods as backends where they have no network interface of their own",
        given: applied({ annotations: { "service.beta.kubernetes.io/backend-type": "eni", "server-group-type": "Ip" } }),
        config: { cluster: { networkPlugin: "flannel" } },
        expect: [/flannel/i],
    },
    {
        rule: "annotations-exclusions",
        what: "nlb: the client's address behind TLS",
        given: applied({ annotations: { ...TLS, "preserve-client-ip": "on" } }),
        expect: [/TCPSSL listeners cannot keep/],
    },
    {
        rule: "annotations-scope",
        what: "nlb: annotations of a CLB are advice",
        given: applied({ annotations: { hostname: "www.example.com", "acl-status": "on" } }),
        expect: [/applies to a CLB only, but the Service gets an NLB/, /acl-status.*applies to a CLB only/],
    },
    {
        rule: "annotations-scope",
        what: "nlb: one of a CLB whose value is not known yet",
        given: applied({ annotations: { "acl-id": UNKNOWN } }),
        expect: [/applies to a CLB only/],
    },
    {
        rule: "annotations-scope",
        what: "clb: annotations of an NLB are advice",
        given: plain({ annotations: { "server-group-type": "Ip" } }),
        expect: [/applies to an NLB only, but the Service gets a CLB/],
    },
    { rule: "annotations-scope", what: "nlb: nothing of a CLB", given: ours(), expect: [] },
    {
        rule: "annotations-version",
        what: "nlb: ranges of ports, before the controller had them",
        given: applied({ annotations: { "listener-port-range": "100-200:80", "service.beta.kubernetes.io/backend-type": "eni" } }),
        config: { cluster: { compatibility: "v2.10.0", networkPlugin: "terway" } },
        expect: [/v2\.11\.4/],
    },
    {
        rule: "annotations-effects",
        what: "nlb: UDP is checked by TCP",
        given: applied({ spec: { ports: [{ port: 53, protocol: "UDP" }] } }),
        expect: [/checked by opening a TCP connection/],
    },
    {
        rule: "annotations-legacy",
        what: "nlb: a component with an old key",
        given: ours({ annotations: { "service.beta.kubernetes.io/alicloud-loadbalancer-scheduler": "wrr" } }),
        expect: [/legacy name/],
    },
    { rule: "annotations-service", what: "nlb: a range that is none", given: applied({ spec: { loadBalancerSourceRanges: ["everybody"] } }), expect: [/is not an address range/] },
    { rule: "backends-unchecked", what: "nlb: switched off", given: applied({ annotations: { "health-check-flag": "off" } }), expect: [/dead ones keep getting traffic/] },
    { rule: "backends-unchecked", what: "nlb: checked by default", given: ours(), expect: [] },
    { rule: "backends-scheduler", what: "nlb: rr and Local", given: applied({ annotations: { scheduler: "rr" }, spec: LOCAL }), expect: [/"rr" does not regard weights/] },
    { rule: "backends-scheduler", what: "nlb: its default regards weights", given: ours({ spec: LOCAL }), expect: [] },
];

const SERVICE: readonly Case[] = [
    { rule: "exposure-open", what: "nlb: open", given: ours(), expect: [/open to the Internet on TCP:80, without a security group\. Remedy: .*or security-group-ids\.$/] },
    { rule: "exposure-open", what: "nlb: open, under the Cloud Controller Manager", given: applied(), expect: [/without a security group/] },
    { rule: "exposure-open", what: "nlb: a security group", given: ours({ annotations: { "security-group-ids": "sg-1" } }), expect: [] },
    { rule: "exposure-open", what: "nlb: source ranges", given: applied({ spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } }), expect: [] },
    { rule: "exposure-open", what: "nlb: a range that holds everybody", given: ours({ spec: { loadBalancerSourceRanges: ["10.0.0.0/8", "0.0.0.0/0"] } }), expect: [/open/] },
    {
        rule: "exposure-open",
        what: "nlb: source ranges of a reused one",
        given: applied({ annotations: { id: "nlb-1" }, spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } }),
        expect: [/open/],
    },
    {
        rule: "exposure-open",
        what: "nlb: an access control list means nothing to it",
        given: applied({ annotations: { "acl-status": "on", "acl-id": "acl-1", "acl-type": "white" } }),
        expect: [/open/],
    },
    { rule: "exposure-open", what: "nlb: internal", given: ours({ annotations: { "address-type": "intranet" } }), expect: [] },
    {
        rule: "exposure-open",
        what: "nlb: internal, but its IPv6 addresses are not",
        given: ours({ annotations: { "address-type": "intranet", "ip-version": "DualStack", "ipv6-address-type": "internet" } }),
        expect: [/open to the Internet over IPv6 on TCP:80/],
    },
    {
        rule: "exposure-open",
        what: "nlb: a range of ports",
        given: ours({ annotations: { "listener-port-range": "100-200:80" }, ...TERWAY }),
        expect: [/on TCP:100-200, without/],
    },
    { rule: "exposure-open", what: "nlb: groups that are not known yet", given: applied({ annotations: { "security-group-ids": UNKNOWN } }), expect: "not known" },
    {
        rule: "exposure-open",
        what: "clb: the Cloud Controller Manager passes over source ranges",
        given: plain({ spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } }),
        expect: [/passes over loadBalancerSourceRanges\. Remedy: .*name who may connect: acl-status/],
    },
    {
        rule: "exposure-open",
        what: "clb: a list of others takes the place of source ranges",
        given: component({ annotations: { "acl-status": "on", "acl-id": "acl-1", "acl-type": "black" }, spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] } }),
        expect: [/open/],
    },

    { rule: "exposure-tls", what: "nlb: the default", given: ours({ annotations: TLS }), expect: [/the TCPSSL listeners speak TLS 1\.0 \(tls_cipher_policy_1_0, the default\)/] },
    { rule: "exposure-tls", what: "nlb: 1.2", given: applied({ annotations: { ...TLS, "tls-cipher-policy": "tls_cipher_policy_1_2" } }), expect: [] },
    { rule: "exposure-tls", what: "nlb: a policy of one's own", given: applied({ annotations: { ...TLS, "tls-cipher-policy": "tls-abc" } }), expect: [] },
    { rule: "exposure-tls", what: "nlb: no TLS at all", given: ours(), expect: [] },
    { rule: "exposure-tls", what: "nlb: not known", given: applied({ annotations: { ...TLS, "tls-cipher-policy": UNKNOWN } }), expect: "not known" },
    {
        rule: "exposure-tls",
        what: "nlb: somebody's listener",
        given: resource(NETWORK_LISTENER_TYPE, { listenerProtocol: "TCPSSL" }),
        expect: [/^Listener one: the TCPSSL listeners speak TLS 1\.0/],
    },
    { rule: "exposure-tls", what: "nlb: somebody's listener without TLS", given: resource(NETWORK_LISTENER_TYPE, { listenerProtocol: "TCP" }), expect: [] },
    { rule: "exposure-tls", what: "nlb: a component's listener", given: inside(resource(NETWORK_LISTENER_TYPE, { listenerProtocol: "TCPSSL" })), expect: "not applicable" },
    {
        rule: "exposure-tls",
        what: "nlb: somebody's policy",
        given: resource(NETWORK_TLS_POLICY_TYPE, { tlsVersions: ["TLSv1.1", "TLSv1.2"] }),
        expect: [/^SecurityPolicy one: listeners with this policy speak TLSv1\.1; at least TLS 1\.2/],
    },
    { rule: "exposure-tls", what: "nlb: somebody's good policy", given: resource(NETWORK_TLS_POLICY_TYPE, { tlsVersions: ["TLSv1.2", "TLSv1.3"] }), expect: [] },

    {
        rule: "protection-critical",
        what: "nlb: unprotected",
        given: ours({ labels: { "ack-loadbalancer.io/critical": "true" }, annotations: { "delete-protection": "off" } }),
        expect: [/deletion protection of its instance is switched off/],
    },
    {
        rule: "protection-critical",
        what: "nlb: the Cloud Controller Manager protects it whatever annotations say",
        given: applied({ labels: { "ack-loadbalancer.io/critical": "true" }, annotations: { "delete-protection": "off" } }),
        expect: [],
    },
    { rule: "protection-switched-off", what: "nlb: a Service", given: ours({ annotations: { "modification-protection": "NonProtection" } }), expect: [/lost at the next run/] },
    { rule: "protection-switched-off", what: "nlb: ignored by the Cloud Controller Manager", given: applied({ annotations: { "delete-protection": "off" } }), expect: [] },
    {
        rule: "protection-switched-off",
        what: "nlb: somebody's instance",
        given: resource(NETWORK_INSTANCE_TYPE, {}),
        expect: [/^LoadBalancer one: deletion protection of the instance is not/, /console/],
    },
    { rule: "protection-switched-off", what: "nlb: somebody's protected instance", given: resource(NETWORK_INSTANCE_TYPE, PROTECTED), expect: [] },
    {
        rule: "protection-switched-off",
        what: "nlb: protected by the older properties",
        given: resource(NETWORK_INSTANCE_TYPE, { deletionProtectionConfig: { enabled: true }, modificationProtectionConfig: { status: "ConsoleProtection" } }),
        expect: [],
    },
    { rule: "protection-switched-off", what: "nlb: not known", given: resource(NETWORK_INSTANCE_TYPE, { ...PROTECTED, deletionProtectionEnabled: UNKNOWN }), expect: "not known" },
    { rule: "protection-switched-off", what: "nlb: a component's instance", given: inside(resource(NETWORK_INSTANCE_TYPE, {})), expect: "not applicable" },

    // An NLB has a DNS name, so that no node takes calls for it.
    ...["access-local", "access-proxy-protocol", "access-http", "access-hostname"].map((rule): Case => ({
        rule,
        what: "nlb: calls from inside go out to it",
        given: ours({ annotations: { "proxy-protocol": "on" }, spec: LOCAL }),
        expect: "not applicable",
    })),

    { rule: "backends-source-address", what: "nlb: Cluster", given: ours(), expect: [/pods see the address of a node/] },
    { rule: "backends-source-address", what: "nlb: Local", given: ours({ spec: LOCAL }), expect: [] },
    { rule: "backends-source-address", what: "nlb: pods behind TLS", given: ours({ annotations: TLS, ...TERWAY }), expect: [/behind TCPSSL listeners/] },
    { rule: "backends-source-address", what: "nlb: pods behind TLS, with Proxy Protocol", given: ours({ annotations: { ...TLS, "proxy-protocol": "on" }, ...TERWAY }), expect: [] },
    {
        rule: "backends-source-address",
        what: "nlb: the address is not kept",
        given: applied({ annotations: { "preserve-client-ip": "off" }, spec: LOCAL }),
        expect: [/preserve-client-ip "off"/],
    },
    { rule: "backends-persistence", what: "nlb: it keeps no sessions", given: ours({ annotations: { "persistence-timeout": "60" } }), expect: [] },
    {
        rule: "backends-node-ports",
        what: "nlb: a node port among the local ones",
        given: applied({ spec: { ports: [{ port: 80, nodePort: 32768 }] } }),
        expect: [/node port 32768 of port 80/],
    },
    {
        rule: "edge-cluster-policy",
        what: "nlb: nodes that forward, with Local",
        given: ours({ labels: { "ack-loadbalancer.io/edge": "ens" }, spec: LOCAL }),
        expect: [/leaves out the ECS instances that forward/],
    },
    {
        rule: "edge-cluster-policy",
        what: "nlb: pods that are reached by address, with Local",
        given: ours({
            labels: { "ack-loadbalancer.io/edge": "ens" },
            annotations: { "service.beta.kubernetes.io/backend-type": "eni", "server-group-type": "Ip" },
            spec: LOCAL,
            facts: { networkPlugin: "terway-edge", clusterType: "edge" },
        }),
        expect: [],
    },
];

const CHANGES: readonly Case[] = [
    {
        rule: "lifecycle-type",
        what: "nlb: annotations of an NLB without effect",
        given: plain({ annotations: ZONES, spec: { type: "ClusterIP" } }),
        expect: [/its type is ClusterIP/],
    },
    {
        rule: "lifecycle-type",
        what: "nlb: it loses its load balancer",
        given: was({}, { spec: { type: "ClusterIP" } }),
        expect: [/changes from LoadBalancer to ClusterIP.*is deleted with it/],
    },
    { rule: "lifecycle-preserve", what: "nlb: as meant", given: ours({ annotations: { "preserve-lb-on-delete": "true" } }), expect: [] },
    {
        rule: "immutability-create-only",
        what: "nlb: what the contract recorded",
        given: contract({ established: ESTABLISHED, requested: { ...ESTABLISHED, ipVersion: "DualStack" } }),
        expect: [/ipVersion cannot change from "ipv4" to "DualStack"/],
    },
    {
        rule: "immutability-create-only",
        what: "a CLB becomes an NLB",
        given: contract({ established: { loadBalancerType: "clb", addressType: "internet", clusterId: "c1" }, requested: ESTABLISHED }),
        expect: [/^Service shop\/web: loadBalancerType cannot change from "clb" to "nlb"/],
    },
    {
        rule: "immutability-create-only",
        what: "a CLB of the Cloud Controller Manager becomes an NLB, in a saved preview",
        given: applied({}, { before: plain().props }),
        expect: [/loadBalancerType cannot change from "clb" to "nlb".*Remedy: put loadBalancerType back/],
    },
    {
        rule: "immutability-create-only",
        what: "an NLB becomes a CLB, in a saved preview",
        given: plain({}, { before: applied().props }),
        expect: [/loadBalancerType cannot change from "nlb" to "clb"/],
    },
    {
        rule: "immutability-create-only",
        what: "nlb: the IP version, in a saved preview",
        given: was({}, { annotations: { "ip-version": "DualStack" } }),
        expect: [/ipVersion cannot change/],
    },
    { rule: "immutability-create-only", what: "nlb: its address type is not fixed", given: was({}, { annotations: { "address-type": "intranet" } }), expect: [] },
    {
        rule: "change-interrupts",
        what: "nlb: address type, zones and a range of ports",
        given: was({}, { annotations: { "address-type": "intranet", "zone-maps": "cn-hangzhou-a:vsw-9,cn-hangzhou-c:vsw-3", "listener-port-range": "1-9:80" } }),
        expect: [
            /addressType changes from "internet" to "intranet": who reached/,
            /zone cn-hangzhou-a changes from "vsw-1" to "vsw-9"/,
            /zone cn-hangzhou-b is given up/,
            /listener TCP:80 changes from "tcp" to "tcp, on ports 1-9"/,
        ],
    },
    { rule: "change-interrupts", what: "nlb: one zone more", given: was({}, { annotations: { "zone-maps": `${ZONES["zone-maps"]},cn-hangzhou-c:vsw-3` } }), expect: [] },
    { rule: "change-interrupts", what: "another kind of load balancer is another rule's matter", given: plain({}, { before: applied().props }), expect: [] },
    { rule: "reuse-changed", what: "nlb: another id", given: was({ annotations: { id: "nlb-1" } }, { annotations: { id: "nlb-2" } }), expect: [/from "nlb-1" to "nlb-2"/] },
    {
        rule: "reuse-force-override",
        what: "nlb: asked for",
        given: applied({ annotations: { id: "nlb-1", "force-override-listeners": "true" } }),
        expect: [/port 80 of load balancer nlb-1 is replaced/],
    },
    { rule: "reuse-api-server", what: "nlb: on the list", given: applied({ annotations: { id: "nlb-1" } }), config: { denied: ["nlb-*"] }, expect: [/on the list of instances/] },
];

/** An NLB with a listener before a group, as a program writes them: each knows the other by reference. */
const INSTANCE = resource(NETWORK_INSTANCE_TYPE, { id: "nlb-1" }, { name: "edge" });
const GROUP = resource(NETWORK_GROUP_TYPE, { serverGroupName: "group" }, { name: "group" });
const door = (port: number, more: object = {}) =>
    resource(
        NETWORK_LISTENER_TYPE,
        { loadBalancerId: UNKNOWN, serverGroupId: UNKNOWN, listenerProtocol: "TCP", listenerPort: port, ...more },
        { name: `door-${port}`, origins: { loadBalancerId: [INSTANCE.urn], serverGroupId: [GROUP.urn] } },
    );
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`i-${index}`, { weight: 100 }]));
const backends = (of: unknown) => resource(BACKENDS_TYPE, { serverGroupId: UNKNOWN, backends: of }, { name: "shop/web/tcp-80", origins: { serverGroupId: [GROUP.urn] } });
const server = (serverId: unknown) => resource(NETWORK_GROUP_SERVER_TYPE, { serverGroupId: UNKNOWN, serverId }, { name: "server", origins: { serverGroupId: [GROUP.urn] } });
const sharing = (name: string, annotations: object = {}) => applied({ name, annotations: { id: "nlb-1", ...annotations } }, { name });

const RESOURCES: readonly Case[] = [
    {
        rule: "naming-owner-tags",
        what: "nlb: a cluster's tag",
        given: resource(NETWORK_INSTANCE_TYPE, { tags: { "ack.aliyun.com": "c1" } }),
        expect: [/says that a cluster owns the instance/],
    },
    {
        rule: "naming-owner-tags",
        what: "nlb: on a server group",
        given: resource(NETWORK_GROUP_TYPE, { tags: { "kubernetes.do.not.delete": "a1" } }),
        expect: [/owns the server group/],
    },
    { rule: "naming-owner-tags", what: "nlb: the user's tags", given: resource(NETWORK_GROUP_TYPE, { tags: { team: "a" } }), expect: [] },
    { rule: "naming-owner-tags", what: "nlb: a component's group", given: inside(resource(NETWORK_GROUP_TYPE, { tags: { "ack.aliyun.com": "c1" } })), expect: "not applicable" },
    {
        rule: "naming-owner-marks",
        what: "nlb: a Service's listener",
        given: resource(NETWORK_LISTENER_TYPE, { listenerDescription: "k8s.80.TCP.web.shop.c1" }),
        expect: [/the description/],
    },
    { rule: "naming-owner-marks", what: "nlb: a Service's group", given: resource(NETWORK_GROUP_TYPE, { serverGroupName: "k8s.30080.TCP.web.shop.c1" }), expect: [/the name/] },
    {
        rule: "naming-owner-marks",
        what: "nlb: a Service's server",
        given: resource(NETWORK_GROUP_SERVER_TYPE, { description: "k8s.30080.TCP.web.shop.c1" }),
        expect: [/the description/],
    },
    { rule: "naming-owner-marks", what: "nlb: the user's", given: resource(NETWORK_GROUP_TYPE, { serverGroupName: "k8s.mine" }), expect: [] },

    { rule: "quota-backends", what: "nlb: more than a CLB takes", given: [INSTANCE, GROUP, door(80), backends(members(400))], expect: [] },
    {
        rule: "quota-backends",
        what: "nlb: more than its quota, and a group before two of its listeners counts once",
        given: [INSTANCE, GROUP, door(80), door(81), backends(members(400)), server("i-x")],
        expect: [/^instance edge: 401 backends are more than the 400/],
    },
    {
        rule: "quota-backends",
        what: "nlb: a quota of one's own",
        given: [INSTANCE, GROUP, door(80), backends(members(3))],
        config: { networkLimit: 2 },
        expect: [/3 backends are more than the 2/],
    },
    { rule: "quota-backends", what: "nlb: a group without a listener is behind nothing", given: [INSTANCE, GROUP, backends(members(3))], config: { networkLimit: 2 }, expect: [] },
    { rule: "quota-backends", what: "nlb: backends that are not known yet", given: [INSTANCE, GROUP, door(80), backends(UNKNOWN)], expect: "not known" },
    {
        rule: "quota-listeners",
        what: "nlb: more than the quota",
        given: [INSTANCE, GROUP, door(80), door(81)],
        config: { networkLimit: 1 },
        expect: [/^instance edge: 2 listeners/],
    },
    {
        rule: "quota-listeners",
        what: "nlb: a CLB of the same name has a count of its own",
        given: [INSTANCE, resource(INSTANCE_TYPE, { id: "lb-1" }, { name: "edge" }), GROUP, door(80)],
        config: { limit: 0 },
        expect: [],
    },
    {
        rule: "quota-attachments",
        what: "nlb: a machine in too many groups",
        given: [INSTANCE, GROUP, door(80), backends(members(1)), server("i-0")],
        config: { networkLimit: 1 },
        expect: [/more than the 1 server groups of NLB instances that a machine may: i-0 behind 2/],
    },
    { rule: "quota-attachments", what: "nlb: addresses are no machines", given: [INSTANCE, GROUP, door(80), server("10.0.0.1")], config: { networkLimit: 0 }, expect: [] },

    { rule: "reuse-port-claimed", what: "nlb: one port, two Services", given: [sharing("web"), sharing("api")], expect: [/both use listener tcp:80 of load balancer nlb-1/] },
    { rule: "reuse-port-claimed", what: "nlb: TLS stands on TCP", given: [sharing("web", TLS), sharing("api")], expect: [/both use listener/] },
    { rule: "reuse-port-claimed", what: "nlb: a range in place of the port", given: [sharing("web", { "listener-port-range": "100-200:80" }), sharing("api")], expect: [] },
    {
        rule: "reuse-port-claimed",
        what: "nlb: a Service and a listener of the program's",
        given: [sharing("web"), INSTANCE, GROUP, door(80)],
        expect: [/\(listener door-80\) both use listener tcp:80 of load balancer edge/],
    },
    { rule: "reuse-port-claimed", what: "nlb: a listener on another port", given: [sharing("web"), INSTANCE, GROUP, door(81)], expect: [] },
    { rule: "reuse-names", what: "nlb: a twin in another stack", given: [sharing("web")], config: { others: ["nlb-1 c2 shop/web"] }, expect: [/in cluster c2 as well/] },
];

export const NETWORK: readonly Case[] = [...ANNOTATIONS, ...SERVICE, ...CHANGES, ...RESOURCES];
