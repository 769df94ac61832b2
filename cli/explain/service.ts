/** `ack-loadbalancer explain namespace/name`: why a Service does not work, from what cluster and cloud say. It changes nothing. */

import { EXIT } from "../command/exit";
import { stopped } from "../command/stopped";
import { renderJson } from "../command/json";
import type { Output } from "../command/line";
import { ClusterError, openCluster } from "../../provider/kubernetes";
import { Client } from "../../provider/kubernetes/client";
import { type Page, renderPage } from "../../provider/report";
import { NoServiceError, readLookingArguments } from "../command/looking";
import { addressesOf, type InspectedService, serviceNameOf } from "../../provider/inspect/live/model";
import { inspectService } from "../../provider/inspect/live/read";
import { openCloud } from "../../provider/inspect/doctor/cloud";
import { examine } from "../../provider/inspect/explain/examine";
import type { Explanation } from "../../provider/inspect/explain/explanation";

/** Runs the command line after `explain`, where it names a Service. Gives the exit code. */
export async function explainService(argv: readonly string[], usage: string, output: Output): Promise<number> {
    try {
        const options = readLookingArguments(argv, { names: 1, least: 1 });
        if (options === "help") {
            output.out(usage);
            return EXIT.ok;
        }
        const { namespace = "", name = "" } = options.names[0] ?? {};
        const reader = {
            cluster: openCluster(options.cluster),
            client: new Client(options.cluster),
            access: openCloud(options.account),
        };
        const live = await inspectService(reader, namespace, name);
        if (live === undefined) throw new NoServiceError(namespace, name);
        const explanations = examine(live);
        const { format } = options;
        output.out(
            format === "json" ? asJson(live, explanations) : renderPage(explanationPage(live, explanations), format),
        );
        return explanations.some(({ verdict }) => verdict === "broken") ? EXIT.found : EXIT.ok;
    } catch (error) {
        return stopped(error, usage, output, ClusterError, NoServiceError);
    }
}

const asJson = ({ object }: InspectedService, explanations: readonly Explanation[]): string =>
    renderJson({ service: serviceNameOf(object), explanations });

/** The explanations as a page. */
export function explanationPage({ object }: InspectedService, explanations: readonly Explanation[]): Page {
    const broken = explanations.filter(({ verdict }) => verdict === "broken");
    const addresses = addressesOf(object).join(", ") || "no address";
    return {
        title: `Service ${serviceNameOf(object)}`,
        summary:
            broken.length === 0
                ? `Service ${serviceNameOf(object)} (${addresses}): nothing broken was found`
                : `Service ${serviceNameOf(object)} (${addresses}): ${broken[0]?.what ?? ""}`,
        sections: explanations.map(({ verdict, what, evidence, remedy, source }, index) => ({
            title: `${index + 1}. ${what} (${verdict})`,
            lines: [...evidence.map((text) => `evidence: ${text}`), `remedy: ${remedy}`, `see: ${source}`],
        })),
    };
}
