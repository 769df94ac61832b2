import { readFileSync } from "node:fs";
import { parseArguments, requireOneOf, STACK_FLAGS, UsageError, type FlagTable } from "./args";
import { Failure, print, printJson, printTable } from "./output";
import {
    decryptNode,
    effectiveConfig,
    fullKey,
    isSecure,
    splitPathKey,
    typedValue,
    type ConfigNode,
} from "./stackconfig";
import { Workspace } from "./workspace";

const FLAGS: FlagTable = { ...STACK_FLAGS, path: { kind: "bool" } };

/** `pulumi config …`. @returns the exit code */
export async function configCommand(argv: readonly string[]): Promise<number> {
    const [sub, ...rest] = argv;
    switch (sub) {
        case "set":
            return configSet(rest);
        case "set-all":
            return configSetAll(rest);
        case "get":
            return configGet(rest);
        case "rm":
        case "remove":
            return configRemove(rest);
        case "rm-all":
            return configRemove(rest);
        case "refresh":
            return 0;
        case "list":
            return configList(rest);
        default:
            if (sub !== undefined && !sub.startsWith("-"))
                throw new UsageError(`unknown command "${sub}" for "pulumi config"`);
            return configList(argv);
    }
}

/** Groups of `config set` flags of which only one may be given. */
const EXCLUSIVE = ["secret", "plaintext", "type"];

async function configSet(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...FLAGS,
        secret: { kind: "bool" },
        plaintext: { kind: "bool" },
        type: { kind: "text" },
    });
    requireOneOf(EXCLUSIVE, args);
    const ws = new Workspace(args);
    const s = ws.currentStack();
    const settings = ws.settings(s);
    const [key, text] = args.positional;
    if (key === undefined) throw new Failure("missing configuration key");
    const value = text ?? readFileSync(0, "utf8").replace(/\r?\n$/, "");
    const type = args.text("type");
    if (args.on("secret")) {
        const { crypter } = await ws.secrets(s, settings);
        settings.store(ws.project.name, key, args.on("path"), { secure: crypter.encrypt(value) });
    } else settings.store(ws.project.name, key, args.on("path"), type === undefined ? value : typedValue(value, type));
    settings.save();
    return 0;
}

async function configSetAll(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...FLAGS,
        plaintext: { kind: "list" },
        secret: { kind: "list" },
        json: { kind: "text" },
    });
    const ws = new Workspace(args);
    const s = ws.currentStack();
    const settings = ws.settings(s);
    const split = (t: string): [string, string] => {
        const eq = t.indexOf("=");
        if (eq < 0) throw new Failure(`invalid configuration value '${t}': must be of the form key=value`);
        return [t.slice(0, eq), t.slice(eq + 1)];
    };
    for (const t of args.list("plaintext")) settings.store(ws.project.name, split(t)[0], args.on("path"), split(t)[1]);
    if (args.list("secret").length > 0) {
        const { crypter } = await ws.secrets(s, settings);
        for (const t of args.list("secret"))
            settings.store(ws.project.name, split(t)[0], args.on("path"), { secure: crypter.encrypt(split(t)[1]) });
    }
    settings.save();
    return 0;
}

async function configGet(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, { ...FLAGS, json: { kind: "bool", short: "j" }, open: { kind: "bool" } });
    const ws = new Workspace(args);
    const s = ws.currentStack();
    const settings = ws.settings(s);
    const { crypter } = await ws.secrets(s, settings);
    const key = args.positional[0];
    if (key === undefined) throw new Failure("missing configuration key");
    let node: ConfigNode | undefined;
    let full: string;
    if (args.on("path")) {
        const split = splitPathKey(key, ws.project.name);
        full = split.key;
        node = settings.entries()[full];
        for (const e of split.path) {
            if (node === null || typeof node !== "object" || isSecure(node)) node = undefined;
            else node = Array.isArray(node) ? (typeof e === "number" ? node[e] : undefined) : node[String(e)];
            if (node === undefined) break;
        }
    } else {
        full = fullKey(key, ws.project.name);
        node = settings.entries()[full];
        if (node === undefined) {
            const v = effectiveConfig(ws.project, s.name, settings, crypter).get(full);
            if (v) node = v.text;
        }
    }
    if (node === undefined) throw new Failure(`configuration key '${key}' not found for stack '${s.name}'`);
    const v = decryptNode(node, crypter);
    if (args.on("json"))
        printJson({
            value: v.text,
            ...(v.object ? { objectValue: JSON.parse(v.text) as unknown } : {}),
            secret: v.secret,
        });
    else print(v.text);
    return 0;
}

async function configRemove(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, FLAGS);
    const ws = new Workspace(args);
    const settings = ws.settings(ws.currentStack());
    if (args.positional.length === 0) throw new Failure("missing configuration key");
    for (const key of args.positional) {
        if (args.on("path")) {
            const { key: full, path } = splitPathKey(key, ws.project.name);
            settings.remove(full, path);
        } else settings.remove(fullKey(key, ws.project.name));
    }
    settings.save();
    return 0;
}

async function configList(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...FLAGS,
        json: { kind: "bool", short: "j" },
        "show-secrets": { kind: "bool" },
        open: { kind: "bool" },
    });
    const ws = new Workspace(args);
    const s = ws.currentStack();
    const settings = ws.settings(s);
    const { crypter } = await ws.secrets(s, settings);
    const config = effectiveConfig(ws.project, s.name, settings, crypter);
    const show = args.on("show-secrets");
    if (args.on("json")) {
        printJson(
            Object.fromEntries(
                [...config].map(([k, v]) => [
                    k,
                    {
                        ...(v.secret && !show
                            ? {}
                            : { value: v.text, ...(v.object ? { objectValue: JSON.parse(v.text) as unknown } : {}) }),
                        secret: v.secret,
                    },
                ]),
            ),
        );
        return 0;
    }
    const short = (k: string) => (k.startsWith(`${ws.project.name}:`) ? k.slice(ws.project.name.length + 1) : k);
    printTable(
        ["KEY", "VALUE"],
        [...config].map(([k, v]) => [short(k), v.secret && !show ? "[secret]" : v.text]),
    );
    return 0;
}
