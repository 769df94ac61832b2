#!/usr/bin/env node
/** `ack-loadbalancer`: the commands of the package. Each is loaded when it is asked for; all but `check` and `report` may need a Kubernetes client. */

import { printableLines } from "../provider/diagnostics";
import type { Output } from "./command/line";

/** Runs the command line after the program's name. Gives the exit code. */
export async function run(argv: readonly string[], output: Output): Promise<number> {
    const [command, ...rest] = argv;
    if (command === "--version" || command === "-v") {
        const { packageVersion } = await import("../policies/version.js");
        output.out(`${packageVersion()}\n`);
        return 0;
    }
    if (command === "sync") {
        const { runSync } = await import("./sync/main.js");
        return runSync(rest, output);
    }
    if (command === "report") {
        const { runReport } = await import("./report/main.js");
        return runReport(rest, output);
    }
    if (command === "list") {
        const { runList } = await import("./list/main.js");
        return runList(rest, output);
    }
    if (command === "doctor") {
        const { runDoctor } = await import("./doctor/main.js");
        return runDoctor(rest, output);
    }
    if (command === "show") {
        const { runShow } = await import("./show/main.js");
        return runShow(rest, output);
    }
    if (command === "explain") {
        const { runExplain } = await import("./explain/main.js");
        return runExplain(rest, output);
    }
    const { run: check } = await import("./check/main.js");
    const code = check(argv, output);
    if (command === "--help" || command === "-h")
        output.out("\nFurther commands, each with --help: doctor, explain, list, report, show and sync; --version\n");
    return code;
}

if (require.main === module) {
    void run(process.argv.slice(2), {
        out: (text) => void process.stdout.write(text),
        error: (text) => void process.stderr.write(printableLines(text)),
    }).then((code) => (process.exitCode = code));
}
