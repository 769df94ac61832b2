/** `ack-loadbalancer report`: reports the effects of a saved preview on traffic. */

import * as fs from "node:fs";
import { DiagnosticsError } from "../../provider/diagnostics";
import { type Output, reportError, EXIT } from "../command/output";
import { buildReport, isAsSevere, type Report, renderReport, reportSchema } from ".";
import { ConfigError, configureRules } from "../../policies/rule/config";
import { PreviewError, readDigest, readResources } from "../rules/preview";
import { readInput } from "../command/input";
import { checkInputs } from "../rules/run";
import { removedServices, stepsOf } from "./previewed";
import { RULES } from "../../policies/rules";
import { type Gate, readReportArguments, type ReportOptions, REPORT_USAGE } from "./arguments";
import { findingsOf } from "./findings";

/** A file that cannot be read, or has no expected content. */
class InputError extends Error {}

/** Runs the command line after `report`. Returns the exit code. */
export function runReport(argv: readonly string[], output: Output): number {
    try {
        const options = readReportArguments(argv);
        if (options === "help" || options === "schema") {
            output.out(options === "help" ? REPORT_USAGE : `${JSON.stringify(reportSchema(), undefined, 4)}\n`);
            return EXIT.ok;
        }
        return report(options, output);
    } catch (error) {
        return reportError(error, REPORT_USAGE, output, InputError, ConfigError, DiagnosticsError);
    }
}

function report(options: ReportOptions, output: Output): number {
    const { config, gates, format, characters } = options;
    const rules = configureRules(RULES, config === undefined ? {} : parseJson(config));
    const digest = located(options.preview, () => readDigest(readText(options.preview)));
    const resources = readResources(digest);
    const findings = findingsOf(
        checkInputs({ services: [], resources, removed: removedServices(digest) }, rules),
        digest,
    );
    const result = buildReport({
        steps: stepsOf(digest),
        failed: (digest.diagnostics ?? []).some(({ severity }) => severity === "error"),
        findings,
    });
    if (result.subjects.length === 0 && !result.failed) throw new InputError(noService(options.preview, result));
    const text = renderReport(result, format, characters === undefined ? {} : { characters });
    if (options.output === undefined) output.out(text);
    else writeText(options.output, text);
    const reached = gates.filter((gate) => reaches(result, gate));
    if (reached.length > 0)
        output.error(
            result.failed ? "the preview failed: the update cannot run\n" : `gate reached: ${reached.join(", ")}\n`,
        );
    return reached.length > 0 ? EXIT.found : EXIT.ok;
}

function noService(file: string, { project, stack }: Report): string {
    const whose = project === "" ? "" : ` of ${project}/${stack}`;
    return (
        `error: ${file}: the preview${whose} has no Service of ack-loadbalancer\n` +
        "    remedy: save the preview of a stack that uses the package, with pulumi preview --json --show-sames"
    );
}

/** True if a gate is reached; a preview that failed reaches each of them. */
function reaches(result: Report, gate: Gate): boolean {
    if (result.failed) return true;
    if (gate === "address-released") return result.losses.length > 0;
    if (gate === "violations")
        return [...result.findings, ...result.subjects.flatMap(({ findings }) => findings)].some(
            ({ severity }) => severity === "error",
        );
    return isAsSevere(result.verdict, gate);
}

function parseJson(file: string): unknown {
    try {
        return JSON.parse(readText(file)) as unknown;
    } catch (error) {
        if (error instanceof InputError) throw error;
        throw new InputError(`error: ${file}: it is no JSON: ${(error as Error).message}`);
    }
}

/** Adds the name of the file to errors of a preview. */
function located<T>(file: string, read: () => T): T {
    try {
        return read();
    } catch (error) {
        if (!(error instanceof PreviewError)) throw error;
        throw new PreviewError(error.diagnostics.map((one) => ({ ...one, place: { subject: file, ...one.place } })));
    }
}

function readText(file: string): string {
    try {
        return readInput(file);
    } catch (error) {
        throw new InputError(
            `error: ${file}: cannot be read: ${(error as Error).message}\n` +
                "    remedy: name a file that exists and can be read",
        );
    }
}

function writeText(file: string, text: string): void {
    try {
        fs.writeFileSync(file, text);
    } catch (error) {
        throw new InputError(
            `error: ${file}: cannot be written: ${(error as Error).message}\n` +
                "    remedy: name a file in a folder that exists",
        );
    }
}
