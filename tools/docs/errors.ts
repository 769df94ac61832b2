/**
 * Writes `docs/errors.md` from the tables of findings: `node dist/tools/docs/errors.js`.
 * With `--check` it writes nothing and fails if the file is not what the tables say.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagnoses, type DiagnosisRow } from "../../provider/alicloud/diagnose";

const INTRODUCTION = `<!-- Generated from provider/alicloud/diagnoses by \`node dist/tools/docs/errors.js\`. Do not edit. -->
# Errors

What an error of the cloud, or of a Service event that the Cloud Controller Manager (CCM) wrote, means, and what to do. The same cause and remedy stand behind the error
where it happens; \`diagnose\` in \`ack-loadbalancer/provider\` gives them for any code, message or event text.

An ellipsis stands for any text. Upper and lower case do not count in messages. The first finding that fits is told.`;

/** The whole page. */
export function renderErrors(): string {
    const overview = diagnoses.map((row) => `| [${row.code}](#${row.code}) | ${symptoms(row).map(code).join(", ")} |`);
    return `${[INTRODUCTION, "", "| Finding | Codes and messages |", "|---|---|", ...overview].join("\n")}\n\n${diagnoses.map(renderRow).join("\n\n")}\n`;
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

/** What is looked for, as a reader knows it. */
function symptoms(row: DiagnosisRow): string[] {
    return [...(row.codes ?? []).map(shownCode), ...(row.messages ?? []).map(shownMessage)];
}

/** An error code, or the part that a family of codes shares. */
export function shownCode(known: string | RegExp): string {
    if (typeof known === "string") return known;
    return `${known.source.startsWith("^") ? "" : "…"}${example(known)}${known.source.endsWith("$") ? "" : "…"}`;
}

/** What a message says, as one text that the pattern finds. */
export function shownMessage(pattern: RegExp): string {
    return example(pattern);
}

/** One text that a pattern of the tables matches: the first of its alternatives, without what is optional. */
function example({ source }: RegExp): string {
    return firstAlternatives(source.replaceAll(/\\b|^\^|\$$/g, "").replaceAll(/\(\?![^)]*\)/g, ""))
        .replaceAll(/\[(.)[^\]]*\]/g, "$1")
        .replaceAll(" ?", "")
        .replaceAll("\\d", "0")
        .replaceAll(/\\?(.)\?/g, "$1")
        .replaceAll(".*", " … ")
        .replaceAll(/\\(.)/g, "$1")
        .replaceAll(/ {2,}/g, " ");
}

/** Groups from the inside outwards: an optional one goes, of the others the first alternative stays. */
function firstAlternatives(source: string): string {
    const next = source.replace(/\(\?:([^|()]*)[^()]*\)(\??)/, (_, first: string, optional: string) =>
        optional === "" ? first : "",
    );
    return next === source ? source : firstAlternatives(next);
}

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

/** Where the page belongs, whatever the working directory. */
const PAGE = join(__dirname, "..", "..", "..", "docs", "errors.md");

function main(args: readonly string[]): number {
    const text = renderErrors();
    if (!args.includes("--check")) {
        writeFileSync(PAGE, text);
        return 0;
    }
    if (readFileSync(PAGE, "utf8") === text) return 0;
    console.error("docs/errors.md is not what the tables say: run node dist/tools/docs/errors.js");
    return 1;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
