/** `ack-loadbalancer doctor`: what a first run needs, looked at without changing anything. */

import { EXIT } from "../command/exit";
import { stopped } from "../command/stopped";
import { renderJson } from "../command/json";
import type { Output } from "../command/line";
import { type Page, renderPage } from "../../provider/report";
import { Client } from "../../provider/kubernetes/client";
import { discoverCluster } from "../../provider/kubernetes/discovery";

import { type LookingOptions, readLookingArguments } from "../command/looking";
import { type Check, type State, worst } from "../../provider/inspect/doctor/check";
import { checkCloud, openCloud } from "../../provider/inspect/doctor/cloud";
import { checkCluster, diagnoseFacts } from "../../provider/inspect/doctor/cluster";

import { judgeTools, readTools } from "../../provider/inspect/doctor/tools";

export const DOCTOR_USAGE = `usage: ack-loadbalancer doctor [options]

Looks at what a run needs, and changes nothing: versions of Node, Pulumi and packages, the cluster and what this user may do
there, network plugin, kube-proxy, Cloud Controller Manager and sync controller, credentials and read permissions in the cloud.

  --kubeconfig <file>       default: KUBECONFIG, ~/.kube/config, or the pod's service account
  --context <name>          context of the kubeconfig
  --region <id>             region of the cloud (default: the environment's)
  --profile <name>          profile of ~/.aliyun/config.json
  --format <format>         text, markdown, html, json (default text)

Exit code: 0 nothing is in the way, 1 a run would fail, 2 the command line is invalid.
`;

/** Runs the command line after `doctor`. Gives the exit code. */
export async function runDoctor(argv: readonly string[], output: Output): Promise<number> {
    try {
        const options = readLookingArguments(argv, { names: 0 });
        if (options === "help") {
            output.out(DOCTOR_USAGE);
            return EXIT.ok;
        }
        const checks = await examine(options);
        const { format } = options;
        output.out(
            format === "json" ? renderJson({ state: worst(checks), checks }) : renderPage(pageOf(checks), format),
        );
        return worst(checks) === "error" ? EXIT.found : EXIT.ok;
    } catch (error) {
        return stopped(error, DOCTOR_USAGE, output);
    }
}

async function examine(options: LookingOptions): Promise<Check[]> {
    const client = new Client({ ...options.cluster, backoff: { attempts: 1 } });
    const groups = await Promise.all([
        readTools(process.cwd()).then(judgeTools),
        checkCluster(client, Date.now()),
        // A cluster that does not answer is named by the checks above.
        discoverCluster({ ...options.cluster, backoff: { attempts: 1 } }).then(diagnoseFacts, () => []),
        checkCloud(openCloud(options.account)),
    ]);
    return groups.flat();
}

const AREAS = {
    tools: "Tools",
    cluster: "Cluster",
    facts: "What the cluster says of itself (a stack needs to configure only what is missing)",
    cloud: "Cloud",
} as const;

const WORDS: Readonly<Record<State, string>> = { ok: "ok", warning: "WARNING", error: "ERROR", skipped: "not seen" };

const words = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** The checks as a page, in their order. */
export function pageOf(checks: readonly Check[]): Page {
    const bad = checks.filter(({ state }) => state === "error").length;
    const doubtful = checks.filter(({ state }) => state === "warning").length;
    return {
        title: "ack-loadbalancer doctor",
        summary:
            bad === 0
                ? `nothing is in the way of a run (${words(doubtful, "warning")})`
                : `a run would fail: ${words(bad, "error")}, ${words(doubtful, "warning")}`,
        sections: Object.entries(AREAS).map(([area, title]) => ({
            title,
            table: {
                columns: ["state", "what", "found", "what to do"],
                rows: checks
                    .filter((check) => check.area === area)
                    .map(({ state, what, found, remedy }) => [WORDS[state], what, found, remedy ?? ""]),
            },
        })),
    };
}
