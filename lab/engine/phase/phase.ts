import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { ORGANIZATION } from "../backend";
import { Callbacks, Deployment, DeploymentExecutor, isChange, nullSource, type Hook, type Source } from "../deploy";
import type { PackFacts } from "../events";
import { engineService, LocalServer, Monitor, type RunFacts } from "../monitor";
import { BuiltinProvider, ProviderRegistry } from "../plugin";
import type { PolicyPack } from "../policy";
import { Messages } from "./messages";
import { startPacks } from "./packs";
import { locatePlugins, providerConfig, startProvider } from "./plugins";
import { Program } from "./program";
import { RunRecord } from "./record";
import type { RunRequestOptions, RunResult } from "./request";

/** Starts servers, plugins, packs and the program, runs the deployment, and ends all of them. */
export class Phase {
    private readonly messages: Messages;
    private readonly record: RunRecord;
    private readonly program: Program;
    private executor: DeploymentExecutor | undefined;
    private registry: ProviderRegistry | undefined;
    private readonly packs: PolicyPack[] = [];
    private canceled = false;

    constructor(private readonly r: RunRequestOptions) {
        this.messages = new Messages(r.events);
        this.record = new RunRecord(r, this.messages.diag);
        this.program = new Program(r, this.messages.processLines());
    }

    private get preview(): boolean {
        return this.r.options.preview;
    }

    /** Lets running calls end and starts nothing new. */
    cancel(): void {
        this.canceled = true;
        this.executor?.cancel();
        void this.registry?.cancelAll();
    }
    /** Stops recording. */
    terminate(): void {
        this.record.abandon();
    }

    /** @returns how it has ended; a failure of the deployment or of its preparation is in the result */
    async run(): Promise<RunResult> {
        const started = Date.now();
        const { r } = this;
        const server = new LocalServer().add(EngineService, engineService(this.messages.log));
        const callbacks = new Callbacks();
        let ok = false;
        let error: Error | undefined;
        try {
            const source = await this.prepare(server, callbacks);
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
            await this.record.close();
        } catch (e) {
            error ??= e as Error;
        }
        await this.registry?.cancelAll();
        const seconds = (Date.now() - started) / 1000;
        if (!error) {
            const packs: PackFacts[] = this.packs.map((p) => ({ name: p.name, version: p.version, path: p.folder }));
            r.events({
                kind: "summary",
                preview: this.preview,
                maybeCorrupt: this.record.maybeCorrupt,
                seconds,
                changes: { ...this.record.changes },
                packs,
                errors: this.messages.errors,
                result: ok ? "succeeded" : "failed",
            });
        }
        await Promise.all([this.registry?.close(), ...this.packs.map((p) => p.close())]);
        this.program.end();
        callbacks.close();
        server.close();
        const hasChanges = Object.keys(this.record.changes).some(isChange);
        return { ok: ok && !error, error, changes: { ...this.record.changes }, hasChanges };
    }

    private facts(): RunFacts {
        const { r } = this;
        return {
            project: r.project,
            stack: r.stack,
            organization: ORGANIZATION,
            preview: this.preview,
            parallel: r.options.parallel,
            root: r.root,
            config: new Map([...r.config].map(([k, v]) => [k, v.text])),
            secretKeys: [...r.config].filter(([, v]) => v.secret).map(([k]) => k),
        };
    }

    /** Starts servers and packs, and makes ready what the deployment needs. */
    private async prepare(server: LocalServer, callbacks: Callbacks) {
        const { r } = this;
        const facts = this.facts();
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
        const registry = new ProviderRegistry(
            (pkg, version) => startProvider(r, pkg, version, server.address, this.messages),
            builtin,
            this.preview,
        );
        this.registry = registry;
        const monitor = new Monitor(
            {
                facts,
                callbacks,
                hooks,
                configOf: (pkg) => providerConfig(pkg, r.config),
                provider: (ref) => registry.get(ref),
            },
            () => this.program.run(server.address, facts),
            () => this.program.end(),
        );
        server.add(ResourceMonitorService, monitor.service());
        await server.listen();
        locatePlugins(r, this.messages);
        if (withProgram && !r.options.runProgram) await startPacks(r, this.packs, server.address, facts, this.messages);
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

    private deployment(registry: ProviderRegistry, callbacks: Callbacks, hooks: ReadonlyMap<string, Hook>): Deployment {
        const { r } = this;
        this.record.open();
        return new Deployment(
            { project: r.project, stack: r.stack },
            r.snapshot,
            r.options,
            registry,
            this.packs,
            this.messages.diag,
            this.record.deployEvents(),
            callbacks,
            hooks,
        );
    }

    /** Hooks around deletes live in the program; without it such resources cannot be destroyed. */
    private refuseDeleteHooks(): void {
        let refused = false;
        for (const s of this.r.snapshot.resources) {
            const names = [...(s.resourceHooks["BeforeDelete"] ?? []), ...(s.resourceHooks["AfterDelete"] ?? [])];
            if (names.length === 0) continue;
            refused = true;
            this.messages.diag.error(
                s.urn,
                `Resource has delete hooks registered, but the program is not running. Hooks: ${names.join(", ")}`,
            );
        }
        if (refused) throw new Error("You must run with the `--run-program` flag to use delete hooks during destroy.");
    }
}
