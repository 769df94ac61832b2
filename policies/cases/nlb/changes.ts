/** What of an NLB may change, and at what price. */
import { networkCreateOnlyFacts } from "../../../provider/build";
import { type Case, contract, plain } from "../case";
import { applied, ours, was, ZONES } from "./case";

const ESTABLISHED = networkCreateOnlyFacts({ settings: {} }, { clusterId: "c1" });

export const CHANGES: readonly Case[] = [
    {
        rule: "lifecycle-type",
        what: "NLB, annotations of an NLB without effect",
        given: plain({ annotations: ZONES, spec: { type: "ClusterIP" } }),
        expect: [/its type is ClusterIP/],
    },
    {
        rule: "lifecycle-type",
        what: "NLB, it loses its load balancer",
        given: was({}, { spec: { type: "ClusterIP" } }),
        expect: [/changes from LoadBalancer to ClusterIP.*is deleted with it/],
    },
    {
        rule: "lifecycle-preserve",
        what: "NLB, as meant",
        given: ours({ annotations: { "preserve-lb-on-delete": "true" } }),
        expect: [],
    },
    {
        rule: "immutability-create-only",
        what: "NLB, what the contract recorded",
        given: contract({ established: ESTABLISHED, requested: { ...ESTABLISHED, ipVersion: "DualStack" } }),
        expect: [/ipVersion cannot change from "ipv4" to "DualStack"/],
    },
    {
        rule: "immutability-create-only",
        what: "a CLB becomes an NLB",
        given: contract({
            established: { loadBalancerType: "clb", addressType: "internet", clusterId: "c1" },
            requested: ESTABLISHED,
        }),
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
        what: "NLB, the IP version, in a saved preview",
        given: was({}, { annotations: { "ip-version": "DualStack" } }),
        expect: [/ipVersion cannot change/],
    },
    {
        rule: "immutability-create-only",
        what: "NLB, its address type is not fixed",
        given: was({}, { annotations: { "address-type": "intranet" } }),
        expect: [],
    },
    {
        rule: "change-interrupts",
        what: "NLB, address type, zones and a range of ports",
        given: was(
            {},
            {
                annotations: {
                    "address-type": "intranet",
                    "zone-maps": "cn-hangzhou-a:vsw-9,cn-hangzhou-c:vsw-3",
                    "listener-port-range": "1-9:80",
                },
            },
        ),
        expect: [
            /addressType changes from "internet" to "intranet": who reached/,
            /zone cn-hangzhou-a changes from "vsw-1" to "vsw-9"/,
            /zone cn-hangzhou-b is given up/,
            /listener TCP:80 changes from "tcp" to "tcp, on ports 1-9"/,
        ],
    },
    {
        rule: "change-interrupts",
        what: "NLB, one zone more",
        given: was({}, { annotations: { "zone-maps": `${ZONES["zone-maps"]},cn-hangzhou-c:vsw-3` } }),
        expect: [],
    },
    {
        rule: "change-interrupts",
        what: "another kind of load balancer is another rule's matter",
        given: plain({}, { before: applied().props }),
        expect: [],
    },
    {
        rule: "reuse-changed",
        what: "NLB, another id",
        given: was({ annotations: { id: "nlb-1" } }, { annotations: { id: "nlb-2" } }),
        expect: [/from "nlb-1" to "nlb-2"/],
    },
    {
        rule: "reuse-force-override",
        what: "NLB, asked for",
        given: applied({ annotations: { id: "nlb-1", "force-override-listeners": "true" } }),
        expect: [/port 80 of load balancer nlb-1 is replaced/],
    },
    {
        rule: "reuse-api-server",
        what: "NLB, on the list",
        given: applied({ annotations: { id: "nlb-1" } }),
        config: { denied: ["nlb-*"] },
        expect: [/on the list of instances/],
    },
];
