/** Requirements: A63, A67, X27. */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { closest } from "./closest";
import { recognise } from "./keys";

const P = "service.beta.kubernetes.io/";

const unknown: readonly [key: string, nearest: string | undefined][] = [
    [`${P}alibaba-cloud-loadbalancer-bandwith`, `${P}alibaba-cloud-loadbalancer-bandwidth`],
    [`${P}alibaba-cloud-loadbalancer-Spec`, `${P}alibaba-cloud-loadbalancer-spec`],
    [`${P}alibabacloud-loadbalancer-spec`, `${P}alibaba-cloud-loadbalancer-spec`],
    [`${P}alicloud-loadbalancer-adress-type`, `${P}alibaba-cloud-loadbalancer-address-type`],
    [`${P}alibaba-cloud-loadbalancer-health-check-url`, `${P}alibaba-cloud-loadbalancer-health-check-uri`],
    [`${P}alibaba-cloud-loadbalancer-zone-map`, `${P}alibaba-cloud-loadbalancer-zone-maps`],
    [`${P}alibaba-cloud-loadbalancer-backend-type`, `${P}backend-type`],
    [`${P}alibaba-cloud-loadbalancer-completely-different-thing`, undefined],
    [`${P}alibaba-cloud-loadbalancer-`, undefined],
    [`${P}loadbalancer-spec`, `${P}alibaba-cloud-loadbalancer-spec`],
    ["alibaba-cloud-loadbalancer-id", `${P}alibaba-cloud-loadbalancer-id`],
    ["alicloud-loadbalancer-name", `${P}alibaba-cloud-loadbalancer-name`],
    [`${P}backendtype`, `${P}backend-type`],
    [`${P}alibaba-cloud-loadbalancer-unhealthy-check`, `${P}alibaba-cloud-loadbalancer-unhealthy-threshold`],
    [`${P}alibaba-cloud-loadbalancer-unhealthy-check-count`, `${P}alibaba-cloud-loadbalancer-unhealthy-threshold`],
    [`${P}alibaba-cloud-loadbalancer-unhealthy-check-interval`, `${P}alibaba-cloud-loadbalancer-unhealthy-threshold`],
    [
        `${P}alibaba-cloud-loadbalancer-health-check-healthy-threshold`,
        `${P}alibaba-cloud-loadbalancer-healthy-threshold`,
    ],
    [`${P}alibaba-cloud-loadbalancer-loadbalancer-id`, `${P}alibaba-cloud-loadbalancer-id`],
    [`${P}alibaba-cloud-loadbalancer-instance-id`, `${P}alibaba-cloud-loadbalancer-id`],
    [`${P}alibaba-cloud-loadbalancer-zone-id`, `${P}alibaba-cloud-loadbalancer-master-zoneid`],
    [`${P}alibaba-cloud-loadbalancer-certificate-id`, `${P}alibaba-cloud-loadbalancer-cert-id`],
    [`${P}alibaba-cloud-loadbalancer-delete-protection-enabled`, `${P}alibaba-cloud-loadbalancer-delete-protection`],
    [`${P}alicloud-loadbalancer-type`, `${P}alibaba-cloud-loadbalancer-type`],
    [`${P}aliyun-loadbalancer-id`, `${P}alibaba-cloud-loadbalancer-id`],
    [`${P}aliababa-cloud-loadbalancer-id`, `${P}alibaba-cloud-loadbalancer-id`],
    [`${P}Alibaba-Cloud-LoadBalancer-id`, `${P}alibaba-cloud-loadbalancer-id`],
    ["services.beta.kubernetes.io/alibaba-cloud-loadbalancer-id", `${P}alibaba-cloud-loadbalancer-id`],
    ["service.beta.kubernets.io/alibaba-cloud-loadbalancer-spec", `${P}alibaba-cloud-loadbalancer-spec`],
    ["Service.Beta.kubernetes.io/alicloud-loadbalancer-spec", `${P}alibaba-cloud-loadbalancer-spec`],
    [` ${P}alibaba-cloud-loadbalancer-spec`, `${P}alibaba-cloud-loadbalancer-spec`],
    ["service.beta.kubernetes.i/backend-type", `${P}backend-type`],
];

test("almost-keys are unknown, with the key that was probably meant", () => {
    for (const [key, nearest] of unknown) {
        const recognised = recognise(key);
        expect([key, recognised.kind]).toStrictEqual([key, "unknown"]);
        expect([key, recognised.kind === "unknown" && recognised.nearest]).toStrictEqual([key, nearest]);
    }
});

test("keys of others are left alone", () => {
    for (const key of [
        `${P}aws-load-balancer-type`,
        `${P}do-loadbalancer-protocol`,
        `${P}linode-loadbalancer-throttle`,
        `${P}scw-loadbalancer-id`,
        `${P}vultr-loadbalancer-protocol`,
        `${P}volcengine-loadbalancer-subnet-id`,
        `${P}exoscale-loadbalancer-id`,
        `${P}ksc-loadbalancer-id`,
        `${P}ucloud-loadbalancer-id`,
        `${P}alibaba-cloud-private-zone-enable`,
        `${P}alibaba-cloud-private-zone-record-name`,
        `${P}alicloud-private-zone-id`,
        `${P}azure-load-balancer-internal`,
        "example.com/alibaba-cloud-loadbalancer-id",
        "service.alpha.kubernetes.io/alibaba-cloud-loadbalancer-id",
        "backend-type",
        "",
        "__proto__",
    ]) {
        expect([key, recognise(key).kind]).toStrictEqual([key, "other"]);
    }
});

test("known keys", () => {
    expect(recognise(`${P}alibaba-cloud-loadbalancer-spec`).kind).toBe("setting");
    expect(recognise(`${P}backend-type`).kind).toBe("setting");
    expect(recognise(`${P}class`).kind).toBe("external");
});

test("what a key means depends on the kind of load balancer", () => {
    const kinds = (name: string) => (["clb", "nlb"] as const).map((type) => recognise(`${P}${name}`, type).kind);
    expect(kinds("alibaba-cloud-loadbalancer-zone-maps")).toStrictEqual(["elsewhere", "setting"]);
    expect(kinds("alicloud-loadbalancer-zone-maps")).toStrictEqual(["elsewhere", "setting"]);
    expect(kinds("alibaba-cloud-loadbalancer-hostname")).toStrictEqual(["setting", "elsewhere"]);
    expect(kinds("alibaba-cloud-loadbalancer-scheduler")).toStrictEqual(["setting", "setting"]);
    expect(kinds("alibaba-cloud-loadbalancer-external-ip-type")).toStrictEqual(["setting", "elsewhere"]);
    expect(kinds("class")).toStrictEqual(["external", "elsewhere"]);
});

test("the closest candidate is the one with the fewest edits, if it is close at all", () => {
    const candidates = ["address-type", "address", "spec"];
    for (const [word, expected] of [
        ["adress", "address"],
        ["ADDRESS", "address"],
        ["addrses-type", "address-type"],
        ["spce", "spec"],
        ["spce2", undefined],
        ["xyz", undefined],
        ["", undefined],
    ] as const)
        expect([word, closest(word, candidates)]).toStrictEqual([word, expected]);
    const word = fc.string({ maxLength: 12, unit: fc.constantFrom("a", "b", "-") });
    fc.assert(fc.property(word, (one) => closest(one, ["zzzz", one]) === one));
});
