/** `ack-loadbalancer doctor`: checks what a run needs, and changes nothing. */

import type { Page } from "../command/page";
import { Client } from "../../provider/cluster/client";
import { type Check, REFUSED, type State, worst } from "./check";
import { checkCloud } from "./cloud";
import { openCloud } from "../inspect/cloud";
import { checkCluster, diagnoseFacts } from "./cluster";
import { judgeTools, readTools } from "./tools";
import { INSPECTION_USAGE, type InspectionOptions, runInspection } from "../inspect/command";
import { refuseArguments } from "../command/command-line";
import { count, EXIT, type Output } from "../command/output";

const DOCTOR_USAGE = `usage: ack-loadbalancer doctor [options]

Looks at what a run needs, and changes nothing: versions of Node, Pulumi and packages, the cluster and what this \
user may do
there, network plugin, kube-proxy, Cloud Controller Manager and sync controller, credentials and \
read permissions in the cloud.

${INSPECTION_USAGE}
Exit code: 0 nothing is in the way, 1 a run would fail, 2 the cluster refuses reads, or the \
command line is invalid.
`;

export const runDoctor = (argv: readonly string[], output: Output): Promise<number> =>
    runInspection(DOCTOR_USAGE, argv, output, answer);

async function answer({ cluster, account, service, discovery: read }: InspectionOptions) {
    refuseArguments(service === undefined ? [] : [service]);
    // The checks of the cluster report a cluster that does not answer.
    const discovery = read();
    const groups = await Promise.all([
        readTools(process.cwd()).then(judgeTools),
        checkCluster(new Client({ ...cluster, backoff: { attempts: 1 } }), discovery),
        discovery.then((facts) => (Object.keys(facts).length === 0 ? [] : diagnoseFacts(facts))),
        discovery.then(({ region }) => checkCloud(openCloud(account), region)),
    ]);
    const checks = groups.flat();
    const state = worst(checks);
    return { page: pageOf(checks), data: { state, checks }, code: codeOf(checks) };
}

const refusedOf = (checks: readonly Check[]): string[] =>
    checks.filter(({ found }) => found === REFUSED).map(({ what }) => what);

/** Returns the exit code: what fails a run counts more than what could not be checked. */
export function codeOf(checks: readonly Check[]): number {
    if (worst(checks) === "error") return EXIT.found;
    return refusedOf(checks).length > 0 ? EXIT.unreadable : EXIT.ok;
}

const AREAS = {
    tools: "Tools",
    cluster: "Cluster",
    facts: "What the cluster says of itself (a stack needs to configure only what is missing)",
    cloud: "Cloud",
} as const;

const WORDS: Readonly<Record<State, string>> = { ok: "ok", warning: "WARNING", error: "ERROR", skipped: "not seen" };

export function pageOf(checks: readonly Check[]): Page {
    const numberOf = (wanted: State): string => count(checks.filter(({ state }) => state === wanted).length, wanted);
    const refused = refusedOf(checks).join(", ");
    const summary = refused === "" ? "nothing is in the way of a run" : `could not be checked: ${refused}`;
    const fails = worst(checks) === "error";
    return {
        title: "ack-loadbalancer doctor",
        summary: fails
            ? `a run would fail: ${numberOf("error")}, ${numberOf("warning")}`
            : `${summary} (${numberOf("warning")})`,
        sections: Object.entries(AREAS).flatMap(([area, title]) => {
            const rows = checks
                .filter((check) => check.area === area)
                .map(({ state, what, found, remedy }) => [WORDS[state], what, found, remedy ?? ""]);
            return rows.length === 0
                ? []
                : { title, table: { columns: ["state", "what", "found", "what to do"], rows } };
        }),
    };
}
