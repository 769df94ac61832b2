import { dirname } from "node:path";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb";
import { ProgramInfo, RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { ORGANIZATION } from "./backend";
import {
    Callbacks,
    Deployment,
    DeploymentExecutor,
    Journal,
    nullSource,
    ReportedFailure,
    type DeployEvents,
    type DeployOptions,
    type Diagnostics,
    type Hook,
    type Op,
    type SaveSnapshot,
    type Source,
    type Status,
    type Step,
} from "./deploy";
import { readChanged, RefreshStep } from "./deploy/steps";
import { isInternal, maskEvents, stepFacts, type EventSink, type PackFacts } from "./events";
import { engineService, LocalServer, Monitor, type LogSink, type RunFacts } from "./monitor";
import {
    BuiltinProvider,
    call,
    childEnvironment,
    connect,
    NodeProgram,
    PluginProvider,
    ProviderRegistry,
    resourcePlugin,
    sdkScript,
    type LineSink,
    type StackAccess,
} from "./plugin";
import { loadPolicyConfig, PolicyPack, type PolicySettings } from "./policy";
import type { Snapshot } from "./state";
import { Secret, type Value, type ValueMap } from "./value";

/** A configuration value in clear. */
export interface RunConfigValue {
    text: string;
    secret: boolean;
}

/** One phase of an operation: a preview, or the real thing. */
export interface RunRequestOptions {
    project: string;
    stack: string;
    root: string;
    pwd: string;
    main: string;
    runtimeOptions: Readonly<Record<string, unknown>>;
    providerPaths: readonly { name: string; path: string }[];
    config: ReadonlyMap<string, RunConfigValue>;
    options: DeployOptions;
    snapshot: Snapshot;
    /** Stores states; undefined in previews. */
    save: SaveSnapshot | undefined;
    packs: readonly { path: string; settings: string | undefined }[];
    events: EventSink;
    access: Pick<StackAccess, "outputsOf">;
    /** Address of a program that runs elsewhere (Automation API). */
    client: string | undefined;
}

/** How a phase has ended. */
export interface RunResult {
    ok: boolean;
    /** Error that is not a diagnostic of the run: shown at the very end. */
    error: Error | undefined;
    changes: Record<string, number>;
    /** True if anything was or would be changed. */
    hasChanges: boolean;
}

/** A running phase. */
export interface RunningPhase {
    result: Promise<RunResult>;
    /** Lets running calls end and starts nothing new. */
    cancel(): void;
    /** Stops recording: what goes on now is not stored any more. */
    terminate(): void;
}

/** Starts a phase. */
export function startRun(r: RunRequestOptions): RunningPhase {
    const mask = maskEvents([...r.config.values()].filter((v) => v.secret).map((v) => v.text));
    const phase = new Phase({ ...r, events: (e) => r.events(mask(e)) });
    return { result: phase.run(), cancel: () => phase.cancel(), terminate: () => phase.terminate() };
}

const MESSAGE_END = "\n";

class Phase {
    private readonly changes: Record<string, number> = {};
    private steps = 0;
    private maybeCorrupt = false;
    private executor: DeploymentExecutor | undefined;
    private journal: Journal | undefined;
    private program: NodeProgram | undefined;
    private registry: ProviderRegistry | undefined;
    private readonly packs: PolicyPack[] = [];
    private canceled = false;
    /** Resources (or "" for the stack) that an error was reported for. */
    private readonly erroredUrns = new Set<string>();

    constructor(private readonly r: RunRequestOptions) {}

    private get preview(): boolean {
        return this.r.options.preview;
    }

    cancel(): void {
        this.canceled = true;
        this.executor?.cancel();
        void this.registry?.cancelAll();
    }
    terminate(): void {
        this.journal?.abandon();
    }

    private message(severity: "info" | "info#err" | "warning" | "error", urn: string, message: string, ephemeral = false, stream?: string): void {
        if (severity === "error" && !ephemeral) this.erroredUrns.add(urn);
        this.r.events({ kind: "diagnostic", severity, urn, message: message + MESSAGE_END, ephemeral, ...(stream === undefined ? {} : { stream }) });
    }
    private readonly diag: Diagnostics = {
        info: (urn, m) => this.message("info", urn, m),
        warning: (urn, m) => this.message("warning", urn, m),
        error: (urn, m) => this.message("error", urn, m),
    };
    private readonly lines: LineSink = (line, stream) => this.message(stream === "stdout" ? "info" : "info#err", "", `${line}\n`, false, stream);

    async run(): Promise<RunResult> {
        const started = Date.now();
        const { r } = this;
        const log: LogSink = (severity, urn, m, ephemeral) => this.message(severity, urn, m, ephemeral);
        const server = new LocalServer().add(EngineService, engineService(log));
        const callbacks = new Callbacks();
        let ok = false;
        let error: Error | undefined;
        try {
            const source = await this.prepare(server, callbacks);
            if (this.preview) this.journal = undefined;
            const config: Record<string, string> = {};
            for (const [k, v] of r.config) config[k] = v.secret ? "[secret]" : v.text;
            r.events({ kind: "prelude", preview: this.preview, config });
            const deployment = this.deployment(source.registry, callbacks, source.hooks);
            source.bind(deployment);
            this.executor = new DeploymentExecutor(deployment, source.source);
            if (this.canceled) this.executor.cancel();
            ok = await this.executor.execute();
        } catch (e) {
            error = e as Error;
        }
        try {
            await this.journal?.close();
        } catch (e) {
            error ??= e as Error;
        }
        await this.registry?.cancelAll();
        const seconds = (Date.now() - started) / 1000;
        if (!error) {
            const packs: PackFacts[] = this.packs.map((p) => ({ name: p.name, version: p.version, path: p.path }));
            r.events({
                kind: "summary",
                preview: this.preview,
                maybeCorrupt: this.maybeCorrupt,
                seconds,
                changes: { ...this.changes },
                packs,
                errors: this.erroredUrns.size,
                result: ok ? "succeeded" : "failed",
            });
        }
        await Promise.all([this.registry?.close(), ...this.packs.map((p) => p.close())]);
        this.program?.end();
        callbacks.close();
        server.close();
        const hasChanges = Object.keys(this.changes).some((op) => op !== "same");
        return { ok: ok && !error, error, changes: { ...this.changes }, hasChanges };
    }

    /** Starts servers and packs, and makes ready what the deployment needs. */
    private async prepare(server: LocalServer, callbacks: Callbacks) {
        const { r } = this;
        const secretKeys = [...r.config].filter(([, v]) => v.secret).map(([k]) => k);
        const plain = new Map([...r.config].map(([k, v]) => [k, v.text]));
        const facts: RunFacts = {
            project: r.project,
            stack: r.stack,
            organization: ORGANIZATION,
            preview: this.preview,
            parallel: r.options.parallel,
            root: r.root,
            config: plain,
            secretKeys,
        };
        const withProgram = r.options.kind === "update" || r.options.runProgram;
        const hooks = new Map<string, Hook>();
        let deployment: Deployment | undefined;
        const builtin = new BuiltinProvider({
            outputsOf: r.access.outputsOf,
            resource: (urn) => {
                const s = deployment?.news.get(urn) ?? deployment?.reads.get(urn);
                return s && { id: s.id, outputs: s.outputs };
            },
        });
        const registry = new ProviderRegistry((pkg) => this.loadPlugin(pkg, server.address), builtin, this.preview);
        this.registry = registry;
        const monitor = new Monitor(
            { facts, callbacks, hooks, configOf: (pkg) => providerConfig(pkg, r.config), provider: (ref) => registry.get(ref) },
            () => this.runProgram(server.address, facts),
            () => this.program?.end(),
        );
        server.add(ResourceMonitorService, monitor.service());
        await server.listen();
        if (withProgram && !r.options.runProgram) await this.startPacks(server.address, facts);
        if (r.options.kind === "destroy" && !r.options.runProgram) this.refuseDeleteHooks();
        const source: Source = withProgram ? monitor : nullSource;
        return {
            source,
            registry,
            hooks,
            bind: (d: Deployment) => {
                deployment = d;
            },
        };
    }

    private async startPacks(engineAddress: string, facts: RunFacts): Promise<void> {
        if (this.r.packs.length === 0) return;
        this.r.events({ kind: "policyLoad", packs: this.r.packs.length, done: false });
        const results = await Promise.allSettled(this.r.packs.map((p) => PolicyPack.start(p.path, { ...facts, engineAddress }, this.lines)));
        for (const p of results) if (p.status === "fulfilled") this.packs.push(p.value);
        for (const p of results) if (p.status === "rejected") throw p.reason as Error;
        this.r.events({ kind: "policyLoad", packs: this.packs.length, done: true });
        const errors: string[] = [];
        const settings = this.r.packs.map((p) => (p.settings === undefined ? new Map<string, PolicySettings>() : loadPolicyConfig(p.settings)));
        for (const [i, pack] of this.packs.entries()) errors.push(...(await pack.configure(settings[i] ?? new Map<string, PolicySettings>())));
        if (errors.length > 0) {
            for (const e of errors.sort()) this.diag.error("", `validating policy config: ${e}`);
            throw new Error("validating policy config");
        }
    }

    /** Hooks around deletes live in the program; without it such resources cannot be destroyed. */
    private refuseDeleteHooks(): void {
        let refused = false;
        for (const s of this.r.snapshot.resources) {
            const names = [...(s.resourceHooks["BeforeDelete"] ?? []), ...(s.resourceHooks["AfterDelete"] ?? [])];
            if (names.length === 0) continue;
            refused = true;
            this.diag.error(s.urn, `Resource has delete hooks registered, but the program is not running. Hooks: ${names.join(", ")}`);
        }
        if (refused) throw new Error("You must run with the `--run-program` flag to use delete hooks during destroy.");
    }

    private async loadPlugin(pkg: string, engineAddress: string): Promise<PluginProvider> {
        const { r } = this;
        const env: Record<string, string> = { PULUMI_PROJECT: r.project, PULUMI_NODEJS_PROJECT: r.project, PULUMI_CONFIG: "{}" };
        for (const [k, v] of Object.entries(r.runtimeOptions)) env[`PULUMI_RUNTIME_${k.toUpperCase()}`] = String(v);
        const found = resourcePlugin(pkg, r.providerPaths);
        const dynamic = pkg === "pulumi-nodejs";
        if (found === undefined && !dynamic) {
            throw new Error(`no resource plugin 'pulumi-resource-${pkg}' found in the workspace or on your $PATH`);
        }
        const command = found ?? "node";
        const args = found === undefined ? [sdkScript(r.pwd, "dynamic-provider")] : [];
        // Plugins other than the dynamic one are not the program's business: their lines are shown at debug level only, so not at all.
        const sink: LineSink = dynamic ? this.lines : () => undefined;
        return PluginProvider.start({ pkg, command, args, cwd: r.pwd, env: childEnvironment(env), engineAddress, folder: dirname(command) }, sink);
    }

    private async runProgram(address: string, facts: RunFacts): Promise<void> {
        const { r } = this;
        if (r.client !== undefined) return this.runElsewhere(r.client, address, facts);
        this.program = new NodeProgram(
            {
                root: r.root,
                pwd: r.pwd,
                main: r.main,
                project: r.project,
                stack: r.stack,
                organization: ORGANIZATION,
                preview: this.preview,
                parallel: r.options.parallel,
                monitorAddress: address,
                engineAddress: address,
                config: facts.config,
                secretKeys: facts.secretKeys,
                runtimeOptions: r.runtimeOptions,
            },
            this.lines,
        );
        const result = await this.program.result;
        if (result.ok) return;
        throw result.reported ? new ReportedFailure("the program has failed") : new Error(result.message);
    }

    /** Asks a language host that is already running to run its program. */
    private async runElsewhere(client: string, address: string, facts: RunFacts): Promise<void> {
        const host = connect(LanguageRuntimeClient, client);
        const q = new RunRequest();
        q.setProject(facts.project);
        q.setStack(facts.stack);
        q.setOrganization(facts.organization);
        q.setPwd(this.r.pwd);
        q.setProgram(this.r.main);
        q.setArgsList([address]);
        for (const [k, v] of facts.config) q.getConfigMap().set(k, v);
        q.setConfigsecretkeysList([...facts.secretKeys]);
        q.setDryrun(facts.preview);
        q.setParallel(facts.parallel);
        q.setMonitorAddress(address);
        const info = new ProgramInfo();
        info.setRootDirectory(this.r.root);
        info.setProgramDirectory(this.r.pwd);
        info.setEntryPoint(this.r.main);
        q.setInfo(info);
        try {
            const a = await call(host, host.run, q);
            if (a.getBail()) throw new ReportedFailure("the program has failed");
            if (a.getError() !== "") throw new Error(`an unhandled error occurred: ${a.getError()}`);
        } finally {
            host.close();
        }
    }

    private deployment(registry: ProviderRegistry, callbacks: Callbacks, hooks: ReadonlyMap<string, Hook>): Deployment {
        const { r } = this;
        if (r.save) this.journal = new Journal(r.snapshot, r.save);
        return new Deployment({ project: r.project, stack: r.stack }, r.snapshot, r.options, registry, this.packs, this.diag, this.deployEvents(), callbacks, hooks);
    }

    private deployEvents(): DeployEvents {
        const { events } = this.r;
        const planning = this.preview;
        return {
            before: async (step) => {
                events({ kind: "begin", step: stepFacts(step), planning });
                await this.journal?.begin(step);
            },
            after: (step, status, error) => this.stepEnded(step, status, error),
            outputs: (step) => {
                events({ kind: "outputs", step: stepFacts(step), planning });
                this.journal?.outputsChanged(step);
            },
            violation: (urn, violation) => events({ kind: "violation", urn, violation: { ...violation, message: violation.message + MESSAGE_END } }),
            remediation: (urn, remediation, before, after) => events({ kind: "remediation", urn, remediation, before, after }),
            analyzed: (urn, summary) => events({ kind: "analyzeSummary", urn, summary }),
            remediated: (urn, summary) => events({ kind: "remediateSummary", urn, summary }),
            stackAnalyzed: (summary) => events({ kind: "stackSummary", summary }),
        };
    }

    private stepEnded(step: Step, status: Status, error: Error | undefined): void {
        const { events, options } = this.r;
        const internal = isInternal(step);
        if (error) {
            if (status === "unknown" && !this.preview) this.maybeCorrupt = true;
            this.diag.error(internal ? "" : step.urn, this.preview ? `Preview failed: ${error.message}` : error.message);
            if (!this.preview) events({ kind: "failed", step: stepFacts(step), status, steps: this.steps });
        } else {
            let op: Op = step.op;
            let record = step.logical;
            if (step instanceof RefreshStep && options.kind === "refresh") {
                op = step.resultOp;
                record = true;
            }
            if (step.op === "read") record = readChanged(step);
            if (record && !internal) {
                this.steps++;
                this.changes[op] = (this.changes[op] ?? 0) + 1;
            }
            const shown = this.preview || step.subject.custom || (options.refresh && step.op === "refresh") || step.op === "delete";
            if (shown) events({ kind: "outputs", step: stepFacts(step, op), planning: this.preview });
        }
        // A half-failed update: the object has new outputs, but not the inputs that were asked for.
        if (status === "partial" && step.op === "update" && step.now && step.old) step.now.inputs = { ...step.old.inputs };
        this.journal?.end(step, !error || status === "partial");
    }
}

/** Configuration of a provider package: the stack's values in its namespace. Dynamic providers get all values with full keys. */
export function providerConfig(pkg: string, config: ReadonlyMap<string, RunConfigValue>): ValueMap {
    const out: ValueMap = {};
    for (const [k, v] of config) {
        const colon = k.indexOf(":");
        const value: Value = v.secret ? new Secret(v.text) : v.text;
        if (pkg === "pulumi-nodejs") out[k] = value;
        else if (k.slice(0, colon) === pkg) out[k.slice(colon + 1)] = value;
    }
    return out;
}
