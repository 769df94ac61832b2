/** `ack-loadbalancer explain`: explains a Service that does not work, an error of the cloud or a Service event. */

import { diagnose, type Diagnosis, formatDiagnosis } from "../../provider/cloud/diagnose";
import { formatOf, readOptions, runCommand } from "../command/command-line";
import { readInput } from "../command/input";
import { EXIT, formatAnswer, type Output, UsageError } from "../command/output";
import { renderPage } from "../command/page";
import * as command from "../inspect/command";
import { addressesOf, type InspectedService, serviceNameOf } from "../inspect/model";
import { describeFacts } from "../inspect/facts";
import { notChecked } from "./certificates";
import { examine, judge } from "./examine";

const USAGE = `usage: ack-loadbalancer explain <namespace>/<name> [options]
       ack-loadbalancer explain <error code, message or event text>...
       kubectl describe service <name> | ack-loadbalancer explain -

Of a Service: looks at it in cluster and cloud, changes nothing, and says what is wrong, in the order of the way of a
packet, with evidence, remedy and document.

${command.INSPECTION_USAGE}
Of an error of the cloud's API or of a Service event: tells cause and remedy; docs/errors.md lists all that are known.

Exit code: 0 nothing broken was found, or the error is known; 1 something is broken, or the error is not known;
2 cluster or cloud could not be checked, or the command line is invalid.
`;

/** Name of a Service, which no error code or message matches. */
const SERVICE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

export const runExplain = (argv: readonly string[], output: Output): Promise<number> =>
    argv.some((word) => SERVICE_NAME.test(word))
        ? command.runInspection(USAGE, argv, output, async (options) =>
              describeExplanations(await command.inspectNamed(options)),
          )
        : explainError(argv, output);

/** Returns the page of a Service with the findings, in the order of the way of a packet. */
export function describeExplanations(live: InspectedService): command.InspectionAnswer {
    const explanations = examine(live);
    const judgement = judge(live, explanations);
    const service = serviceNameOf(live.object);
    const addresses = addressesOf(live.object).join(", ") || "no address";
    const sections = explanations.map(({ verdict, what, evidence, remedy, source }, index) => ({
        title: `${index + 1}. ${what} (${verdict})`,
        lines: [...evidence.map((text) => `evidence: ${text}`), `remedy: ${remedy}`, `see: ${source}`],
    }));
    const unseen = { title: "Not checked", lines: notChecked(live) };
    const summary = `Service ${service} (${addresses}): ${judgement.summary}`;
    return {
        page: { title: `Service ${service}`, summary, sections: [...sections, unseen, describeFacts(live.seen)] },
        data: { service, ...judgement, explanations, notChecked: unseen.lines, facts: live.seen.shown },
        code: command.EXIT_OF[judgement.health],
    };
}

export const explainError = (argv: readonly string[], output: Output, readText = () => readInput("-")) =>
    runCommand(USAGE, argv, output, () => {
        const { values, positionals } = readOptions(argv, command.INSPECTION_OPTIONS);
        const format = formatOf(values.format, command.INSPECTION_FORMATS);
        const text = positionals.length === 1 && positionals[0] === "-" ? readText() : positionals.join(" ");
        if (text.trim() === "") throw new UsageError("give an error code, a message or the text of an event");
        const found = diagnose(text);
        if (found === undefined) {
            output.error("nothing is known of this error; docs/errors.md lists all that are known\n");
            return EXIT.found;
        }
        output.out(renderDiagnosis(found, format));
        return EXIT.ok;
    });

function renderDiagnosis(found: Diagnosis, format: command.InspectionOptions["format"]): string {
    if (format === "json") return formatAnswer(found);
    if (format === "text") return `${found.code}\n${formatDiagnosis(found)}\n`;
    const { code: title, cause: summary, remedy, source } = found;
    return renderPage({ title, summary, sections: [{ title: "Remedy", lines: [remedy, `see: ${source}`] }] }, format);
}
