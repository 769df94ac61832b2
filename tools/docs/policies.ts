/**
 * Writes `docs/policies.md` from the rules: `node dist/tools/docs/policies.js`.
 * With `--check` it writes nothing and fails if the page is not what the rules say.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOAD_BALANCER_NAMES, LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import { CLUSTER, COMMON_OPTIONS, EXCEPT, type OptionSchema, optionSchemasOf } from "../../policies/config";
import { type Group, GROUPS, type Rule } from "../../policies/rule";
import { RULES } from "../../policies/rules";

/** The whole page. */
export function renderPolicies(): string {
    const groups = (Object.keys(GROUPS) as Group[]).map((group) =>
        renderGroup(
            GROUPS[group],
            RULES.filter((rule) => rule.group === group),
        ),
    );
    return [INTRODUCTION, renderOverview(), ...groups].join("\n\n") + "\n";
}

const INTRODUCTION = `<!-- Generated from policies/rules by \`node dist/tools/docs/policies.js\`. Do not edit. -->
# Policies

What a platform team can hold every load balancer to. ${RULES.length} rules, from one source, for two hosts:

- \`pulumi preview --policy-pack policies\` runs them as a CrossGuard pack. It matches resources by type token and loads no cloud SDK. Rules about a whole stack run at the
  end; in an update that is after the changes are made, so run the preview with the pack too.
- \`ack-loadbalancer check <files or folders>\` runs them without Pulumi ([how](check.md)).

What they judge: the Services of this package's component, Services of type \`LoadBalancer\` that a program or a chart applies for the Cloud Controller Manager, and \`alicloud:slb\` and \`alicloud:nlb\`
resources that teams write by hand. What a component has made itself is not judged again, and neither are Services of other controllers.

A component refuses what cannot work by itself, with or without the pack. For its Services the pack is the platform team's word on what a program may let through, and on what is
allowed but unwise. A value that a preview does not know yet is never taken for good: the engine reports, as advice, that the rule cannot run.

## Configuration

\`--policy-pack-config rules.json\` sets levels and settings; \`all\` stands for every rule without an entry of its own:

\`\`\`json
{
    "all": "advisory",
    "exposure-open": { "enforcementLevel": "mandatory", "except": ["shop/web", "ingress/*"] },
    "access-local": "disabled"
}
\`\`\`

Levels are \`mandatory\` (the run fails), \`advisory\` (it says so) and \`disabled\`. Every rule has the setting \`except\`: ${lower(EXCEPT.description ?? "")}
Every rule about Services has \`cluster\`: ${lower(CLUSTER.description ?? "")}

Compose packs of your own from \`ack-loadbalancer/policies\`: \`RULES\` are the rules as data, \`policyOf(rule)\` makes a policy of one.`;

function lower(text: string): string {
    return text.charAt(0).toLowerCase() + text.slice(1);
}

function renderOverview(): string {
    return [
        "## Overview",
        "",
        "| rule | level | severity | what holds |",
        "|---|---|---|---|",
        ...RULES.map(
            (rule) => `| [\`${rule.name}\`](#${rule.name}) | ${rule.level} | ${rule.severity} | ${rule.title} |`,
        ),
    ].join("\n");
}

function renderGroup(title: string, rules: readonly Rule[]): string {
    return [`## ${title}`, ...rules.map(renderRule)].join("\n\n");
}

function renderRule(rule: Rule): string {
    const own = Object.entries(optionSchemasOf(rule)).filter(([name]) => !COMMON_OPTIONS.has(name));
    return [
        `### ${rule.name}`,
        "",
        rule.title,
        "",
        `- Level: ${rule.level}, severity ${rule.severity}`,
        `- Judges: ${subjectsOf(rule)}`,
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

/** Where the page belongs, whatever the working directory. */
const PAGE = join(__dirname, "..", "..", "..", "docs", "policies.md");

function main(args: readonly string[]): number {
    const text = renderPolicies();
    if (!args.includes("--check")) {
        writeFileSync(PAGE, text);
        return 0;
    }
    if (readFileSync(PAGE, "utf8") === text) return 0;
    console.error("docs/policies.md is not what the rules say: run node dist/tools/docs/policies.js");
    return 1;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
