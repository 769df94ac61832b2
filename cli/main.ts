#!/usr/bin/env node
/** `ack-loadbalancer`: command line of the package. */

import { EXIT, type Output } from "./command/output";
import { COMMANDS } from "./commands";

const HELP: readonly (string | undefined)[] = ["help", "--help", "-h"];

/** Runs the command line after the program's name. Returns the exit code. */
export async function run(argv: readonly string[], output: Output): Promise<number> {
    const [name, ...rest] = argv;
    if (name === "--version" || name === "-v") {
        const { packageVersion } = await import("../policies/version.js");
        output.out(`${packageVersion()}\n`);
        return EXIT.ok;
    }
    const command = COMMANDS.find((one) => one.name === name);
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
    const near = closest(
        name,
        COMMANDS.map((command) => command.name),
    );
    return `unknown command ${name}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

function usage(): string {
    const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}\n`);
    const hint = "Each command has --help; --version tells the version.";
    return `usage: ack-loadbalancer <command> [options]\n\n${lines.join("")}\n${hint}\n`;
}

async function main(): Promise<void> {
    const { printableLines } = await import("../provider/diagnostics/format.js");
    process.exitCode = await run(process.argv.slice(2), {
        out: (text) => void process.stdout.write(text),
        error: (text) => void process.stderr.write(printableLines(text)),
    });
}

if (require.main === module) void main();
