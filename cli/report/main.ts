/** `ack-loadbalancer report`: reports the effects of a saved preview on traffic. */

import * as fs from "node:fs";
import { ClusterError, type ClusterOptions, openCluster } from "../../provider/cluster";
import { DiagnosticsError } from "../../provider/diagnostics";
import { defined } from "../../provider/schema/defined";
import { ConfigError } from "../../policies/rule/config";
import { configureRules } from "../../policies/rule/configure";
import { RULES } from "../../policies/rules";
import { CLUSTER_OPTIONS, describeOptions, formatOf, type Options, readOptions } from "../command/command-line";
import { runCommand } from "../command/command-line";
import { readInput } from "../command/input";
import { EXIT, type Output, UsageError } from "../command/output";
import { PreviewError, readDigest, readResources } from "./preview";
import { checkInputs } from "./rules";
import { buildReport, removedServices } from "./build";
import { findingsOf } from "./findings";
import { type Format, FORMATS, renderReport } from "./formats/render";
import { type Report, reportSchema, VERDICTS } from "./model";
import { nameBackends } from "./names";
import { type Step, stepsOf } from "./step";
import { isAsSevere } from "./verdict";

/** Conditions for exit code 1: verdicts, a mandatory violation, a public address that is released. */
const GATES = [...VERDICTS.slice(1), "violations", "address-released"] as const;

type Gate = (typeof GATES)[number];

interface ReportOptions {
    /** The saved preview; `-` is standard input. */
    readonly preview: string;
    readonly format: Format;
    readonly gates: readonly Gate[];
    /** Levels and settings of rules. */
    readonly config?: string;
    /** File to write to. Default: standard output. */
    readonly output?: string;
    /** Most characters of markdown. */
    readonly characters: number | undefined;
    /** Cluster that names the backends. Default: none, and they stand with their ids. */
    readonly cluster?: ClusterOptions;
}

const OPTIONS = {
    format: { value: "<format>", text: `${FORMATS.join(", ")} (default text)` },
    output: { value: "<file>", text: "write to a file" },
    "fail-on": {
        value: "<gate,...>",
        multiple: true,
        text:
            "exit with 1 at a verdict or a graver one, at mandatory violations of the rules, or\n" +
            "when a public address is released. From the least to the gravest:\n" +
            `${VERDICTS.slice(1).join(", ")};\n` +
            "and violations, address-released",
    },
    config: { value: "<file>", text: "levels and settings of rules, as for --policy-pack-config" },
    "max-characters": {
        value: "<n>",
        text: "most characters of markdown (default 65536, GitHub's limit; GitLab allows 1000000)",
    },
    kubeconfig: { value: "<file>", text: "a cluster that names nodes and pods; without one, backends are ids" },
    context: CLUSTER_OPTIONS.context,
    schema: { text: "print the JSON schema of --format json" },
} as const satisfies Options;

const USAGE = `usage: ack-loadbalancer report <preview.json> [options]

Says what a preview does to the traffic of each Service. It reads what this prints:

  pulumi preview --json --show-sames > preview.json

  <preview.json>            the saved preview; - reads standard input
${describeOptions(OPTIONS)}

Exit code: 0 no gate is reached, 1 a gate is reached, 2 the command line or an input cannot be read.
`;

/**
 * Reads the command line after `report`.
 *
 * @throws UsageError
 */
export function readReportArguments(argv: readonly string[]): ReportOptions | "schema" {
    const { values, positionals } = readOptions(argv, OPTIONS);
    if (values.schema === true) return "schema";
    const [preview, ...further] = positionals;
    if (preview === undefined) throw new UsageError("name the file with the preview");
    if (further.length > 0) throw new UsageError(`one preview at a time; unexpected argument ${further.join(", ")}`);
    const { config, output, kubeconfig, context } = values;
    const characters = values["max-characters"];
    return {
        preview,
        format: formatOf(values.format, FORMATS),
        gates: (values["fail-on"] ?? []).flatMap((list) => list.split(",")).map(gateOf),
        characters: characters === undefined ? undefined : numberOf(characters),
        ...defined({
            config,
            output,
            cluster: kubeconfig === undefined && context === undefined ? undefined : defined({ kubeconfig, context }),
        }),
    };
}

function gateOf(text: string): Gate {
    const gate = GATES.find((one) => one === text);
    if (gate === undefined) throw new UsageError(`--fail-on: unknown gate "${text}"; use ${GATES.join(", ")}`);
    return gate;
}

function numberOf(text: string): number {
    if (!/^[1-9]\d{2,8}$/.test(text))
        throw new UsageError(`--max-characters: "${text}" is not allowed; write a number of 100 or more`);
    return Number(text);
}

/** A file that cannot be read, or has no expected content. */
class InputError extends Error {}

/** Runs the command line after `report`. Returns the exit code. */
export const runReport = (argv: readonly string[], output: Output): Promise<number> =>
    runCommand(USAGE, argv, output, () => report(argv, output), InputError, ConfigError, DiagnosticsError);

async function report(argv: readonly string[], output: Output): Promise<number> {
    const options = readReportArguments(argv);
    if (options === "schema") {
        output.out(`${JSON.stringify(reportSchema(), undefined, 4)}\n`);
        return EXIT.ok;
    }
    const { config, gates, format, characters } = options;
    const rules = configureRules(RULES, config === undefined ? {} : parseJson(config));
    const digest = located(options.preview, () => readDigest(readText(options.preview)));
    const resources = readResources(digest);
    const steps = stepsOf(digest);
    const found = checkInputs({ services: [], resources, removed: removedServices(steps) }, rules);
    const diagnostics = digest.diagnostics ?? [];
    const failed = diagnostics.some(({ severity }) => severity === "error");
    const built = buildReport({ steps, failed, findings: findingsOf(found, diagnostics, steps) });
    if (built.subjects.length === 0 && !built.failed) throw new InputError(noService(options.preview, built));
    const result = options.cluster === undefined ? built : await named(built, steps, options.cluster, output);
    const text = renderReport(result, format, characters);
    if (options.output === undefined) output.out(text);
    else writeText(options.output, text);
    const reached = gates.filter((gate) => reaches(result, gate));
    if (reached.length > 0)
        output.error(
            result.failed ? "the preview failed: the update cannot run\n" : `gate reached: ${reached.join(", ")}\n`,
        );
    return reached.length > 0 ? EXIT.found : EXIT.ok;
}

/** Names the backends. A cluster that cannot be read costs the names, not the report. */
async function named(report: Report, steps: readonly Step[], cluster: ClusterOptions, output: Output): Promise<Report> {
    try {
        return await nameBackends(report, steps, openCluster(cluster));
    } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        output.error(`backends have no names:\n${error.message}\n`);
        return report;
    }
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
