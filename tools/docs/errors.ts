/** Writes `docs/errors.md` from the tables of findings: `node dist/tools/docs/errors.js`. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagnoses, type DiagnosisRow } from "../../provider/cloud/diagnose";
import { wrapMarkdown } from "./wrap";

const INTRODUCTION = `<!-- Generated from provider/cloud/diagnoses by \`node dist/tools/docs/errors.js\`. Do not edit. -->
# Errors

Causes and remedies of errors of the cloud, and of Service events of the Cloud Controller Manager (CCM). An error message
of this package contains both. For any other code, message or event, run \`npx ack-loadbalancer explain <error>\`. It also
reads the output of kubectl: \`kubectl describe service shop | npx ack-loadbalancer explain -\`. Programs call \`diagnose\`
of \`ack-loadbalancer/provider\`.

A warning explains errors of the alicloud plugin, which creates and deletes instances, listeners and server groups.
\`pulumi destroy\` does not run the program and shows only the plugin's message: give it to
\`npx ack-loadbalancer explain\`, or run \`pulumi destroy --run-program\`.

An ellipsis matches any text. Messages are not case-sensitive. The first matching row applies.`;

/** The whole page. */
export function renderErrors(): string {
    const overview = diagnoses.map((row) => `| [${row.code}](#${row.code}) | ${symptoms(row).map(code).join(", ")} |`);
    const head = [INTRODUCTION, "", "| Error | Codes and messages |", "|---|---|", ...overview].join("\n");
    return `${wrapMarkdown([head, ...diagnoses.map(renderRow)].join("\n\n"))}\n`;
}

function renderRow(row: DiagnosisRow): string {
    const codes = (row.codes ?? []).map((known) => code(shownCode(known)));
    const messages = (row.messages ?? []).map((pattern) => code(shownMessage(pattern)));
    const facts: [string, readonly string[]][] = [
        ["Code", codes],
        ["Message", messages],
        ["Cause", [row.cause]],
        ["Remedy", [row.remedy]],
        ["Document", [row.source]],
    ];
    return [
        `## ${row.code}`,
        "",
        ...facts.flatMap(([name, texts]) => (texts.length === 0 ? [] : [`- ${name}: ${texts.join(", ")}`])),
    ].join("\n");
}

/** Codes and messages, as the page shows them. */
function symptoms(row: DiagnosisRow): string[] {
    return [...(row.codes ?? []).map(shownCode), ...(row.messages ?? []).map(shownMessage)];
}

/** An error code, or the part that a family of codes shares. */
export function shownCode(known: string | RegExp): string {
    if (typeof known === "string") return known;
    return `${known.source.startsWith("^") ? "" : "…"}${example(known)}${known.source.endsWith("$") ? "" : "…"}`;
}

/** A message that the pattern matches. */
export function shownMessage(pattern: RegExp): string {
    return example(pattern);
}

/** Returns a text that a pattern of the tables matches: the first of its alternatives, without optional parts. */
function example({ source }: RegExp): string {
    return firstAlternatives(source.replaceAll(/\\b|^\^|\$$/g, "").replaceAll(/\(\?![^)]*\)/g, ""))
        .replaceAll(/\[(.)[^\]]*\]/g, "$1")
        .replaceAll("\\s*", "")
        .replaceAll(" ?", "")
        .replaceAll("\\d", "0")
        .replaceAll(/\\?(.)\?/g, "$1")
        .replaceAll(".*", " … ")
        .replaceAll(/\\(.)/g, "$1")
        .replaceAll(/ {2,}/g, " ");
}

/** Resolves groups from the inside outwards. Optional groups are dropped, others keep their first alternative. */
function firstAlternatives(source: string): string {
    const next = source.replace(/\(\?:([^|()]*)[^()]*\)(\??)/, (_, first: string, optional: string) =>
        optional === "" ? first : "",
    );
    return next === source ? source : firstAlternatives(next);
}

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

if (require.main === module) writeFileSync(join(__dirname, "../../../docs/errors.md"), renderErrors());
