/** Result as SARIF 2.1.0, for code scanning of GitHub, GitLab and Azure DevOps. */

import { type Diagnostic, formatCause, type DiagnosticPlace, printableJson } from "../../provider/diagnostics";
import { packageVersion } from "../../policies/version";
import type { Rule, Violation } from "../../policies/rule";
import type { Inputs } from "./inputs";
import { exitCode } from "./report";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/** Levels of SARIF by those of rules. */
const LEVELS = { mandatory: "error", advisory: "warning", disabled: "none" } as const;

export function renderSarif(inputs: Inputs, violations: readonly Violation[]): string {
    const rules = [...new Map(violations.map(({ rule }) => [rule.name, rule])).values()];
    const report = {
        $schema: SCHEMA,
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
                    locations: [location(violation.place)],
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
                artifactLocation: { uri: position.file.split("\\").map(encodeURI).join("/") },
                region: { startLine: position.line, startColumn: position.col },
            },
        }),
        ...(subject && { logicalLocations: [{ fullyQualifiedName: subject }] }),
    };
}
