import { readFileSync, writeFileSync } from "node:fs";
import { ORGANIZATION, type StackName } from "../backend";
import { openSecrets, passphrase } from "../secrets";
import {
    belongsTo,
    emptySnapshot,
    exportDeployment,
    integrityError,
    readDeployment,
    ROOT_STACK_TYPE,
    serializeValue,
    urnName,
    type Snapshot,
    type VersionedDeployment,
} from "../state";
import { isMap, Secret, unwrapSecrets, type Value } from "../value";
import { secretsSalt } from "../backend";
import { parseArguments, UsageError, type FlagTable } from "./args";
import { Failure, print, printJson, printTable } from "./output";
import { Workspace } from "./workspace";

const STACK: FlagTable = { stack: { kind: "text", short: "s" }, "config-file": { kind: "text" } };

/** `pulumi stack …`. @returns the exit code */
export async function stackCommand(argv: readonly string[]): Promise<number> {
    const [sub, ...rest] = argv;
    switch (sub) {
        case "init":
            return stackInit(rest);
        case "select":
            return stackSelect(rest);
        case "ls":
        case "list":
            return stackList(rest);
        case "output":
            return stackOutput(rest);
        case "export":
            return stackExport(rest);
        case "import":
            return stackImport(rest);
        case "rm":
        case "remove":
            return stackRemove(rest);
        case "history":
            return historyCommand(rest);
        case "unselect":
            new Workspace(parseArguments(rest, STACK)).select(undefined);
            print("Stack was unselected");
            return 0;
        case "tag":
            return 0;
        default:
            if (sub !== undefined && !sub.startsWith("-")) throw new UsageError(`unknown command "${sub}" for "pulumi stack"`);
            return stackShow(argv);
    }
}

async function stackInit(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK,
        "secrets-provider": { kind: "text" },
        "no-select": { kind: "bool" },
        "copy-config-from": { kind: "text" },
        teams: { kind: "list" },
    });
    const ws = new Workspace(args);
    const name = args.positional[0] ?? args.text("stack");
    if (name === undefined) throw new Failure("missing stack name");
    const provider = args.text("secrets-provider");
    if (provider !== undefined && provider !== "default" && provider !== "passphrase")
        throw new Failure(`the lab engine only knows the secrets provider "passphrase", not "${provider}"`);
    const s = ws.parseStack(name);
    if (ws.backend.exists(s)) throw new Failure(`stack '${s.name}' already exists`);
    const settings = ws.settings(s);
    const secrets = await ws.secrets(s, settings);
    ws.backend.save(s, emptySnapshot(secrets));
    print(`Created stack '${s.name}'`);
    if (!args.on("no-select")) ws.select(s);
    return 0;
}

async function stackSelect(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, { ...STACK, create: { kind: "bool", short: "c" }, "secrets-provider": { kind: "text" } });
    const ws = new Workspace(args);
    const name = args.positional[0] ?? args.text("stack");
    if (name === undefined) throw new Failure("no stack selected; --stack or a stack name must be given in non-interactive mode");
    const s = ws.parseStack(name);
    if (!ws.backend.exists(s)) {
        if (!args.on("create")) throw new Failure(`no stack named '${name}' found`);
        const secrets = await ws.secrets(s, ws.settings(s));
        ws.backend.save(s, emptySnapshot(secrets));
        print(`Created stack '${s.name}'`);
    }
    ws.select(s);
    return 0;
}

async function stackList(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        json: { kind: "bool", short: "j" },
        all: { kind: "bool", short: "a" },
        project: { kind: "text", short: "p" },
        organization: { kind: "text", short: "o" },
        tag: { kind: "text", short: "t" },
    });
    const ws = new Workspace(args);
    const project = args.on("all") || !ws.hasProject ? args.text("project") : (args.text("project") ?? ws.project.name);
    const selected = ws.selected;
    const current = selected === undefined ? undefined : ws.parseStack(selected);
    const shown = (s: StackName) => (args.on("all") || !ws.hasProject ? `${ORGANIZATION}/${s.project}/${s.name}` : s.name);
    const isCurrent = (s: StackName) => current !== undefined && current.name === s.name && current.project === s.project;
    const rows = ws.backend.list(project).map((s) => {
        const last = ws.backend.lastUpdate(s);
        const count = ws.backend.readFile(s)?.checkpoint.latest?.resources?.length;
        return { s, last, count };
    });
    if (args.on("json")) {
        printJson(
            rows.map(({ s, last, count }) => ({
                name: shown(s),
                current: isCurrent(s),
                ...(last === undefined ? {} : { lastUpdate: new Date(last * 1000).toISOString() }),
                updateInProgress: false,
                ...(last === undefined ? {} : { resourceCount: count ?? 0 }),
            })),
        );
        return 0;
    }
    printTable(
        ["NAME", "LAST UPDATE", "RESOURCE COUNT"],
        rows.map(({ s, last, count }) => [shown(s) + (isCurrent(s) ? "*" : ""), last === undefined ? "n/a" : ago(last), last === undefined ? "n/a" : String(count ?? 0)]),
    );
    return 0;
}

function ago(unix: number): string {
    const s = Math.max(0, Math.floor(Date.now() / 1000) - unix);
    const [n, unit] = s < 60 ? [s, "second"] : s < 3600 ? [Math.floor(s / 60), "minute"] : s < 86400 ? [Math.floor(s / 3600), "hour"] : [Math.floor(s / 86400), "day"];
    return n === 0 ? "now" : `${n} ${unit}${n === 1 ? "" : "s"} ago`;
}

function rootOutputs(snap: Snapshot): Record<string, Value> {
    return snap.resources.find((r) => r.type === ROOT_STACK_TYPE && !r.delete)?.outputs ?? {};
}

/** Plain JSON of a value; secrets stay hidden unless asked for. */
function shownValue(v: Value, showSecrets: boolean): unknown {
    if (v instanceof Secret && !showSecrets) return "[secret]";
    if (Array.isArray(v)) return v.map((e) => shownValue(e, showSecrets));
    const plain = v instanceof Secret ? unwrapSecrets(v) : v;
    if (isMap(plain))
        return Object.fromEntries(
            Object.keys(plain)
                .sort()
                .map((k) => [k, shownValue(plain[k] as Value, showSecrets)]),
        );
    return Array.isArray(plain) ? plain.map((e) => shownValue(e, showSecrets)) : serializeValue(plain, undefined);
}

function text(v: unknown): string {
    return typeof v === "string" ? v : JSON.stringify(v);
}

async function stackOutput(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, { ...STACK, json: { kind: "bool", short: "j" }, shell: { kind: "bool" }, "show-secrets": { kind: "bool" } });
    const ws = new Workspace(args);
    const snap = await ws.snapshot(ws.currentStack());
    const outputs = rootOutputs(snap);
    const show = args.on("show-secrets");
    const name = args.positional[0];
    if (name !== undefined) {
        const v = outputs[name];
        if (v === undefined) throw new Failure(`current stack does not have output property '${name}'`);
        if (args.on("json")) printJson(shownValue(v, true));
        else print(text(shownValue(v, true)));
        return 0;
    }
    const plain = Object.fromEntries(
        Object.keys(outputs)
            .sort()
            .map((k) => [k, shownValue(outputs[k] as Value, show)]),
    );
    if (args.on("json")) printJson(plain);
    else if (args.on("shell")) for (const [k, v] of Object.entries(plain)) print(`${k}='${text(v).replace(/'/g, "'\\''")}'`);
    else if (Object.keys(plain).length === 0) print("No output values currently in this stack");
    else {
        print(`Current stack outputs (${Object.keys(plain).length}):`);
        printTable(
            ["    OUTPUT", "VALUE"],
            Object.entries(plain).map(([k, v]) => [`    ${k}`, text(v)]),
        );
    }
    return 0;
}

async function stackExport(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, { ...STACK, file: { kind: "text" }, version: { kind: "text" }, "show-secrets": { kind: "bool" } });
    const ws = new Workspace(args);
    const document = JSON.stringify(exportDeployment(await ws.snapshot(ws.currentStack()), args.on("show-secrets")), null, 4);
    const file = args.text("file");
    if (file === undefined) print(document);
    else writeFileSync(file, `${document}\n`);
    return 0;
}

async function stackImport(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, { ...STACK, file: { kind: "text" }, force: { kind: "bool", short: "f" } });
    const ws = new Workspace(args);
    const s = ws.currentStack();
    const file = args.text("file");
    const document = JSON.parse(readFileSync(file ?? 0, "utf8")) as VersionedDeployment;
    if (typeof document !== "object" || document === null || document.deployment === undefined)
        throw new Failure("could not deserialize deployment: no deployment in the document");
    const salt = secretsSalt(document.deployment);
    const secrets = salt === undefined ? await ws.secrets(s, ws.settings(s)) : await openSecrets(salt, passphrase());
    const snap = readDeployment(document, secrets);
    const problems: string[] = [];
    const foreign = snap.resources.filter((r) => !belongsTo(r.urn, s.name, s.project) && !r.urn.startsWith(`urn:pulumi:${s.name}::`));
    for (const r of foreign) problems.push(`resource '${r.urn}' refers to a different stack name than the destination stack ('${s.name}')`);
    const bad = integrityError(snap.resources);
    if (bad !== undefined) problems.push(`state file contains errors: ${bad}`);
    if (problems.length > 0 && !args.on("force")) {
        problems.push("importing this file could be dangerous; rerun with --force to proceed anyway");
        throw new Failure(`${problems.length} errors occurred:\n${problems.map((p, i) => `    ${i + 1}) ${p}`).join("\n")}`);
    }
    for (const op of snap.pendingOperations) process.stderr.write(`warning: removing pending operation '${op.type}' on '${op.resource.urn}'\n`);
    snap.pendingOperations = [];
    const unlock = ws.backend.lock(s);
    try {
        ws.backend.save(s, snap);
    } finally {
        unlock();
    }
    print("Import complete.");
    return 0;
}

async function stackRemove(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK,
        force: { kind: "bool", short: "f" },
        yes: { kind: "bool", short: "y" },
        "preserve-config": { kind: "bool" },
        "remove-backups": { kind: "bool" },
    });
    const ws = new Workspace(args);
    const name = args.positional[0];
    const s = name === undefined ? ws.currentStack() : ws.parseStack(name);
    if (!ws.backend.exists(s)) throw new Failure(`no stack named '${name ?? s.name}' found`);
    if (!args.on("yes")) throw new Failure("--yes must be passed in to proceed when running in non-interactive mode");
    const count = ws.backend.readFile(s)?.checkpoint.latest?.resources?.length ?? 0;
    if (count > 0 && !args.on("force")) {
        throw new Failure(
            `'${s.name}' still has resources; removal rejected. Possible actions:\n- Make sure that '${s.name}' is the stack that you want to destroy\n- Run \`pulumi destroy\` to delete the resources, then run \`pulumi stack rm\`\n- Run \`pulumi stack rm --force\` to override this error`,
        );
    }
    ws.backend.remove(s);
    if (!args.on("preserve-config") && ws.hasProject) ws.settings(s).erase();
    print(`Stack '${s.name}' has been removed!`);
    const selected = ws.selected;
    if (selected !== undefined && ws.parseStack(selected).name === s.name && !process.env["PULUMI_STACK"]) ws.select(undefined);
    return 0;
}

async function stackShow(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK,
        "show-name": { kind: "bool" },
        "show-urns": { kind: "bool", short: "u" },
        "show-ids": { kind: "bool", short: "i" },
        "show-secrets": { kind: "bool" },
    });
    const ws = new Workspace(args);
    const s = ws.currentStack();
    if (args.on("show-name")) {
        print(s.name);
        return 0;
    }
    const snap = await ws.snapshot(s);
    print(`Current stack is ${s.name}:`);
    print("    Managed by the lab engine of ack-loadbalancer");
    const last = ws.backend.lastUpdate(s);
    if (last !== undefined) print(`    Last updated: ${ago(last)}`);
    print(`Current stack resources (${snap.resources.length}):`);
    if (snap.resources.length === 0) print("    No resources currently in this stack");
    else {
        printTable(
            ["    TYPE", "NAME"],
            snap.resources.map((r) => [`    ${r.type}`, urnName(r.urn)]),
        );
        if (args.on("show-urns")) for (const r of snap.resources) print(`    URN: ${r.urn}`);
        if (args.on("show-ids")) for (const r of snap.resources.filter((x) => x.id !== "")) print(`    ID: ${r.id}`);
    }
    print();
    await stackOutput([...(args.on("show-secrets") ? ["--show-secrets"] : []), "--stack", `${ORGANIZATION}/${s.project}/${s.name}`]);
    return 0;
}

/** `pulumi history` / `pulumi stack history`. */
export async function historyCommand(argv: readonly string[]): Promise<number> {
    const args = parseArguments(argv, {
        ...STACK,
        json: { kind: "bool", short: "j" },
        "show-secrets": { kind: "bool" },
        "page-size": { kind: "number" },
        page: { kind: "number" },
        "full-dates": { kind: "bool" },
    });
    const ws = new Workspace(args);
    const s = ws.currentStack();
    const all = ws.backend.history(s);
    const size = args.number("page-size") ?? all.length;
    const page = Math.max(1, args.number("page") ?? 1);
    const records = size > 0 ? all.slice((page - 1) * size, page * size) : all;
    if (args.on("json")) {
        const { crypter } = await ws.secrets(s, ws.settings(s));
        printJson(
            records.map((r) => {
                const config: Record<string, { value?: string; secret: boolean }> = {};
                for (const [k, v] of Object.entries(r.config)) {
                    const secure = typeof v === "object" && v !== null && "secure" in v ? String(v.secure) : undefined;
                    config[k] =
                        secure === undefined ? { value: String(v), secret: false } : { ...(args.on("show-secrets") ? { value: crypter.decrypt(secure) } : {}), secret: true };
                }
                return {
                    kind: r.kind,
                    startTime: new Date(r.startTime * 1000).toISOString(),
                    message: r.message,
                    environment: r.environment,
                    config,
                    result: r.result,
                    endTime: new Date(r.endTime * 1000).toISOString(),
                    resourceChanges: r.resourceChanges,
                    version: r.version,
                };
            }),
        );
        return 0;
    }
    if (records.length === 0) print(`Stack has never been updated`);
    for (const r of records) {
        print(`UpdateKind: ${r.kind}`);
        print(`Status: ${r.result}`);
        print(`Message: ${r.message}`);
        print(
            `Resource changes: ${Object.entries(r.resourceChanges)
                .map(([k, n]) => `${n} ${k}`)
                .join(", ")}`,
        );
        print(`Updated ${ago(r.startTime)} took ${r.endTime - r.startTime}s`);
        print();
    }
    return 0;
}
