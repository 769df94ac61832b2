/** Writes `docs/annotations.md` from the catalogue: `node dist/tools/docs/annotations.js`. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOAD_BALANCER_TYPES, type LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { anyRowOf, external, rowOf, settingNames } from "../../provider/service/annotations/catalogue";
import { keyOf, legacyKeyOf, PREFIX } from "../../provider/service/annotations/keys";
import { type Companion, type AnnotationGroup, type Row, suffixOf } from "../../provider/service/annotations/row";
import type { SettingName } from "../../provider/schema/settings";
import { SPEC_FIELDS } from "../../provider/service/spec-fields";
import { wrapMarkdown } from "./wrap";

const TITLES: Readonly<Record<AnnotationGroup, string>> = {
    instance: "Instance",
    listener: "Listeners",
    "health-check": "Health checks",
    backend: "Backends",
};

/** The whole page. */
export function renderAnnotations(): string {
    const groups = (Object.keys(TITLES) as AnnotationGroup[]).map((group) =>
        renderGroup(
            TITLES[group],
            settingNames.filter((field) => anyRowOf(field).group === group),
        ),
    );
    return (
        wrapMarkdown([INTRODUCTION, renderOverview(), ...groups, renderFields(), renderExternal()].join("\n\n")) + "\n"
    );
}

const INTRODUCTION = `<!-- Generated from provider/service/annotations by \`node dist/tools/docs/annotations.js\`. Do not edit. -->
# Annotations

The annotations by which a Service configures its load balancer. A program can also set each of them in code, by the name
of its setting.

- Every key starts with \`${PREFIX}\`. The legacy prefix \`${PREFIX}alicloud-\` works too and gives a warning; if both
  are set, the current key takes precedence.
- Values are case-sensitive strings. Quote numbers, \`on\` and \`off\`.
- An unknown or misspelt key is an error, and so is every invalid value. All problems of a manifest are reported at once,
  with their positions.
- An empty value counts as not set and gives a warning. Only an empty \`id\` is an error: a template without its value
  must not create a load balancer.
- Removing an annotation restores its default; without a default, the cloud decides.
- "Since" is the oldest Cloud Controller Manager (CCM) version that supports the annotation. With an older
  \`compatibility\` of the cluster it is an error.
- An annotation of the other kind of load balancer has no effect and gives a warning. Values of NLB annotations are
  checked in any case.
- Annotations that only the source of CCM has are supported, with an advisory.
- No annotation is silently ignored: an annotation without effect gives a warning.`;

function renderOverview(): string {
    const lines = settingNames.map((field) => {
        const cells = LOAD_BALANCER_TYPES.map((type) => overviewCell(rowOf(field, type)));
        return `| [\`${anyRowOf(field).suffix}\`](#${shortName(field)}) | \`${field}\` | ${cells.join(" | ")} |`;
    });
    return [
        "## Overview",
        "",
        "Defaults by kind of load balancer; `–` marks annotations that a kind does not have.",
        "",
        "| Annotation | Setting | CLB | NLB |",
        "|---|---|---|---|",
        ...lines,
    ].join("\n");
}

function overviewCell(row: Row | undefined): string {
    return row === undefined ? "–" : cell(defaultText(row));
}

function renderGroup(title: string, fields: readonly SettingName[]): string {
    return [`## ${title}`, ...fields.map(renderSetting)].join("\n\n");
}

/** A setting, with what it means to each kind of load balancer that has it. */
function renderSetting(field: SettingName): string {
    const any = anyRowOf(field);
    const legacy = legacyKeyOf(any);
    const keys = [`- Key: \`${keyOf(any)}\``, ...(legacy === undefined ? [] : [`- Legacy key: \`${legacy}\``])];
    const parts = LOAD_BALANCER_TYPES.flatMap((type) => {
        const row = rowOf(field, type);
        return row === undefined ? [] : ["", `**${NAMES[type]}.** ${renderRow(row)}`];
    });
    return [`### ${shortName(field)}`, "", ...keys, ...parts].join("\n");
}

const NAMES: Readonly<Record<LoadBalancerType, string>> = { clb: "CLB", nlb: "NLB" };

function renderRow(row: Row): string {
    const facts: [string, string | undefined][] = [
        ["Value", row.type.allowed],
        ["Default", defaultText(row)],
        [
            "Applies to",
            row.protocols === undefined
                ? undefined
                : `${row.protocols.map((protocol) => protocol.toUpperCase()).join(", ")} listeners`,
        ],
        ["Together with", row.companions === undefined ? undefined : row.companions.map(companionText).join("; ")],
        ["Since", row.since],
        ["When changed", row.onChange],
        ["Becomes", row.api],
        ["Source", row.source],
        [
            "Undocumented",
            row.undocumented === true
                ? "no document describes the annotation; an advisory reports it " +
                  "([annotations-undocumented](policies.md#annotations-undocumented))"
                : undefined,
        ],
    ];
    const list = facts.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${value}`]));
    return [row.doc, "", ...list].join("\n");
}

function companionText(companion: Companion): string {
    const value = companion.equals === undefined ? "" : `: "${companion.equals}"`;
    const condition = companion.when === undefined ? "" : ` while it is "${companion.when}"`;
    const strength = companion.severity === "error" ? "required" : "advised";
    return `\`${suffixOf(companion.field).replace(SHORT, "")}${value}\` (${strength}${condition}: ${companion.because})`;
}

const SHORT = /^alibaba-cloud-loadbalancer-/;

const shortName = (field: SettingName): string => anyRowOf(field).suffix.replace(SHORT, "");

export function defaultText(row: Row): string {
    if (row.defaultNote !== undefined) return row.defaultNote;
    if (row.defaults.length === 0) return "none";
    return row.defaults
        .map(({ value, since }) => `\`${row.type.print(value)}\`${since === undefined ? "" : ` (from ${since} on)`}`)
        .join(", ");
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

const USES = { package: "used", cluster: "in the cluster only", none: "no effect" } as const;

function renderFields(): string {
    const lines = Object.entries(SPEC_FIELDS).map(([name, { use, doc }]) => `| \`${name}\` | ${USES[use]} | ${doc} |`);
    return [
        "## Fields of spec",
        "",
        "What each field of a Service's `spec` does to its load balancer. An advisory names a field that is set and does " +
            "not do what its name promises. The fields are those of Kubernetes 1.36.",
        "",
        "| Field | For the load balancer | Meaning |",
        "|---|---|---|",
        ...lines,
    ].join("\n");
}

function renderExternal(): string {
    const lines = external.map(
        (row) => `| \`${row.suffix}\` | ${row.types.map((type) => NAMES[type]).join(", ")} | ${cell(row.doc)} |`,
    );
    return [
        "## For another controller",
        "",
        "The Cloud Controller Manager ignores a Service with one of these annotations, and a Service whose " +
            "`spec.loadBalancerClass` names another controller (`alibabacloud.com/elb` of ACK Edge, `tailscale`). So " +
            "does this package: run and `check` say in one line who serves it, judge none of its settings, and " +
            "create nothing. A class that begins with `ack-loadbalancer.io/` and is none of this package is refused.",
        "",
        "| Annotation | Load balancer | Meaning |",
        "|---|---|---|",
        ...lines,
    ].join("\n");
}

if (require.main === module) writeFileSync(join(__dirname, "../../../docs/annotations.md"), renderAnnotations());
