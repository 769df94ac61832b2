/** `ack-loadbalancer explain namespace/name`: explains why a Service does not work, and changes nothing. */

import type { Page } from "../report";
import { examine } from "./examine";
import type { Explanation } from "./explanation";
import { addressesOf, type InspectedService, serviceNameOf } from "../inspect/model";
import { inspectNamed, type InspectionOptions, runInspection } from "../command/inspection";
import { EXIT, type Output } from "../command/output";

/** Runs the command line after `explain`, where it names a Service. Returns the exit code. */
export const explainService = (argv: readonly string[], usage: string, output: Output): Promise<number> =>
    runInspection({ usage, service: "required", answer }, argv, output);

async function answer(options: InspectionOptions) {
    const live = await inspectNamed(options);
    const explanations = examine(live);
    return {
        page: explanationPage(live, explanations),
        data: { service: serviceNameOf(live.object), explanations },
        code: explanations.some(({ verdict }) => verdict === "broken") ? EXIT.found : EXIT.ok,
    };
}

function explanationPage({ object }: InspectedService, explanations: readonly Explanation[]): Page {
    const broken = explanations.find(({ verdict }) => verdict === "broken");
    const title = `Service ${serviceNameOf(object)}`;
    const addresses = addressesOf(object).join(", ") || "no address";
    return {
        title,
        summary: `${title} (${addresses}): ${broken?.what ?? "nothing broken was found"}`,
        sections: explanations.map(({ verdict, what, evidence, remedy, source }, index) => ({
            title: `${index + 1}. ${what} (${verdict})`,
            lines: [...evidence.map((text) => `evidence: ${text}`), `remedy: ${remedy}`, `see: ${source}`],
        })),
    };
}
