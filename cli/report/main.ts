/** `ack-loadbalancer report`: reports the effects of a saved preview on traffic. */

import * as fs from "node:fs";
import { ClusterError, type ClusterOptions, openCluster } from "../../provider/cluster";
import { DiagnosticsError } from "../../provider/diagnostics";
import { defined } from "../../provider/schema/defined";
import type { ConfiguredRule } from "../../policies/rule";
import { configureRules } from "../../policies/rule/config";
import { RULES } from "../../policies/rules";
import * as line from "../command/command-line";
import { readJson, readText, tryFile, unreadable } from "../command/input";
import { EXIT, type Output, UsageError } from "../command/output";
import { type PreviewDigest, readDigest, readFormerResources, readResources } from "./preview";
import { checkInputs } from "./rules";
import { buildReport, nameBackends, removedServices } from "./build";
import { findingsOf } from "./findings";
import { FORMATS, renderReport } from "./formats/render";
import { type Report, reportSchema, VERDICTS } from "./model";
import { type Step, stepsOf } from "./step";

/** Conditions for exit code 1: verdicts, a mandatory violation, a public address that is released. */
const GATES = [...VERDICTS.slice(1), "violations", "address-released"] as const;

type Gate = (typeof GATES)[number];

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
    context: line.CLUSTER_OPTIONS.context,
    schema: { text: "print the JSON schema of --format json" },
} as const satisfies line.Options;

const USAGE = `usage: ack-loadbalancer report <preview.json> [options]

Says what a preview does to the traffic of each Service. It reads what this prints:

  pulumi preview --json --show-sames > preview.json

  <preview.json>            the saved preview; - reads standard input
${line.describeOptions(OPTIONS)}

Exit code: 0 no gate is reached, 1 a gate is reached, 2 the command line or an input cannot be read.
`;

/** Reads the command line after `report`. @throws UsageError */
export function readReportArguments(argv: readonly string[]) {
    const { values, positionals } = line.readOptions(argv, OPTIONS);
    if (values.schema === true) return "schema" as const;
    const [preview, ...further] = positionals;
    if (preview === undefined) throw new UsageError("name the file with the preview");
    if (further.length > 0) throw new UsageError(`one preview at a time; unexpected argument ${further.join(", ")}`);
    const { config, output, "max-characters": characters, kubeconfig, context } = values;
    return {
        preview,
        format: line.formatOf(values.format, FORMATS),
        gates: (values["fail-on"] ?? []).flatMap((list) => list.split(",")).map(gateOf),
        characters: characters === undefined ? undefined : numberOf(characters),
        config,
        output,
        // Without a cluster, backends stand with their ids.
        cluster: kubeconfig === undefined && context === undefined ? undefined : defined({ kubeconfig, context }),
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

export const runReport = (argv: readonly string[], output: Output): Promise<number> =>
    line.runCommand(USAGE, argv, output, () => report(argv, output), DiagnosticsError);

async function report(argv: readonly string[], output: Output): Promise<number> {
    const options = readReportArguments(argv);
    if (options === "schema") {
        output.out(`${JSON.stringify(reportSchema(), undefined, 4)}\n`);
        return EXIT.ok;
    }
    const { config, gates, format, characters } = options;
    const rules = configureRules(RULES, config === undefined ? {} : readJson(config));
    const digest = readDigest(readText(options.preview), options.preview, "docs/report.md");
    const built = reportOf(digest, rules);
    if (built.subjects.length === 0 && !built.failed) throw noService(options.preview, built);
    const result = options.cluster === undefined ? built : await named(built, stepsOf(digest), options.cluster, output);
    const text = renderReport(result, format, characters, output.terminal);
    const file = options.output;
    const remedy = "name a file in a folder that exists";
    if (file === undefined) output.out(text);
    else tryFile(file, "cannot be written", remedy, () => void fs.writeFileSync(file, text));
    const reached = gates.filter((gate) => reaches(result, gate));
    if (reached.length === 0) return EXIT.ok;
    output.error(
        result.failed ? "the preview failed: the update cannot run\n" : `gate reached: ${reached.join(", ")}\n`,
    );
    return EXIT.found;
}

/** Returns the report on a preview, with the findings of these rules. */
export function reportOf(digest: PreviewDigest, rules: readonly ConfiguredRule[]): Report {
    const steps = stepsOf(digest);
    const { diagnostics, changeSummary } = digest;
    const removed = removedServices(steps);
    const found = checkInputs({ services: [], resources: readResources(digest), removed }, rules);
    const former = checkInputs({ services: [], resources: readFormerResources(digest), removed: [] }, rules);
    return buildReport({
        steps,
        unchanged: changeSummary?.same,
        failed: diagnostics?.some(({ severity }) => severity === "error") === true,
        findings: findingsOf(found, diagnostics ?? [], steps, former),
    });
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

function noService(file: string, { project, stack }: Report): DiagnosticsError {
    const cause = `the preview${project === "" ? "" : ` of ${project}/${stack}`} has no Service of ack-loadbalancer`;
    const remedy = "save the preview of a stack that uses the package, with pulumi preview --json --show-sames";
    return new DiagnosticsError([unreadable(file, cause, remedy)]);
}

/** True if a gate is reached. A preview that failed reaches every gate. */
function reaches(result: Report, gate: Gate): boolean {
    if (result.failed) return true;
    if (gate === "address-released") return result.losses.length > 0;
    if (gate === "violations")
        return [result, ...result.subjects].some(({ findings }) => findings.some((one) => one.severity === "error"));
    return VERDICTS.indexOf(result.verdict) >= VERDICTS.indexOf(gate);
}
