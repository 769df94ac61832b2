import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { rowOf, rowsOf, settingNames } from "../../annotations";
import { LOAD_BALANCER_TYPES, otherType } from "../../schema/load-balancer-type";
import type { Settings } from "../../schema/settings";
import { alternativeOf } from "./alternatives";
import { compareKinds, type KindSubject, needsChange } from ".";

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const service = (settings: Settings = {}, more: Partial<KindSubject> = {}): KindSubject => ({
    loadBalancerType: "clb",
    settings,
    ports: [{ port: 80, protocol: "TCP" }],
    protocols: ["tcp"],
    externalTrafficPolicy: "Cluster",
    backendType: "ecs",
    sourceRanges: [],
    ...more,
});
const ZONES: Settings = {
    zoneMaps: [
        { zoneId: "cn-hangzhou-a", vswitchId: "vsw-a" },
        { zoneId: "cn-hangzhou-b", vswitchId: "vsw-b" },
    ],
};
/** The difference of one subject, by its short name. */
const about = (subject: string, one: KindSubject) =>
    compareKinds(one).find((found) => found.subject.replace(PREFIX, "") === subject);

const FOUND: readonly (readonly [string, string, KindSubject, object])[] = [
    [
        "a setting that an NLB does not have",
        "acl-id",
        service({ aclId: "acl-1" }),
        { kind: "unsupported", before: "acl-1", remedy: expect.stringContaining("security-group-ids") },
    ],
    [
        "a protocol that an NLB does not have",
        "protocol-port",
        service({ protocolPort: [{ protocol: "http", port: 80 }] }, { protocols: ["http"] }),
        { kind: "value", before: "http:80" },
    ],
    ["a load balancer that is named", "id", service({ id: "lb-1" }), { kind: "value" }],
    ["a certificate", "cert-id", service({ certId: "1_cn-hangzhou" }), { kind: "value" }],
    ["the zones of an NLB", "zone-maps", service(), { kind: "required" }],
    ["another default", "scheduler", service(), { kind: "default", before: "rr", after: "wrr" }],
    ["another interval of health checks", "health-check-interval", service(), { before: "2", after: "10" }],
    [
        "the address",
        "address",
        service(),
        { kind: "meaning", before: "one IP address", after: "a DNS name, with an address in each zone" },
    ],
    [
        "the client's address behind HTTP",
        "the client's address, as backends see it",
        service({}, { protocols: ["http"], externalTrafficPolicy: "Local" }),
        { before: "the header X-Forwarded-For", after: "the client's address" },
    ],
    [
        "the client's address behind TLS",
        "the client's address, as backends see it",
        service({}, { loadBalancerType: "nlb", protocols: ["tcpssl"], backendType: "eni" }),
        { before: "the load balancer's address (proxy-protocol has the client's)", after: "the client's address" },
    ],
    [
        "checks of UDP",
        "health checks of UDP listeners",
        service({}, { protocols: ["udp"] }),
        { before: "by UDP", after: "by a TCP connection to the same port" },
    ],
    [
        "source ranges",
        "spec.loadBalancerSourceRanges",
        service({}, { sourceRanges: ["10.0.0.0/8"] }),
        { after: "a security group of the whole load balancer" },
    ],
    [
        "the way back",
        "zone-maps",
        service(ZONES, { loadBalancerType: "nlb" }),
        { kind: "unsupported", remedy: expect.stringContaining("vswitch-id") },
    ],
];

for (const [what, subject, one, expected] of FOUND)
    test(`compare: ${what}`, () => expect(about(subject, one)).toMatchObject(expected));

const SAME: readonly (readonly [string, string, KindSubject])[] = [
    ["a value that both kinds take", "scheduler", service({ scheduler: "wrr" })],
    [
        "the client's address at a node of a Service with policy Cluster",
        "the client's address, as backends see it",
        service(),
    ],
    [
        "the client's address with pods as backends",
        "the client's address, as backends see it",
        service({}, { backendType: "eni" }),
    ],
    [
        "checks of UDP whose type is set",
        "health checks of UDP listeners",
        service({ healthCheckType: "tcp" }, { protocols: ["udp"] }),
    ],
    ["options of checks by HTTP where checks are by TCP", "health-check-method", service()],
];

for (const [what, subject, one] of SAME)
    test(`compare: nothing about ${what}`, () => expect(about(subject, one)).toBeUndefined());

test("every setting of one kind alone is named, with what takes its place", () => {
    for (const type of LOAD_BALANCER_TYPES)
        for (const { field } of rowsOf(type)) {
            if (rowOf(field, otherType(type)) !== undefined) continue;
            expect(alternativeOf(field, otherType(type))).toMatch(/^(remove it|use )/);
        }
});

test("compare: never fails, says nothing twice, and puts first what has to be changed", () => {
    fc.assert(
        fc.property(
            fc.subarray([...settingNames]),
            fc.constantFrom("clb" as const, "nlb" as const),
            fc.uniqueArray(fc.constantFrom("tcp" as const, "udp" as const), { minLength: 1 }),
            (names, loadBalancerType, protocols) => {
                const settings = Object.fromEntries(
                    names.flatMap((name) => {
                        const fallback = rowOf(name, loadBalancerType)?.defaults[0]?.value;
                        return fallback === undefined ? [] : [[name, fallback]];
                    }),
                ) as Settings;
                const found = compareKinds(service(settings, { loadBalancerType, protocols }));
                expect(new Set(found.map(({ kind, subject }) => `${kind} ${subject}`)).size).toBe(found.length);
                const changes = found.map(needsChange);
                expect([...changes].sort((a, b) => Number(b) - Number(a))).toStrictEqual(changes);
                for (const { before, after, remedy } of found) {
                    expect(before).not.toBe(after);
                    expect(remedy).not.toBe("");
                }
            },
        ),
    );
});
