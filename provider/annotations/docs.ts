/**
 * Writes `docs/annotations.md` from the catalogue: `node dist/provider/annotations/docs.js`.
 * With `--check` it writes nothing and fails if the file is not what the catalogue says.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allRows, external } from "./catalogue";
import { keyOf, legacyKeyOf, PREFIX } from "./keys";
import type { Companion, Group, Row } from "./row";
import { suffixOf } from "./row";

const TITLES: Readonly<Record<Group, string>> = {
    instance: "Instance",
    listener: "Listeners",
    "health-check": "Health checks",
    backend: "Backends",
};

/** The whole page. */
export function renderAnnotations(): string {
    const groups = (Object.keys(TITLES) as Group[]).map((group) =>
        renderGroup(
            TITLES[group],
            allRows.filter((row) => row.group === group),
        ),
    );
    return [INTRODUCTION, renderOverview(), ...groups, renderExternal()].join("\n\n") + "\n";
}

const INTRODUCTION = `<!-- Generated from provider/annotations by \`node dist/provider/annotations/docs.js\`. Do not edit. -->
# Annotations

How a Service says what its load balancer should be like. Every annotation can also be given in code, as the setting of the name shown.

- Every key starts with \`${PREFIX}\`. The legacy prefix \`${PREFIX}alicloud-\` works too and gives a warning; where both are set, the new key counts.
- Values are strings, and upper and lower case count. Quote numbers, \`on\` and \`off\`.
- An unknown or misspelt key is an error, and so is every value out of range. All problems of a manifest are reported at once, with their positions.
- An empty value counts as not set, and gives a warning. Removing an annotation goes back to its default; where no default is given, the cloud decides.
- "Since" is the oldest Cloud Controller Manager version that knows the annotation. An older \`compatibility\` of the cluster makes it an error.
- Where "Realised" says no, this version reads and checks the value, and then refuses the Service: nothing is ignored in silence.`;

function renderOverview(): string {
    const lines = allRows.map((row) => `| [\`${row.suffix}\`](#${anchor(row)}) | \`${row.field}\` | ${defaultText(row)} | ${cell(row.since)} | ${row.realised ? "yes" : "no"} |`);
    return ["## Overview", "", "| Annotation | Setting | Default | Since | Realised |", "|---|---|---|---|---|", ...lines].join("\n");
}

function renderGroup(title: string, rows: readonly Row[]): string {
    return [`## ${title}`, ...rows.map(renderRow)].join("\n\n");
}

function renderRow(row: Row): string {
    const legacy = legacyKeyOf(row);
    const facts: [string, string | undefined][] = [
        ["Key", `\`${keyOf(row)}\``],
        ["Legacy key", legacy === undefined ? undefined : `\`${legacy}\``],
        ["Value", row.type.allowed],
        ["Default", defaultText(row)],
        ["Applies to", row.protocols === undefined ? undefined : `${row.protocols.map((protocol) => protocol.toUpperCase()).join(", ")} listeners`],
        ["Together with", row.companions === undefined ? undefined : row.companions.map(companionText).join("; ")],
        ["Since", row.since],
        ["When changed", row.onChange],
        ["Becomes", row.api],
        ["Source", row.source],
    ];
    const list = facts.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${value}`]));
    return [`### ${shortName(row)}`, "", row.doc, "", ...list].join("\n");
}

function companionText(companion: Companion): string {
    const value = companion.equals === undefined ? "" : `: "${companion.equals}"`;
    const condition = companion.when === undefined ? "" : ` while it is "${companion.when}"`;
    const strength = companion.severity === "error" ? "required" : "advised";
    return `\`${suffixOf(companion.field).replace(SHORT, "")}${value}\` (${strength}${condition}: ${companion.because})`;
}

const SHORT = /^alibaba-cloud-loadbalancer-/;

const shortName = (row: Row): string => row.suffix.replace(SHORT, "");

const anchor = (row: Row): string => shortName(row);

function defaultText(row: Row): string {
    if (row.defaultNote !== undefined) return row.defaultNote;
    if (row.defaults.length === 0) return "none";
    return row.defaults.map(({ value, since }) => `\`${row.type.print(value)}\`${since === undefined ? "" : ` (from ${since} on)`}`).join(", ");
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

function renderExternal(): string {
    const lines = external.map((row) => `| \`${row.suffix}\` | ${row.product} | ${cell(row.doc)} |`);
    return [
        "## Known, but not realised",
        "",
        "The Cloud Controller Manager reads these too. This version refuses them by name.",
        "",
        "| Annotation | Product | Meaning |",
        "|---|---|---|",
        ...lines,
    ].join("\n");
}

/** Where the page belongs, whatever the working directory. */
const PAGE = join(__dirname, "..", "..", "..", "docs", "annotations.md");

function main(args: readonly string[]): number {
    const text = renderAnnotations();
    if (!args.includes("--check")) {
        writeFileSync(PAGE, text);
        return 0;
    }
    if (readFileSync(PAGE, "utf8") === text) return 0;
    console.error("docs/annotations.md is not what the catalogue says: run node dist/provider/annotations/docs.js");
    return 1;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
