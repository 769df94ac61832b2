/** Commands of `ack-loadbalancer`, each loaded when it runs. */

import type { Output } from "./command/output";

interface CommandRow {
    readonly name: string;
    readonly summary: string;
    /** Runs the command line after the name. Returns the exit code. */
    run(argv: readonly string[], output: Output): number | Promise<number>;
}

/** Every command, sorted by name. */
export const COMMANDS: readonly CommandRow[] = [
    {
        name: "check",
        summary: "checks manifests and previews by the rules of the policy pack",
        run: async (...args) => (await import("./check/main.js")).runCheck(...args),
    },
    {
        name: "doctor",
        summary: "looks at what a run needs: tools, cluster and cloud",
        run: async (...args) => (await import("./doctor/main.js")).runDoctor(...args),
    },
    {
        name: "explain",
        summary: "says why a Service does not work, or what an error means",
        run: async (...args) => (await import("./explain/main.js")).runExplain(...args),
    },
    {
        name: "list",
        summary: "lists every LoadBalancer Service of a cluster and who manages it",
        run: async (...args) => (await import("./list/main.js")).runList(...args),
    },
    {
        name: "report",
        summary: "says what a preview does to the traffic of each Service",
        run: async (...args) => (await import("./report/main.js")).runReport(...args),
    },
    {
        name: "show",
        summary: "shows a Service's load balancer with its backends and their health",
        run: async (...args) => (await import("./show/main.js")).runShow(...args),
    },
    {
        name: "sync",
        summary: "runs the sync controller, or prints what installs it",
        run: async (...args) => (await import("./sync/main.js")).runSync(...args),
    },
];
