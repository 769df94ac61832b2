/** Writes `docs/policies.md` from the rules: `node dist/tools/docs/policies.js`. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOAD_BALANCER_NAMES, LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import { CLUSTER, EXCEPT, type OptionSchema, optionSchemasOf } from "../../policies/rule/config";
import { type Group, GROUPS, type Rule } from "../../policies/rule";
import { RULES } from "../../policies/rules";
import { wrapMarkdown } from "./wrap";

/** The whole page. */
export function renderPolicies(): string {
    const groups = (Object.keys(GROUPS) as Group[]).map((group) =>
        renderGroup(
            GROUPS[group],
            RULES.filter((rule) => rule.group === group),
        ),
    );
    return wrapMarkdown([INTRODUCTION, renderOverview(), ...groups].join("\n\n")) + "\n";
}

const INTRODUCTION = `<!-- Generated from policies/rules by \`node dist/tools/docs/policies.js\`. Do not edit. -->
# Policies

${RULES.length} rules by which a platform team checks every load balancer. They run in two ways:

- \`pulumi preview --policy-pack policies\` runs them as a CrossGuard pack. Run previews with the pack, too: in an update,
  rules about the whole stack run at the end, after all changes.
- \`ack-loadbalancer check <files or folders>\` runs them without Pulumi ([details](check.md)).

They apply to the Services of this package's component, to Services of type \`LoadBalancer\` that a program or a chart
applies for the Cloud Controller Manager, and to user-managed \`alicloud:slb\` and \`alicloud:nlb\` resources. They do not
apply to resources inside a component, nor to Services of other controllers.

A component refuses invalid Services with or without the pack. For its Services the pack decides which exceptions a
program may make, and warns about allowed but risky settings. An unknown value never counts as compliant: the engine
reports, as advisory, that the rule cannot run.

## Configuration

\`--policy-pack-config rules.json\` sets levels and settings; \`all\` sets the level of every rule without one of its own:

\`\`\`json
{
    "all": "advisory",
    "exposure-open": { "enforcementLevel": "mandatory", "except": ["shop/web", "ingress/*"] },
    "access-local": "disabled"
}
\`\`\`

An unknown rule or setting is refused, with the nearest name, before the first resource.

Levels are \`mandatory\` (a violation fails the run), \`advisory\` (a violation is reported) and \`disabled\`. Every rule has the setting \`except\`: ${lower(EXCEPT.description ?? "")}
Every rule about Services has \`cluster\`: ${lower(CLUSTER.description ?? "")}

To compose your own pack, take the rules from \`ack-loadbalancer/policies\`: \`policyOf\` turns a rule into a policy of the SDK.

\`\`\`typescript
import { ApplicationLoadBalancer } from "@pulumi/alicloud/slb";
import { PolicyPack, validateResourceOfType } from "@pulumi/policy";
import { policyOf, RULES } from "ack-loadbalancer/policies";

const named = validateResourceOfType(ApplicationLoadBalancer, ({ loadBalancerName }, _, report) => {
    if (!loadBalancerName) report("it has no name");
});
new PolicyPack("ours", {
    policies: [
        ...RULES.map(policyOf),
        { name: "named", description: "Load balancers have names.", validateResource: named },
    ],
});
\`\`\`

The policy SDK decodes a resource again for each rule, and does not refuse a misspelt rule in the configuration.`;

function lower(text: string): string {
    return text.charAt(0).toLowerCase() + text.slice(1);
}

function renderOverview(): string {
    return [
        "## Overview",
        "",
        "| rule | level | severity | requirement |",
        "|---|---|---|---|",
        ...RULES.map(
            (rule) =>
                `| [\`${rule.name}\`](#${rule.name}) | ${rule.level} | ${rule.severity} | ${firstClause(rule.title)} |`,
        ),
    ].join("\n");
}

/** Returns the first clause of a title. The rule's section has the whole title. */
const firstClause = (title: string): string =>
    title.replace(/(?:[:;]|\. (?=\S)|, or for ).*$/s, "").replace(/\.?$/, ".");

function renderGroup(title: string, rules: readonly Rule[]): string {
    return [`## ${title}`, ...rules.map(renderRule)].join("\n\n");
}

/** Settings that are not specific to a rule. */
const COMMON: readonly string[] = ["except", "cluster"];

function renderRule(rule: Rule): string {
    const own = Object.entries(optionSchemasOf(rule)).filter(([name]) => !COMMON.includes(name));
    return [
        `### ${rule.name}`,
        "",
        rule.title,
        "",
        `- Level: ${rule.level}, severity ${rule.severity}`,
        `- Applies to: ${subjectsOf(rule)}`,
        `- Remedy: ${rule.remedy}`,
        ...own.map(([name, option]) => `- Setting \`${name}\`: ${optionText(option)}`),
        `- Source: ${rule.source}`,
    ].join("\n");
}

function subjectsOf(rule: Rule): string {
    if (rule.stack !== undefined) return "the whole stack";
    const behind = (rule.loadBalancerTypes ?? LOAD_BALANCER_TYPES)
        .map((type) => LOAD_BALANCER_NAMES[type])
        .join(" or ");
    const services =
        rule.service === undefined ? [] : [rule.anyType ? "Services of every type" : `Services behind ${behind}`];
    return [...services, ...Object.keys(rule.resources ?? {}).map((type) => `\`${type}\``)].join(", ");
}

function optionText({ type, default: value, description, enum: words }: OptionSchema): string {
    const allowed = words === undefined ? type : words.map((word) => `\`${word}\``).join(", ");
    return `${description} ${allowed.charAt(0).toUpperCase()}${allowed.slice(1)}; default \`${JSON.stringify(value)}\`.`;
}

if (require.main === module) writeFileSync(join(__dirname, "../../../docs/policies.md"), renderPolicies());
