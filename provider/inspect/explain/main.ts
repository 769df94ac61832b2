/** `ack-loadbalancer explain`: why a Service does not work, from what cluster and cloud say. It changes nothing. */

import { ClusterError, openCluster } from "../../kubernetes";
import { Client } from "../../kubernetes/client";
import { type Page, renderPage } from "../../report";
import { type Output, readInspectArguments } from "../arguments";
import { addressesOf, type LiveService, nameOf } from "../live/model";
import { readLive } from "../live/read";
import { openCloud } from "../open";
import { BROKEN, examine } from "./examine";
import type { Explanation } from "./explanation";

export const EXPLAIN_USAGE = `usage: ack-loadbalancer explain <namespace>/<name> [options]

Says what is wrong with a Service of type LoadBalancer, the likeliest first, with evidence, remedy and document. It reads the
Service, its pods, endpoints and events, its load balancer, and health as the cloud sees it; it changes nothing.

  --kubeconfig <file>       default: KUBECONFIG, ~/.kube/config, or the pod's service account
  --context <name>          context of the kubeconfig
  --region <id>             region of the cloud (default: the environment's)
  --profile <name>          profile of ~/.aliyun/config.json
  --format <format>         text, markdown, html, json (default text)

Exit code: 0 nothing broken was found, 1 something is broken, 2 the command line is invalid or the cluster cannot be read.
`;

/** Runs the command line after `explain`. Gives the exit code. */
export async function runExplain(argv: readonly string[], output: Output): Promise<number> {
    const options = readInspectArguments(argv, EXPLAIN_USAGE, output, { names: 1, least: 1 });
    if (typeof options === "number") return options;
    const { namespace = "", name = "" } = options.names[0] ?? {};
    try {
        const reader = {
            cluster: openCluster(options.cluster),
            client: new Client(options.cluster),
            access: openCloud(options.account),
        };
        const live = await readLive(reader, namespace, name);
        if (live === undefined) {
            output.error(
                `error: the cluster has no Service ${namespace}/${name}\n    remedy: check namespace, name and context\n`,
            );
            return 2;
        }
        const explanations = examine(live);
        const { format } = options;
        output.out(format === "json" ? asJson(live, explanations) : renderPage(pageOf(live, explanations), format));
        return explanations.some(({ likelihood }) => likelihood >= BROKEN) ? 1 : 0;
    } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        output.error(`${error.message}\n`);
        return 2;
    }
}

const asJson = ({ object }: LiveService, explanations: readonly Explanation[]): string =>
    `${JSON.stringify({ version: 1, service: nameOf(object), explanations }, undefined, 4)}\n`;

/** The explanations as a page. */
export function pageOf({ object }: LiveService, explanations: readonly Explanation[]): Page {
    const broken = explanations.filter(({ likelihood }) => likelihood >= BROKEN);
    const addresses = addressesOf(object).join(", ") || "no address";
    return {
        title: `Service ${nameOf(object)}`,
        summary:
            broken.length === 0
                ? `Service ${nameOf(object)} (${addresses}): nothing broken was found`
                : `Service ${nameOf(object)} (${addresses}): ${broken[0]?.what ?? ""}`,
        sections: explanations.map(({ likelihood, what, evidence, remedy, source }, index) => ({
            title: `${index + 1}. ${what} (${likelihood >= BROKEN ? "broken" : "worth knowing"})`,
            lines: [...evidence.map((text) => `evidence: ${text}`), `remedy: ${remedy}`, `see: ${source}`],
        })),
    };
}
