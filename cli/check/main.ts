/** `ack-loadbalancer check`: checks files by the rules of the policy pack. */

import { EXIT, reportError, type Output } from "../command/output";
import { RULES } from "../../policies/rules";
import { type CheckFormat, readCheckArguments, CHECK_USAGE } from "./arguments";
import { ConfigError, configureRules } from "../../policies/rule/config";
import { type Inputs, readInputs } from "./inputs";
import { renderJunit } from "./junit";
import { exitCode, renderCheckJson, renderCheckTable } from "./report";
import { checkInputs } from "../rules/run";
import { renderSarif } from "./sarif";
import type { Violation } from "../../policies/rule";

/** Runs the command line after `check`. Returns the exit code. */
export function runCheck(argv: readonly string[], output: Output): number {
    try {
        return check(argv, output);
    } catch (error) {
        return reportError(error, CHECK_USAGE, output, ConfigError);
    }
}

const RENDERERS: Readonly<Record<CheckFormat, (inputs: Inputs, violations: readonly Violation[]) => string>> = {
    text: renderCheckTable,
    json: renderCheckJson,
    sarif: renderSarif,
    junit: renderJunit,
};

function check(argv: readonly string[], output: Output): number {
    const options = readCheckArguments(argv);
    if (options === "help") {
        output.out(CHECK_USAGE);
        return EXIT.ok;
    }
    const inputs = readInputs(options);
    const violations = checkInputs(inputs, configureRules(RULES, inputs.config === undefined ? {} : inputs.config));
    output.out(RENDERERS[options.format](inputs, violations));
    return exitCode(inputs, violations);
}
