/** Commands of `ack-loadbalancer`, each loaded when it runs. */

import type { Options } from "./command/command-line";
import { CHECK_OPTIONS, INSPECTION_OPTIONS, LIST_OPTIONS, REPORT_OPTIONS, SYNC_OPTIONS } from "./command/options";
import type { Output } from "./command/output";

export interface CommandRow {
    readonly name: string;
    readonly summary: string;
    readonly options: Options;
    /** Runs the command line after the name. Returns the exit code. */
    run(argv: readonly string[], output: Output): Promise<number>;
}

/** Every command, sorted by name. */
export const COMMANDS: readonly CommandRow[] = [
    {
        name: "check",
        summary: "checks manifests and previews by the rules of the policy pack",
        options: CHECK_OPTIONS,
        run: async (argv, output) => (await import("./check/main.js")).runCheck(argv, output),
    },
    {
        name: "doctor",
        summary: "looks at what a run needs: tools, cluster and cloud",
        options: INSPECTION_OPTIONS,
        run: async (argv, output) => (await import("./doctor/main.js")).runDoctor(argv, output),
    },
    {
        name: "explain",
        summary: "says why a Service does not work, or what an error means",
        options: INSPECTION_OPTIONS,
        run: async (argv, output) => (await import("./explain/main.js")).runExplain(argv, output),
    },
    {
        name: "list",
        summary: "lists every LoadBalancer Service of a cluster and who manages it",
        options: LIST_OPTIONS,
        run: async (argv, output) => (await import("./list/main.js")).runList(argv, output),
    },
    {
        name: "report",
        summary: "says what a preview does to the traffic of each Service",
        options: REPORT_OPTIONS,
        run: async (argv, output) => (await import("./report/main.js")).runReport(argv, output),
    },
    {
        name: "show",
        summary: "shows a Service's load balancer with its backends and their health",
        options: INSPECTION_OPTIONS,
        run: async (argv, output) => (await import("./show/main.js")).runShow(argv, output),
    },
    {
        name: "sync",
        summary: "runs the sync controller, or prints what installs it",
        options: SYNC_OPTIONS,
        run: async (argv, output) => (await import("./sync/main.js")).runSync(argv, output),
    },
];
