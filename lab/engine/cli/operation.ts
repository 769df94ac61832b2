import { cpus } from "node:os";
import type { HistoryRecord, StackName } from "../backend";
import type { DeployOptions } from "../deploy";
import { UrnTargets } from "../deploy";
import {
    diffDisplay,
    digestDisplay,
    eventStreamDisplay,
    progressDisplay,
    withMaskedSecrets,
    type Display,
    type DisplayOptions,
} from "../display";
import { EventLog, type EventSink } from "../events";
import { endAllProcesses } from "../plugin";
import { startRun, type RunningPhase, type RunResult } from "../run";
import type { SecretsManager } from "../secrets";
import { DependencyGraph, ROOT_STACK_TYPE, type ResourceState, type Snapshot } from "../state";
import type { ValueMap } from "../value";
import type { Arguments } from "./args";
import { Failure, print } from "./output";
import { programEntry } from "./project";
import { effectiveConfig, type Config, type StackSettings } from "./stackconfig";
import type { Workspace } from "./workspace";

/** Kinds of operations on a stack. */
export type Kind = "update" | "refresh" | "destroy";

/** Exit code when changes were made or proposed although none were expected. */
const UNEXPECTED_CHANGES = 7;

interface Prepared {
    ws: Workspace;
    args: Arguments;
    kind: Kind;
    stack: StackName;
    config: Config;
    secrets: SecretsManager;
    log: EventLog | undefined;
    /** URNs a destroy is restricted to because others are protected. */
    unprotected?: readonly string[];
}

/** Runs `preview`, `up`, `refresh` or `destroy`. @returns the exit code */
export async function operate(ws: Workspace, kind: Kind, previewOnly: boolean): Promise<number> {
    const { args } = ws;
    const stack = ws.currentStack();
    const settings = ws.settings(stack);
    saveConfig(ws, settings);
    const secrets = await ws.secrets(stack, settings);
    const config = effectiveConfig(ws.project, stack.name, settings, secrets.crypter);
    const eventLog = args.text("event-log");
    const log = eventLog === undefined ? undefined : new EventLog(eventLog);
    const p: Prepared = { ws, args, kind, stack, config, secrets, log };
    if (!previewOnly && !args.on("yes") && !args.on("skip-preview")) {
        throw new Failure("--yes or --skip-preview must be passed in to proceed when running in non-interactive mode");
    }
    try {
        await settlePendingCreates(p, previewOnly);
        if (kind === "destroy" && args.on("exclude-protected")) {
            const { free, kept } = divideByProtection((await loadState(p)).resources);
            if (kept > 0 && free.length === 0) {
                print(
                    `There were no unprotected resources to destroy. There are still ${kept} protected resources associated with this stack.`,
                );
                return 0;
            }
            if (kept > 0) p.unprotected = free;
        }
        if (previewOnly) return await previewPhase(p);
        return await realPhase(p);
    } finally {
        log?.sink({ kind: "cancel" });
        await log?.close();
    }
}

/** URNs of resources that may go, and the number of those that stay because they are protected or something protected needs them. */
function divideByProtection(resources: readonly ResourceState[]): { free: string[]; kept: number } {
    const graph = new DependencyGraph(resources);
    const kept = new Set<ResourceState>();
    for (const r of resources) {
        if (!r.protect) continue;
        kept.add(r);
        for (const needed of graph.transitiveDependencies(r)) kept.add(needed);
    }
    return { free: resources.filter((r) => !kept.has(r)).map((r) => r.urn), kept: kept.size };
}

/** Stores the values given by `--config key=value` in the settings of the stack. */
function saveConfig({ args, project }: Workspace, settings: StackSettings): void {
    const pairs = args.list("config");
    for (const c of pairs) {
        const eq = c.indexOf("=");
        if (eq < 0) throw new Failure(`invalid configuration value '${c}': must be of the form key=value`);
        settings.store(project.name, c.slice(0, eq), args.on("config-path"), c.slice(eq + 1));
    }
    if (pairs.length > 0) settings.save();
}

/**
 * Creates that were interrupted are taken off the record when asked for: with `--clear-pending-creates`, or one by one by
 * URN and id. An id alone does not bring the object in; that takes the `import` option.
 */
async function settlePendingCreates(p: Prepared, previewOnly: boolean): Promise<void> {
    const { args, ws, stack } = p;
    const pairs = args.list("import-pending-creates");
    if (pairs.length % 2 !== 0) throw new Failure("each URN must be followed by an ID: found an odd number of entries");
    const named = new Set(pairs.filter((_, i) => i % 2 === 0));
    if (p.kind !== "refresh" || previewOnly || (named.size === 0 && !args.on("clear-pending-creates"))) return;
    const state = await loadState(p);
    const known = state.pendingOperations;
    state.pendingOperations = known.filter(
        (o) => o.type !== "creating" || !(args.on("clear-pending-creates") || named.has(o.resource.urn)),
    );
    if (state.pendingOperations.length === known.length) return;
    ws.backend.saveAll([[stack, state]]);
}

async function loadState(p: Prepared): Promise<Snapshot> {
    const snap = await p.ws.snapshot(p.stack);
    snap.secrets ??= p.secrets;
    return snap;
}

function deployOptions(p: Prepared, preview: boolean): DeployOptions {
    const { args, kind } = p;
    const refreshFlag = args.has("refresh") ? args.on("refresh") || args.text("refresh") === "" : undefined;
    const replaces = [...args.list("replace"), ...args.list("target-replace")];
    return {
        preview,
        kind,
        refresh: kind === "refresh" || (refreshFlag ?? p.ws.project.refreshAlways),
        runProgram: args.on("run-program"),
        parallel: Math.max(1, args.number("parallel") ?? Number(process.env["PULUMI_PARALLEL"] ?? 4 * cpus().length)),
        targets: new UrnTargets([...args.list("target"), ...args.list("target-replace"), ...(p.unprotected ?? [])]),
        excludes: new UrnTargets(args.list("exclude")),
        replaceTargets: new UrnTargets(replaces),
        targetDependents: args.on("target-dependents"),
        excludeDependents: args.on("exclude-dependents"),
        continueOnError: args.on("continue-on-error"),
    };
}

function label(kind: Kind, preview: boolean): string {
    if (preview) return `Previewing ${kind}`;
    return { update: "Updating", refresh: "Refreshing", destroy: "Destroying" }[kind];
}

function displayFor(p: Prepared, preview: boolean): Display {
    const { args } = p;
    const doing = label(p.kind, preview);
    const o: DisplayOptions = {
        action: preview && p.kind === "update" ? "preview" : p.kind,
        preview,
        stack: p.stack.name,
        project: p.stack.project,
        diff: args.on("diff"),
        json: args.on("json"),
        showSecrets: args.on("show-secrets"),
        truncate: !args.on("show-full-output"),
        showSames: args.on("show-sames"),
        showReads: args.on("show-reads"),
        showReplacementSteps: args.on("show-replacement-steps"),
        showPolicyRemediations: args.on("show-policy-remediations"),
        suppressOutputs: args.on("suppress-outputs"),
        heartbeat: args.on("suppress-progress") ? "" : doing.toLowerCase(),
        showUrns: args.on("urns"),
        showConfig: args.on("show-config"),
        write: (t) => process.stdout.write(t),
        writeError: (t) => process.stderr.write(t),
    };
    if (o.json) return preview ? digestDisplay(o) : eventStreamDisplay(o);
    o.write(`${doing} (${p.stack.name}):\n`);
    const display = o.diff ? diffDisplay(o) : progressDisplay(o);
    return o.showSecrets ? display : { ...display, sink: withMaskedSecrets(display.sink) };
}

async function runPhase(p: Prepared, preview: boolean, snapshot: Snapshot): Promise<RunResult> {
    const { ws, args } = p;
    const display = displayFor(p, preview);
    const sinks: EventSink[] = [display.sink, ...(p.log ? [p.log.sink] : [])];
    const events: EventSink = (e) => {
        for (const s of sinks) s(e);
    };
    const several = (flag: string) => args.list(flag).flatMap((v) => v.split(","));
    const packConfigs = several("policy-pack-config");
    const packs = several("policy-pack").map((path, i) => ({ path, settings: packConfigs[i] }));
    const { pwd, main } = programEntry(ws.project);
    const phase = startRun({
        project: p.stack.project,
        stack: p.stack.name,
        root: ws.project.root,
        pwd,
        main,
        runtimeOptions: ws.project.runtimeOptions,
        providerPaths: ws.project.providerPaths,
        config: p.config,
        options: deployOptions(p, preview),
        snapshot,
        save: preview ? undefined : (s) => ws.backend.save(p.stack, s),
        packs,
        events,
        access: { outputsOf: (name) => outputsOf(ws, name) },
        client: args.text("client"),
    });
    const release = interrupts(phase, events);
    try {
        return await phase.result;
    } finally {
        release();
        display.finish();
    }
}

/** First signal: let running calls end. Second: stop at once, leaving the record as it is. */
function interrupts(phase: RunningPhase, events: EventSink): () => void {
    let count = 0;
    const handler = () => {
        count++;
        if (count === 1) {
            events({
                kind: "stdout",
                message:
                    "^C received; cancelling. If you would like to terminate immediately, press ^C again.\n" +
                    "Note that terminating immediately may lead to orphaned resources and other inconsistencies.\n",
            });
            phase.cancel();
            return;
        }
        phase.terminate();
        endAllProcesses();
        process.exit(1);
    };
    for (const s of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(s, handler);
    return () => {
        for (const s of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(s, handler);
    };
}

async function outputsOf(ws: Workspace, name: string): Promise<ValueMap | undefined> {
    const s = ws.parseStack(name);
    if (!ws.backend.exists(s)) return undefined;
    const snap = await ws.snapshot(s);
    return snap.resources.find((r) => r.type === ROOT_STACK_TYPE && !r.delete)?.outputs ?? {};
}

async function previewPhase(p: Prepared): Promise<number> {
    const result = await runPhase(p, true, await loadState(p));
    if (result.error) throw result.error;
    if (!result.ok) return 1;
    return expectNone(p, result, p.kind === "update" ? "preview" : p.kind);
}

function expectNone(p: Prepared, result: RunResult, what: string): number {
    if (!p.args.on("expect-no-changes") || !result.hasChanges) return 0;
    throw new Failure(`no changes were expected for ${what} but changes were proposed`, UNEXPECTED_CHANGES);
}

async function realPhase(p: Prepared): Promise<number> {
    const { ws, stack, kind, args } = p;
    const skipPreview = args.on("skip-preview");
    if (!skipPreview) {
        const preview = await runPhase(p, true, await loadState(p));
        if (preview.error) throw preview.error;
        if (!preview.ok) return 1;
    }
    const unlock = ws.backend.lock(stack);
    const started = Math.floor(Date.now() / 1000);
    try {
        const state = await loadState(p);
        const result = await runPhase(p, false, state);
        if (result.error) throw result.error;
        ws.backend.record(stack, historyRecord(p, started, result));
        if (!result.ok) return 1;
        if (kind === "destroy") afterDestroy(p);
        return expectNone(p, result, kind);
    } finally {
        unlock();
    }
}

function afterDestroy(p: Prepared): void {
    const { ws, stack, args } = p;
    if (args.on("remove")) {
        ws.backend.remove(stack);
        print(`The resources in the stack have been deleted, and the stack itself has been removed.`);
    } else if (p.unprotected) {
        print(
            "All unprotected resources were destroyed. There are still protected resources associated with this stack.",
        );
    } else if (!args.on("json")) {
        print(
            "The resources in the stack have been deleted, but the history and configuration associated with the stack are still maintained. ",
        );
        print(`If you want to remove the stack completely, run \`pulumi stack rm ${stack.name}\`.`);
    }
}

function historyRecord(p: Prepared, startTime: number, result: RunResult): HistoryRecord {
    const config: Record<string, unknown> = {};
    for (const [k, v] of p.config) config[k] = v.secret ? { secure: p.secrets.crypter.encrypt(v.text) } : v.text;
    return {
        kind: p.kind,
        startTime,
        message: p.args.text("message") ?? "",
        environment: { "exec.kind": p.args.text("exec-kind") ?? "cli" },
        config,
        version: 0,
        result: result.ok ? "succeeded" : "failed",
        endTime: Math.floor(Date.now() / 1000),
        resourceChanges: result.changes,
    };
}
