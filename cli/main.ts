#!/usr/bin/env node
/** `ack-loadbalancer`: command line of the package, whose commands are loaded when they run. */

// First, as it refuses a Node that cannot load the others.
import "../provider/node";
import { EXIT, type Output, terminalOf } from "./command/output";

/** Every command by its name, sorted. `run` gets the command line after the name. */
export const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly run: typeof run }>> = {
    check: {
        summary: "checks manifests and previews by the rules of the policy pack",
        run: async (...args) => (await import("./check/main.js")).runCheck(...args),
    },
    doctor: {
        summary: "checks what a run needs: tools, cluster and cloud",
        run: async (...args) => (await import("./doctor/main.js")).runDoctor(...args),
    },
    explain: {
        summary: "finds why a Service does not work, or what an error means",
        run: async (...args) => (await import("./explain/main.js")).runExplain(...args),
    },
    list: {
        summary: "lists every LoadBalancer Service of a cluster and what manages it",
        run: async (...args) => (await import("./list/main.js")).runList(...args),
    },
    report: {
        summary: "reports what a preview does to the traffic of each Service",
        run: async (...args) => (await import("./report/main.js")).runReport(...args),
    },
    show: {
        summary: "shows a Service's load balancer with its backends and their health",
        run: async (...args) => (await import("./show/main.js")).runShow(...args),
    },
    sync: {
        summary: "runs the sync controller, or prints what installs it",
        run: async (...args) => (await import("./sync/main.js")).runSync(...args),
    },
};

const HELP: readonly (string | undefined)[] = ["help", "--help", "-h"];

/** Runs the command line after the program's name. Returns the exit code. */
export async function run(argv: readonly string[], output: Output): Promise<number> {
    const [name, ...rest] = argv;
    if (name === "--version" || name === "-v") {
        const { packageVersion } = await import("../provider/host/version.js");
        output.out(`${packageVersion()}\n`);
        return EXIT.ok;
    }
    const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command !== undefined) return command.run(rest, output);
    if (HELP.includes(name)) {
        const asked = rest[0];
        if (asked !== undefined && !asked.startsWith("-")) return run([asked, "--help"], output);
        output.out(usage());
        return EXIT.ok;
    }
    output.error(`error: ${name === undefined ? "name a command" : await unknownCommand(name)}\n\n${usage()}`);
    return EXIT.unreadable;
}

async function unknownCommand(name: string): Promise<string> {
    const { closest } = await import("../provider/service/annotations/closest.js");
    const near = closest(name, Object.keys(COMMANDS));
    return `unknown command ${name}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

function usage(): string {
    const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}\n`);
    const hint = "Each command has --help; --version prints the version.";
    return `usage: ack-loadbalancer <command> [options]\n\n${lines.join("")}\n${hint}\n`;
}

async function main(): Promise<void> {
    const { printableLines } = await import("../provider/diagnostics/format.js");
    // A reader such as head may close its end early, but the exit code is still that of the command.
    for (const stream of [process.stdout, process.stderr])
        stream.on("error", (error: NodeJS.ErrnoException) => {
            if (error.code !== "EPIPE") throw error;
        });
    process.exitCode = await run(process.argv.slice(2), {
        out: (text) => void process.stdout.write(text),
        error: (text) => void process.stderr.write(printableLines(text)),
        ...(process.stdout.isTTY ? { terminal: terminalOf(process.stdout) } : {}),
    });
}

if (require.main === module) void main();
