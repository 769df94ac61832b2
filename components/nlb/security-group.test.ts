/** Clients that may connect to an NLB, from the ranges of its Service to the rules of its security group. */
import { expect, test } from "@jest/globals";
import { buildNlb } from "../../provider/plan/desired";
import type { Service } from "../../provider/service/service";
import type { Settings } from "../../provider/schema/settings";
import { sourceRules } from "../../provider/nlb/load-balancer";

type Rules = Readonly<Record<string, "accept" | "drop">>;

const rulesOf = (ipVersion: Settings["ipVersion"], loadBalancerSourceRanges: readonly string[]): Rules => {
    const service: Service = {
        namespace: "shop",
        name: "web",
        selector: { app: "web" },
        ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
        externalTrafficPolicy: "Cluster",
        loadBalancerType: "nlb",
        loadBalancerSourceRanges,
        settings: ipVersion === undefined ? {} : { ipVersion },
        object: {},
    };
    return sourceRules(buildNlb(service, { clusterId: "c1" }).loadBalancer);
};

const CASES: readonly [what: string, Settings["ipVersion"], readonly string[], Rules][] = [
    ["no ranges: everyone", undefined, [], {}],
    ["ranges: nobody else", undefined, ["10.0.0.0/8"], { "10.0.0.0/8": "accept", "0.0.0.0/0": "drop" }],
    ["all addresses: everyone", undefined, ["10.0.0.0/8", "0.0.0.0/0"], {}],
    [
        "all IPv6 addresses admit no IPv4 client",
        undefined,
        ["203.0.113.0/24", "::/0"],
        { "203.0.113.0/24": "accept", "::/0": "accept", "0.0.0.0/0": "drop" },
    ],
    ["both IP versions, all addresses of both: everyone", "DualStack", ["0.0.0.0/0", "::/0"], {}],
    ["all addresses, written otherwise", "DualStack", ["0.0.0.0/0", "0::/0"], {}],
    [
        "both IP versions, ranges of one",
        "DualStack",
        ["10.0.0.0/8"],
        { "10.0.0.0/8": "accept", "0.0.0.0/0": "drop", "::/0": "drop" },
    ],
    [
        "both IP versions, all IPv4 addresses and an IPv6 range",
        "DualStack",
        ["0.0.0.0/0", "2001:db8::/32"],
        { "0.0.0.0/0": "accept", "2001:db8::/32": "accept", "::/0": "drop" },
    ],
    [
        "both IP versions, all IPv6 addresses and an IPv4 range",
        "DualStack",
        ["10.0.0.0/8", "::/0"],
        { "10.0.0.0/8": "accept", "::/0": "accept", "0.0.0.0/0": "drop" },
    ],
];

test.each(CASES)("who may connect: %s", (_, ipVersion, ranges, rules) =>
    expect(rulesOf(ipVersion, ranges)).toStrictEqual(rules),
);
