import { endAllProcesses } from "../plugin";
import { GLOBAL_FLAGS, parseArguments, UsageError } from "./args";
import { configCommand } from "./config";
import { historyCommand } from "./history";
import { operate } from "./operation";
import { parseOperation, type OperationCommand } from "./operationflags";
import { Failure, print, printError, printJson } from "./output";
import { stackCommand } from "./stack";
import { stateCommand } from "./statecommand";
import { policyCommand } from "./policycommand";
import { backendUrl, forgetBackend, rememberBackend, Workspace } from "./workspace";

/**
 * What `version` prints: one version number, because the Automation API parses the whole text and compares it. The part
 * behind the hyphen says what this is; stderr says it in words.
 */
export const VERSION = "v3.260.0-lab.engine-of-ack-loadbalancer";
const WHAT = "This is the lab engine of ack-loadbalancer, a stand-in for the Pulumi CLI.";

/** Exit code of command lines that cannot be understood. */
const USAGE = 255;

/** Moves flags that stand before the command behind it, and takes out `--cwd`. */
function normalise(argv: readonly string[]): string[] {
    const leading: string[] = [];
    let i = 0;
    for (; i < argv.length; i++) {
        const a = argv[i] as string;
        if (!a.startsWith("-")) break;
        leading.push(a);
        const name = a.startsWith("--")
            ? a.slice(2)
            : Object.entries(GLOBAL_FLAGS).find(([, f]) => f.short === a.slice(1))?.[0];
        const spec = name === undefined ? undefined : GLOBAL_FLAGS[name];
        if (spec && spec.kind !== "bool" && !a.includes("=")) leading.push(argv[++i] ?? "");
    }
    return [...argv.slice(i), ...leading];
}

/** Takes `--cwd`/`-C` out of a command line and changes the folder. */
function changeFolder(argv: string[]): string[] {
    const out: string[] = [];
    for (let i = 0; i < argv.length; i++) {
        const a = argv[i] as string;
        if (a === "--") return [...out, ...argv.slice(i)];
        if (a === "--cwd" || a === "-C") process.chdir(argv[++i] ?? ".");
        else if (a.startsWith("--cwd=")) process.chdir(a.slice("--cwd=".length));
        else out.push(a);
    }
    return out;
}

async function dispatch(argv: string[]): Promise<number> {
    const [command, ...rest] = argv;
    const operation = (name: OperationCommand) => new Workspace(parseOperation(name, rest));
    switch (command) {
        case undefined:
        case "help":
        case "--help":
        case "-h":
            print(
                `${WHAT}\nCommands: preview, up, refresh, destroy, cancel, stack, config, state, policy analyze, history, login, logout, whoami, plugin, about, version`,
            );
            return 0;
        case "version":
        case "--version":
            print(VERSION);
            process.stderr.write(`${WHAT}\n`);
            return 0;
        case "preview":
        case "pre":
            return operate(operation("preview"), "update", true);
        case "up":
        case "update":
            return operate(operation("up"), "update", false);
        case "refresh": {
            const ws = operation("refresh");
            return operate(ws, "refresh", ws.args.on("preview-only"));
        }
        case "destroy":
        case "down": {
            const ws = operation("destroy");
            return operate(ws, "destroy", ws.args.on("preview-only"));
        }
        case "cancel":
            return cancel(rest);
        case "stack":
            return stackCommand(rest);
        case "history":
            return historyCommand(rest);
        case "config":
            return configCommand(rest);
        case "state":
            return stateCommand(rest);
        case "policy":
            return policyCommand(rest);
        case "login":
            return login(rest);
        case "logout":
            forgetBackend();
            return 0;
        case "whoami":
            return whoami(rest);
        case "plugin":
            return plugin(rest);
        case "install":
            return 0;
        case "about":
            print(`${WHAT}\nVersion ${VERSION}`);
            return 0;
        default:
            throw new UsageError(`unknown command "${command}" for "pulumi"`);
    }
}

async function cancel(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, { stack: { kind: "text", short: "s" }, yes: { kind: "bool", short: "y" } });
    const ws = new Workspace(args);
    const name = args.positional[0];
    const s = name === undefined ? ws.currentStack() : ws.parseStack(name);
    if (!args.on("yes")) throw new Failure("--yes must be passed in to proceed when running in non-interactive mode");
    ws.backend.unlockAll(s);
    print(`The currently running update for '${s.name}' has been canceled!`);
    return 0;
}

async function login(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        local: { kind: "bool", short: "l" },
        "cloud-url": { kind: "text", short: "c" },
        "default-org": { kind: "text" },
        insecure: { kind: "bool" },
    });
    const url = args.on("local") ? "file://~" : (args.positional[0] ?? args.text("cloud-url"));
    if (url === undefined || !url.startsWith("file://"))
        throw new Failure("the lab engine only keeps state in files: pulumi login file://<folder>");
    rememberBackend(url);
    print(`Logged in to ${process.env["HOSTNAME"] ?? "this machine"} (${url})`);
    return 0;
}

async function whoami(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, { json: { kind: "bool", short: "j" }, verbose: { kind: "bool", short: "v" } });
    const user = process.env["USER"] ?? process.env["LOGNAME"] ?? "lab";
    const url = backendUrl();
    if (args.on("json")) printJson({ user, organizations: [], url });
    else if (args.on("verbose")) print(`User: ${user}\nOrganizations: \nBackend URL: ${url}`);
    else print(user);
    return 0;
}

/** Plugins are taken from the search path; there is nothing to install. */
async function plugin(argv: readonly string[]): Promise<number> {
    const [sub, ...rest] = argv;
    if (sub === "ls" || sub === "list") {
        const args = parseArguments(rest, {
            json: { kind: "bool", short: "j" },
            project: { kind: "bool", short: "p" },
        });
        if (args.on("json")) printJson([]);
        else print("NAME  KIND  VERSION  SIZE  INSTALLED  LAST USED\n\nTOTAL plugin cache size: 0 B");
    }
    return 0;
}

/** Runs the CLI. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
    try {
        return await dispatch(changeFolder(normalise(argv)));
    } catch (e) {
        printError((e as Error).message);
        if (e instanceof UsageError) return USAGE;
        return e instanceof Failure ? e.exitCode : 1;
    } finally {
        endAllProcesses();
    }
}
