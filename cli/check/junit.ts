/** Result as JUnit XML: a case for each violation and each input that cannot be read. */

import { formatCause, formatPosition, type DiagnosticPlace, printable } from "../../provider/diagnostics";
import { escapeXml } from "../command/page";
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
    const head = `    <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}">`;
    const body =
        outcome === undefined
            ? `<system-out>${escapeXml(text)}</system-out>`
            : `<${outcome} message="${escapeXml(text.split("\n")[0] ?? "")}">${escapeXml(text)}</${outcome}>`;
    return `${head}${body}</testcase>`;
}

const named = ({ subject }: DiagnosticPlace): string =>
    subject === undefined || subject === "" ? "input" : printable(subject);

const at = ({ position }: DiagnosticPlace): string => (position === undefined ? "" : `${formatPosition(position)}: `);
