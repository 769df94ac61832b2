import { expect, test } from "@jest/globals";
import { settingNames } from "./catalogue";
import { keyOfSetting } from "./keys";
import { readAnnotations } from "./read";
import { remedyForOtherName } from "./other-names";

const P = "service.beta.kubernetes.io/";
const L = `${P}alibaba-cloud-loadbalancer-`;

/** Returns the remedy for a key that does not exist, with short names. */
function remedyOf(name: string, type: "clb" | "nlb" = "clb", value = "x"): string {
    const found = readAnnotations({ [`${L}${name}`]: value }, () => undefined, type).diagnostics;
    expect([name, found.map(({ code }) => code)]).toStrictEqual([name, ["annotation-unknown"]]);
    return (found[0]?.remedy ?? "").replaceAll(L, "").replaceAll(P, "");
}

const PAGE = "remove it; docs/annotations.md lists all annotations";

const ACL = 'remove it; what you want may be "acl-status", "acl-id", "acl-type" or spec.loadBalancerSourceRanges';

for (const [name, remedy] of [
    ["access-control-enable", ACL],
    ["access-control-type", ACL],
    ["access-control-list", ACL],
    ["source-ranges", ACL],
    ["whitelist", ACL],
    ["security-group-id", `${ACL} (an NLB has "security-group-ids")`],
    ["security-groups", `${ACL} (an NLB has "security-group-ids")`],
    ["instance-type", 'remove it; what you want may be "spec" or spec.loadBalancerClass'],
    ["scheme", 'remove it; what you want may be "address-type"'],
    ["internal", 'remove it; what you want may be "address-type"'],
    ["subnets", 'remove it; what you want may be "vswitch-id" (an NLB has "zone-maps")'],
    ["ssl-cert", 'remove it; what you want may be "cert-id" (an NLB has "additional-cert-ids")'],
    ["backend-protocol", 'remove it; what you want may be "protocol-port"'],
    ["ip-address-type", 'remove it; what you want may be "ip-version"'],
    ["healthcheck-path", 'remove it; what you want may be "health-check-uri"'],
    ["cross-zone-load-balancing-enabled", 'remove it; an NLB has "cross-zone-enabled"'],
    ["connection-draining-timeout", 'remove it; what you want may be "connection-drain", "connection-drain-timeout"'],
    ["internet-max-bandwidth-out", 'remove it; what you want may be "bandwidth" (an NLB has "bandwidth-package-id")'],
    ["existed-lbid", 'remove it; what you want may be "id"'],
    ["session-affinity-mode", 'remove it; what you want may be "sticky-session", "persistence-timeout"'],
    ["deletion-protection", 'remove it; what you want may be "delete-protection"'],
    // Words of a known name alone do not make the meaning.
    ["backend-id", PAGE],
    ["network-id", PAGE],
    ["timeout", PAGE],
    ["listener-id", PAGE],
    ["vpc-id", PAGE],
    ["waf-type", PAGE],
    ["dns-name", PAGE],
    ["spot-ip", PAGE],
    ["acl-ip-type", 'did you mean "acl-type"?'],
] as const)
    test(`the remedy for ${name} does no harm`, () => {
        expect(remedyOf(name)).toBe(remedy);
    });

test("a kind of load balancer gets the names that it has", () => {
    expect(remedyOf("security-group-id", "nlb")).toBe(
        'remove it; what you want may be "security-group-ids" or spec.loadBalancerSourceRanges ' +
            '(a CLB has "acl-status", "acl-id", "acl-type")',
    );
});

test("no name of a setting is another's", () => {
    for (const field of settingNames) {
        const found = remedyForOtherName(keyOfSetting(field), "clb", (one) => one);
        expect([field, found === undefined || found.includes(`"${field}"`)]).toStrictEqual([field, true]);
    }
});

test("a setting in code is answered by the names of settings", () => {
    expect(remedyForOtherName("securityGroupId", "nlb", (one) => one)).toContain('"securityGroupIds"');
});
