/** Checks of commands in documentation: command lines are parsed by their programs, and no operation runs. */
import { jest } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { readConfig } from "../../components/stack/config";
import { readCheckArguments } from "../../cli/check/main";
import { runList } from "../../cli/list/main";
import { runExplain } from "../../cli/explain/main";
import { readReportArguments } from "../../cli/report/main";
import { runDoctor } from "../../cli/doctor/main";
import { runShow } from "../../cli/show/main";
import { API_GROUP, BINDING_PLURAL } from "../../provider/sync/binding/spec";
import { readSyncOptions } from "../../cli/sync/main";
import type { DocumentedCommand } from "./documented";
import { REPOSITORY } from "./repository";
import { ScratchProject } from "./scratch-project";

/** Runs what reads a command line. Gives what it objects to. */
function objection(reader: () => unknown): string | undefined {
    try {
        reader();
        return undefined;
    } catch (error) {
        return (error as Error).message;
    }
}

/** Commands whose options are compared with their usage: nothing else reads them without doing what they say. */
const LOOKING = { doctor: runDoctor, show: runShow, explain: runExplain };

/** Options that the usage of a command does not know. */
async function unknownOption(command: keyof typeof LOOKING, argv: readonly string[]): Promise<string | undefined> {
    let usage = "";
    await LOOKING[command](["--help"], { out: (text) => void (usage += text), error: () => undefined });
    const missing = argv.filter((word) => word.startsWith("--") && !usage.includes(`${word.split("=")[0] ?? ""} `));
    return missing.length === 0 ? undefined : `no option ${missing.join(", ")}`;
}

/** Returns the reason why a command line of the package is refused. A name alone is no command line, but a mention. */
async function ownObjection([command = "", ...argv]: readonly string[]): Promise<string | undefined> {
    if (argv.length === 0 && ["check", "report"].includes(command)) return undefined;
    switch (command) {
        case "help":
        case "--version":
            return undefined;
        case "check":
            return objection(() => readCheckArguments(argv));
        case "report":
            return objection(() => readReportArguments(argv));
        case "sync":
            return objection(() => readSyncOptions(argv, {}));
        case "list": {
            let problem: string | undefined;
            const output = { out: () => undefined, error: (text: string) => (problem = text) };
            await runList(argv, output, () => ({ listServices: async () => [] }));
            return problem;
        }
        case "doctor":
        case "show":
        case "explain":
            return unknownOption(command, argv);
        default:
            return `no command ${command}`;
    }
}

const OPERATIONS: readonly string[] = ["preview", "up", "refresh", "destroy"];

/** Commands of Pulumi that read no options worth a look here. */
const PULUMI: readonly string[] = [
    "cancel",
    "config",
    "import",
    "install",
    "login",
    "package",
    "plugin",
    "policy",
    "stack",
    "state",
];

/** The project in which commands of Pulumi are read. */
let project: Promise<ScratchProject> | undefined;

const scratch = (): Promise<ScratchProject> => (project ??= ScratchProject.make("project"));

/** Returns the CLI's objection to a command line. */
async function cliObjection(...args: string[]): Promise<string | undefined> {
    const { code, text } = await (await scratch()).pulumi(...args);
    return code === 0 ? undefined : text;
}

/** Removes what reading has made. */
export async function forgetProject(): Promise<void> {
    (await project)?.remove();
}

async function pulumiObjection({
    page,
    words: [, command = "", ...argv],
}: DocumentedCommand): Promise<string | undefined> {
    // The CLI reads its options before it gives the help that is asked for last.
    if (OPERATIONS.includes(command)) return cliObjection(command, ...argv, "--help");
    if (command === "config" && argv.length > 0) {
        // The README files of the examples belong to programs of their own.
        return page.startsWith("examples/") ? exampleConfigObjection(path.dirname(page), argv) : configObjection(argv);
    }
    return PULUMI.includes(command) ? undefined : `no command ${command}`;
}

/** Methods by which a program asks for its configuration. */
const GETTERS = ["get", "getBoolean", "getObject", "require"] as const;

/** Keys of the GitOps stack's configuration: those that it asks for. */
function knownKeys(): Set<string> {
    const keys = new Set<string>();
    const spies = GETTERS.map((method) => jest.spyOn(pulumi.Config.prototype, method));
    readWith(new Map());
    for (const spy of spies) {
        for (const [key] of spy.mock.calls) keys.add(key);
        spy.mockRestore();
    }
    return keys;
}

/** Reads a configuration as the GitOps stack does. */
function readWith(config: ReadonlyMap<string, string>): void {
    pulumi.runtime.setAllConfig(Object.fromEntries([["project:manifests", "m"], ...config]));
    readConfig();
}

/** The words after `pulumi config` that are no options. */
function configWords(argv: readonly string[]): { action: string; key: string } {
    const [action = "", key = ""] = argv.filter((word) => !word.startsWith("--"));
    return { action, key };
}

async function configObjection(argv: readonly string[]): Promise<string | undefined> {
    const { action, key } = configWords(argv);
    if (key === "") return action === "set" ? undefined : `no action ${action}`;
    // The plugin has keys of the GitOps stack, in a namespace of its own.
    const [name = ""] = key.replace(/^ack-loadbalancer:/, "").split(/[.[]/);
    if (!knownKeys().has(name)) return `no key ${name}`;
    if (action === "rm" || action === "get") return undefined;
    if (action !== "set") return `no action ${action}`;
    const problem = await cliObjection("config", ...argv, "--stack", "dev");
    if (problem !== undefined) return problem;
    const file = path.join((await scratch()).folder, "Pulumi.dev.yaml");
    const { config } = parse(fs.readFileSync(file, "utf8")) as { config: Readonly<Record<string, unknown>> };
    fs.rmSync(file);
    return objection(() => {
        const entries = Object.entries(config);
        readWith(new Map(entries.map(([full, one]) => [full, typeof one === "string" ? one : JSON.stringify(one)])));
    });
}

/** Returns an objection to a key of an example that neither its program nor the components that it uses ask for. */
function exampleConfigObjection(folder: string, argv: readonly string[]): string | undefined {
    const { key } = configWords(argv);
    const [name = ""] = key.split(/[.[]/);
    const sources = fs
        .readdirSync(path.join(REPOSITORY, folder))
        .filter((file) => file.endsWith(".ts"))
        .map((file) => fs.readFileSync(path.join(REPOSITORY, folder, file), "utf8"));
    return name.includes(":") || sources.some((source) => source.includes(`"${name}"`)) || knownKeys().has(name)
        ? undefined
        : `no key ${name}`;
}

/** Commands of kubectl that the pages use. */
const KUBECTL: readonly string[] = [
    "apply",
    "create",
    "delete",
    "describe",
    "get",
    "label",
    "patch",
    "replace",
    "rollout",
    "scale",
];

function kubectlObjection([command = "", ...argv]: readonly string[]): string | undefined {
    if (!KUBECTL.includes(command)) return `no command ${command}`;
    const binding = argv.find((word) => /binding/i.test(word));
    const names = [BINDING_PLURAL, `${BINDING_PLURAL}.${API_GROUP}`];
    return binding === undefined || names.includes(binding) ? undefined : `no resource ${binding}`;
}

/**
 * Returns the reason why a command would not do what its page says, `undefined` if nothing speaks against it. A name
 * alone is a mention.
 */
export async function objectionTo(command: DocumentedCommand): Promise<string | undefined> {
    const [program, ...rest] = command.words;
    if (rest.length === 0) return undefined;
    if (program === "ack-loadbalancer") return ownObjection(rest);
    return program === "pulumi" ? pulumiObjection(command) : kubectlObjection(rest);
}
