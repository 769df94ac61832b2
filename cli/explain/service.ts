/** `ack-loadbalancer explain namespace/name`: explains why a Service does not work, and changes nothing. */

import type { Page } from "../command/page";
import { examine, judge, type Judgement } from "./examine";
import type { Explanation } from "./explanation";
import { addressesOf, type InspectedService, serviceNameOf } from "../inspect/model";
import { EXIT_OF, inspectNamed, type InspectionOptions, runInspection } from "../inspect/command";
import type { Output } from "../command/output";

/** Runs the command line after `explain`, where it names a Service. Returns the exit code. */
export const explainService = (argv: readonly string[], usage: string, output: Output): Promise<number> =>
    runInspection({ usage, service: "required", answer }, argv, output);

async function answer(options: InspectionOptions) {
    const live = await inspectNamed(options);
    const explanations = examine(live);
    const judgement = judge(live, explanations);
    return {
        page: explanationPage(live, explanations, judgement),
        data: { service: serviceNameOf(live.object), ...judgement, explanations },
        code: EXIT_OF[judgement.health],
    };
}

function explanationPage(
    { object }: InspectedService,
    explanations: readonly Explanation[],
    { summary }: Judgement,
): Page {
    const title = `Service ${serviceNameOf(object)}`;
    const addresses = addressesOf(object).join(", ") || "no address";
    return {
        title,
        summary: `${title} (${addresses}): ${summary}`,
        sections: explanations.map(({ verdict, what, evidence, remedy, source }, index) => ({
            title: `${index + 1}. ${what} (${verdict})`,
            lines: [...evidence.map((text) => `evidence: ${text}`), `remedy: ${remedy}`, `see: ${source}`],
        })),
    };
}
