/** Results of a check for programs: lines, JSON, SARIF and JUnit XML. */

import { type Diagnostic, type DiagnosticPlace, formatCause } from "../../provider/diagnostics";
import { formatDiagnostics, formatPosition, printable, printableJson } from "../../provider/diagnostics";
import { defined } from "../../provider/schema/defined";
import type { Rule, Violation } from "../../policies/rule";
import { packageVersion } from "../../provider/host/version";
import { EXIT, formatAnswer } from "../command/output";
import { escapeXml } from "../command/page";
import type { Inputs } from "./inputs";
import { countsOf, summaryOf } from "./text";

/** Returns the exit code. Unreadable inputs take precedence, as they may contain violations. */
export function exitCode(inputs: Pick<Inputs, "unreadable">, violations: readonly Violation[]): number {
    if (inputs.unreadable.length > 0) return EXIT.unreadable;
    return violations.some(({ level }) => level === "mandatory") ? EXIT.found : EXIT.ok;
}

/** Renders violations as lines in the form of compilers, for editors and `grep`. */
export function renderCompact(inputs: Inputs, violations: readonly Violation[]): string {
    const unreadable = inputs.unreadable.length === 0 ? [] : [formatDiagnostics(inputs.unreadable)];
    const lines = violations.map((violation) => {
        const { level, rule, place, remedy } = violation;
        const subject = place.subject === undefined ? "" : `${printable(place.subject)}: `;
        const text = `${level}[${rule.name}]: ${subject}${formatCause(violation)}; remedy: ${printable(remedy)}`;
        return printable(`${placeOf(place)}${text}`);
    });
    return [...unreadable, ...lines, summaryOf(inputs, violations)].map((line) => `${line}\n`).join("");
}

const placeOf = ({ position }: DiagnosticPlace): string =>
    position === undefined ? "" : `${formatPosition(position)}: `;

export function renderCheckJson(inputs: Inputs, violations: readonly Violation[]): string {
    return formatAnswer({
        exitCode: exitCode(inputs, violations),
        summary: { ...countsOf(violations), services: inputs.services.length, resources: inputs.resources.length },
        violations: violations.map((violation) => ({
            level: violation.level,
            rule: violation.rule.name,
            severity: violation.rule.severity,
            subject: violation.place.subject,
            message: formatCause(violation),
            remedy: violation.remedy,
            source: violation.source,
            ...violation.place.position,
            ...defined({ urn: violation.urn }),
        })),
        unreadable: inputs.unreadable.map(({ code, place, cause, remedy }) => ({
            what: place.subject === "" ? place.position?.file : place.subject,
            why: cause,
            code,
            remedy,
            ...place.position,
        })),
    });
}

const LEVELS = { mandatory: "error", advisory: "warning", disabled: "none" } as const;

/** Renders SARIF 2.1.0, for code scanning of GitHub, GitLab and Azure DevOps. GitHub requires a file of each result. */
export function renderSarif(inputs: Inputs, violations: readonly Violation[]): string {
    const rules = [...new Map(violations.map(({ rule }) => [rule.name, rule])).values()];
    const report = {
        $schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [
            {
                tool: { driver: { name: "ack-loadbalancer", version: packageVersion(), rules: rules.map(describe) } },
                invocations: [
                    {
                        executionSuccessful: inputs.unreadable.length === 0,
                        exitCode: exitCode(inputs, violations),
                        toolExecutionNotifications: inputs.unreadable.map(notification),
                    },
                ],
                results: violations.map((violation) => ({
                    ruleId: violation.rule.name,
                    ruleIndex: rules.indexOf(violation.rule),
                    level: LEVELS[violation.level],
                    message: { text: `${formatCause(violation)}\nremedy: ${violation.remedy}` },
                    locations: [location({ position: { file: inputs.file, line: 1, col: 1 }, ...violation.place })],
                })),
            },
        ],
    };
    return printableJson(report);
}

const describe = ({ name, title, remedy, source }: Rule) => ({
    id: name,
    shortDescription: { text: title },
    help: { text: `${remedy}\nsource: ${source}` },
});

const notification = ({ code, cause, remedy, place }: Diagnostic) => ({
    descriptor: { id: code },
    level: "error",
    message: { text: `${cause}\nremedy: ${remedy}` },
    locations: [location(place)],
});

function location({ subject, position }: DiagnosticPlace) {
    return {
        ...(position?.file && {
            physicalLocation: {
                artifactLocation: { uri: position.file.split(/[\\/]/).map(encodeURIComponent).join("/") },
                region: { startLine: position.line, startColumn: position.col },
            },
        }),
        ...(subject && { logicalLocations: [{ fullyQualifiedName: subject }] }),
    };
}

/** Renders JUnit XML: a case for each violation and each input that cannot be read. Advice passes. */
export function renderJunit(inputs: Inputs, violations: readonly Violation[]): string {
    const cases = [
        ...inputs.unreadable.map(({ code, place, cause, remedy = "" }) =>
            renderCase(place, code, `${placeOf(place)}${printable(cause)}\nremedy: ${printable(remedy)}`, "error"),
        ),
        ...violations.map((one) => {
            const text = `${placeOf(one.place)}${formatCause(one)}\nremedy: ${printable(one.remedy)}`;
            return renderCase(one.place, one.rule.name, text, one.level === "mandatory" ? "failure" : undefined);
        }),
    ];
    // CI servers treat a report without cases as missing.
    const all = cases.length > 0 ? cases : [renderCase({ subject: "every rule" }, "check", "no violation")];
    const { mandatory: failures } = countsOf(violations);
    const totals = `tests="${all.length}" failures="${failures}" errors="${inputs.unreadable.length}"`;
    return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="ack-loadbalancer check" ${totals}>`,
        `  <testsuite name="ack-loadbalancer check" ${totals}>`,
        ...all,
        "  </testsuite>\n</testsuites>\n",
    ].join("\n");
}

function renderCase({ subject }: DiagnosticPlace, group: string, text: string, outcome?: "failure" | "error"): string {
    const name = subject === undefined || subject === "" ? "input" : printable(subject);
    const head = `    <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}">`;
    const body =
        outcome === undefined
            ? `<system-out>${escapeXml(text)}</system-out>`
            : `<${outcome} message="${escapeXml(text.split("\n")[0] ?? "")}">${escapeXml(text)}</${outcome}>`;
    return `${head}${body}</testcase>`;
}
