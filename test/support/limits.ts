/** Services at each fixed limit of the cloud, and one beyond it. */
import type { LIMITS } from "../../provider/quotas/limits";
import type { ServiceSpec } from "./yaml";

type Spec = Omit<ServiceSpec, "name">;

export interface LimitCase {
    readonly limit: keyof typeof LIMITS;
    /** Returns a Service with so many, or so much of it. */
    readonly with: (some: number) => Spec & { readonly name?: string };
    /** Greatest accepted number. Default: the limit. */
    readonly accepted: number;
    /** Field that a refusal names, its cause and its remedy. */
    readonly field: string;
    readonly cause: RegExp;
    readonly remedy: RegExp;
}

const ZONES = "cn-hangzhou-a:vsw-a,cn-hangzhou-b:vsw-b";

/** A Service of an NLB. */
const nlb = ({ annotations, ...rest }: Spec): Spec => ({
    loadBalancerClass: "ack-loadbalancer.io/nlb",
    ...rest,
    annotations: { "zone-maps": ZONES, ...annotations },
});

const HTTP = {
    "protocol-port": "http:80",
    "health-check-flag": "on",
    "health-check-uri": "/",
};
const COOKIE = { ...HTTP, "sticky-session": "on", "sticky-session-type": "server" };
const HTTPS = { ...HTTP, "protocol-port": "https:80", "cert-id": "cert-1" };
const NLB_CHECK = { "health-check-type": "http", "health-check-uri": "/" };

const list = (some: number, one: (index: number) => string): string[] => Array.from({ length: some }, (_, n) => one(n));
const joined = (some: number, one: (index: number) => string): string => list(some, one).join(",");
const range = (n: number): string => `10.0.${n >> 8}.${n & 255}/32`;
const letters = (some: number): string => "a".repeat(some);

/** Length of the ownership mark around the name: `k8s.30000.TCP.`, `.default.` and a cluster id. */
export const CLUSTER_ID = "c".repeat(70);
const AROUND = "k8s.30000.TCP.".length + ".default.".length + CLUSTER_ID.length;

export const LIMIT_CASES: readonly LimitCase[] = [
    {
        limit: "tags",
        with: (some) => ({ annotations: { "additional-resource-tags": joined(some, (n) => `k${n}=v`) } }),
        accepted: 18,
        field: "additional-resource-tags",
        cause: /has 19 tags, but an instance has 20 at most, and 2 of them are its owner's marks/,
        remedy: /leave 18 of them/,
    },
    {
        limit: "tags",
        with: (some) => nlb({ annotations: { "additional-resource-tags": joined(some, (n) => `k${n}=v`) } }),
        accepted: 18,
        field: "additional-resource-tags",
        cause: /has 19 tags, but an instance has 20 at most/,
        remedy: /leave 18 of them/,
    },
    {
        limit: "clbTagKey",
        with: (some) => ({ annotations: { "additional-resource-tags": `${letters(some)}=v` } }),
        accepted: 128,
        field: "additional-resource-tags",
        cause: /the key has more than 128 characters/,
        remedy: /write key=value pairs/,
    },
    {
        limit: "nlbTagKey",
        with: (some) => nlb({ annotations: { "additional-resource-tags": `${letters(some)}=v` } }),
        accepted: 64,
        field: "additional-resource-tags",
        cause: /the key has more than 64 characters/,
        remedy: /write key=value pairs/,
    },
    {
        limit: "tagValue",
        with: (some) => nlb({ annotations: { "additional-resource-tags": `k=${letters(some)}` } }),
        accepted: 128,
        field: "additional-resource-tags",
        cause: /the value has more than 128 characters/,
        remedy: /write key=value pairs/,
    },
    {
        limit: "instanceName",
        with: (some) => ({ annotations: { name: letters(some) } }),
        accepted: 128,
        field: "loadbalancer-name",
        cause: /must be 2 to 128 characters/,
        remedy: /write 2 to 128 characters/,
    },
    {
        limit: "checkUri",
        with: (some) => ({ annotations: { ...HTTP, "health-check-uri": `/${letters(some - 1)}` } }),
        accepted: 80,
        field: "health-check-uri",
        cause: /must be a path of 1 to 80 characters/,
        remedy: /write a path of 1 to 80 characters/,
    },
    {
        limit: "checkDomain",
        with: (some) => nlb({ annotations: { ...NLB_CHECK, "health-check-domain": letters(some) } }),
        accepted: 80,
        field: "health-check-domain",
        cause: /must be "\$SERVER_IP" .* or 1 to 80/,
        remedy: /1 to 80 lower-case letters/,
    },
    {
        limit: "cookie",
        with: (some) => ({ annotations: { ...COOKIE, cookie: letters(some) } }),
        accepted: 200,
        field: "loadbalancer-cookie",
        cause: /must be 1 to 200 ASCII characters/,
        remedy: /write 1 to 200 ASCII characters/,
    },
    {
        limit: "extraDomains",
        with: (some) => ({ annotations: { ...HTTPS, "domain-extensions": joined(some, (n) => `d${n}.example:c`) } }),
        accepted: 10,
        field: "domain-extensions",
        cause: /names 11 further domains, but a listener has 10 at most/,
        remedy: /use a certificate of several domains/,
    },
    {
        limit: "listEntries",
        with: (some) => ({ sourceRanges: list(some, range) }),
        accepted: 300,
        field: "loadBalancerSourceRanges",
        cause: /301 ranges are more than the 300 that an access control list holds/,
        remedy: /join ranges/,
    },
    {
        limit: "securityGroups",
        with: (some) => nlb({ annotations: { "security-group-ids": joined(some, (n) => `sg-${n}`) } }),
        accepted: 4,
        field: "security-group-ids",
        cause: /names 5 security groups, but an NLB joins 4 at most/,
        remedy: /leave 4 of them/,
    },
    {
        limit: "securityGroups",
        with: (some) =>
            nlb({
                annotations: { "security-group-ids": joined(some, (n) => `sg-${n}`) },
                sourceRanges: ["10.0.0.0/8"],
            }),
        accepted: 3,
        field: "security-group-ids",
        cause: /names 4 security groups, but an NLB joins 4 at most, one of them for loadBalancerSourceRanges/,
        remedy: /leave 3 of them/,
    },
    {
        limit: "securityGroupRules",
        with: (some) => nlb({ sourceRanges: list(some, range) }),
        accepted: 199,
        field: "loadBalancerSourceRanges",
        cause: /200 ranges are more than the 199 that a security group holds/,
        remedy: /join ranges/,
    },
    {
        limit: "zones",
        with: (some) => nlb({ annotations: { "zone-maps": joined(some, (n) => `cn-hangzhou-${n}:vsw-${n}`) } }),
        accepted: 10,
        field: "zone-maps",
        cause: /names 11 zones, but an NLB has 2 to 10/,
        remedy: /leave 10 of them/,
    },
    {
        limit: "udpIdleSeconds",
        with: (some) =>
            nlb({
                annotations: { "idle-timeout": String(some), "health-check-flag": "off" },
                ports: [{ port: 53, protocol: "UDP" }],
            }),
        accepted: 90,
        field: "idle-timeout",
        cause: /the Service has a UDP listener, which takes 90 s at most/,
        remedy: /write 90 or less/,
    },
    {
        limit: "serverGroupName",
        with: (some) => ({ ...nlb({}), name: letters(some - AROUND) }),
        accepted: 128,
        field: "metadata.name",
        cause: /a server group of the NLB would have a name of 129 characters, and the cloud takes 128/,
        remedy: /use a name or a namespace that is shorter by 1/,
    },
];
