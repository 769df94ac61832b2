/** Result as JUnit XML: a case for each violation and each input that cannot be read. */

import { formatCause, formatPosition, type DiagnosticPlace, printable } from "../../provider/diagnostics";
import type { Violation } from "../../policies/rule";
import type { Inputs } from "./inputs";

interface Case {
    readonly name: string;
    readonly group: string;
    /** Absent for advice, which passes. */
    readonly outcome?: "failure" | "error";
    readonly text: string;
}

export function renderJunit(inputs: Inputs, violations: readonly Violation[]): string {
    const cases: Case[] = [
        ...inputs.unreadable.map(({ code, place, cause, remedy }) => ({
            name: named(place),
            group: code,
            outcome: "error" as const,
            text: `${at(place)}${printable(cause)}\nremedy: ${printable(remedy ?? "")}`,
        })),
        ...violations.map((violation) => ({
            name: named(violation.place),
            group: violation.rule.name,
            ...(violation.level === "mandatory" && { outcome: "failure" as const }),
            text: `${at(violation.place)}${formatCause(violation)}\nremedy: ${printable(violation.remedy)}`,
        })),
    ];
    // CI servers treat a report without cases as missing.
    const all = cases.length > 0 ? cases : [{ name: "every rule", group: "check", text: "no violation" }];
    const count = (outcome: Case["outcome"]): number => all.filter((one) => one.outcome === outcome).length;
    const totals = `tests="${all.length}" failures="${count("failure")}" errors="${count("error")}"`;
    return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="ack-loadbalancer check" ${totals}>`,
        `  <testsuite name="ack-loadbalancer check" ${totals}>`,
        ...all.map(renderCase),
        "  </testsuite>",
        "</testsuites>",
        "",
    ].join("\n");
}

function renderCase({ name, group, outcome, text }: Case): string {
    const head = `    <testcase classname="${escaped(group)}" name="${escaped(name)}">`;
    const body =
        outcome === undefined
            ? `<system-out>${escaped(text)}</system-out>`
            : `<${outcome} message="${escaped(text.split("\n")[0] ?? "")}">${escaped(text)}</${outcome}>`;
    return `${head}${body}</testcase>`;
}

const named = ({ subject }: DiagnosticPlace): string =>
    subject === undefined || subject === "" ? "input" : printable(subject);

const at = ({ position }: DiagnosticPlace): string => (position === undefined ? "" : `${formatPosition(position)}: `);

const ENTITIES: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

/** Escapes text for XML 1.0, which allows no surrogate halves and few control characters. */
function escaped(text: string): string {
    return text
        .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
        .replaceAll(/[&<>"']/g, (character) => `&${ENTITIES[character]};`);
}
