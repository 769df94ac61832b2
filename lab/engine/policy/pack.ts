import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { parse } from "yaml";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/analyzer_pb";
import {
    call,
    childEnvironment,
    connect,
    sdkArguments,
    startPlugin,
    wantsTypescript,
    type LineSink,
    type RunningPlugin,
} from "../plugin";
import type { CustomTimeouts } from "../state";
import { decodeStruct, encodeStruct, type ValueMap } from "../value";
import { reconcile, type PolicyLevel, type PolicySchema, type PolicySettings } from "./config";
import type { PolicyRemediation, PolicyViolation } from "./results";

/** A resource as policies see it. */
export interface AnalyzedResource {
    urn: string;
    type: string;
    name: string;
    properties: ValueMap;
    protect: boolean;
    ignoreChanges: readonly string[];
    deleteBeforeReplace: boolean | undefined;
    additionalSecretOutputs: readonly string[];
    aliases: readonly string[];
    customTimeouts: CustomTimeouts;
    parent: string;
    provider: { urn: string; type: string; name: string; properties: ValueMap } | undefined;
    dependencies: readonly string[];
    propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

const LEVELS: Record<number, PolicyLevel> = {
    [pb.EnforcementLevel.ADVISORY]: "advisory",
    [pb.EnforcementLevel.MANDATORY]: "mandatory",
    [pb.EnforcementLevel.DISABLED]: "disabled",
    [pb.EnforcementLevel.REMEDIATE]: "remediate",
};
const LEVEL_NUMBERS: Record<PolicyLevel, pb.EnforcementLevel> = {
    advisory: pb.EnforcementLevel.ADVISORY,
    mandatory: pb.EnforcementLevel.MANDATORY,
    disabled: pb.EnforcementLevel.DISABLED,
    remediate: pb.EnforcementLevel.REMEDIATE,
};
const SEVERITIES: Record<number, string> = {
    [pb.PolicySeverity.POLICY_SEVERITY_LOW]: "low",
    [pb.PolicySeverity.POLICY_SEVERITY_MEDIUM]: "medium",
    [pb.PolicySeverity.POLICY_SEVERITY_HIGH]: "high",
    [pb.PolicySeverity.POLICY_SEVERITY_CRITICAL]: "critical",
};

/** The run a pack is started for. */
export interface PackContext {
    project: string;
    stack: string;
    organization: string;
    preview: boolean;
    config: ReadonlyMap<string, string>;
    secretKeys: readonly string[];
    engineAddress: string;
}

/** Properties without those whose name begins with two underscores. */
function visible(m: ValueMap): ValueMap {
    return Object.fromEntries(Object.entries(m).filter(([k]) => !k.startsWith("__")));
}

/** A running policy pack. */
export class PolicyPack {
    name = "";
    version = "";
    private schemas: PolicySchema[] = [];
    private readonly levels = new Map<string, PolicyLevel>();

    private constructor(
        /** Folder as it was given. */
        readonly folder: string,
        /** The same, absolute. */
        private readonly path: string,
        private readonly plugin: RunningPlugin,
        private readonly client: AnalyzerClient,
    ) {}

    /**
     * Starts a pack. @throws Error in the real CLI's words if the folder is not a pack or the pack does not start
     */
    static async start(folder: string, ctx: PackContext, sink: LineSink): Promise<PolicyPack> {
        const path = resolve(folder);
        const file = ["PulumiPolicy.yaml", "PulumiPolicy.yml"].map((f) => join(path, f)).find((f) => existsSync(f));
        if (!file)
            throw new Error(
                `failed to load Pulumi policy project located at "${folder}": open ${join(path, "PulumiPolicy.yaml")}: no such file or directory`,
            );
        const y = (parse(readFileSync(file, "utf8")) ?? {}) as {
            runtime?: string | { name?: string; options?: Record<string, unknown> };
            main?: string;
        };
        const options = typeof y.runtime === "object" ? (y.runtime.options ?? {}) : {};
        const entry = y.main ? dirname(join(path, y.main)) : path;
        const typescript = wantsTypescript(options);
        const env = childEnvironment({
            PULUMI_CONFIG: JSON.stringify(Object.fromEntries(ctx.config)),
            PULUMI_NODEJS_ORGANIZATION: ctx.organization,
            PULUMI_NODEJS_PROJECT: ctx.project,
            PULUMI_NODEJS_STACK: ctx.stack,
            PULUMI_NODEJS_DRY_RUN: String(ctx.preview),
            ...(typescript ? { PULUMI_NODEJS_TYPESCRIPT: "true" } : {}),
        });
        if (!typescript) delete env["PULUMI_NODEJS_TYPESCRIPT"];
        let plugin: RunningPlugin;
        try {
            plugin = await startPlugin(
                "node",
                [...sdkArguments(path, "run-policy-pack"), ctx.engineAddress, y.main ? join(path, y.main) : path],
                entry,
                env,
                sink,
            );
        } catch (e) {
            throw new Error(`policy pack not started: could not read policy pack port: ${(e as Error).message}`, {
                cause: e,
            });
        }
        const pack = new PolicyPack(folder, path, plugin, connect(AnalyzerClient, plugin.address));
        await pack.greet(ctx);
        return pack;
    }

    private async greet(ctx: PackContext): Promise<void> {
        const hello = new pb.AnalyzerHandshakeRequest();
        hello.setEngineAddress(ctx.engineAddress);
        hello.setRootDirectory(this.path);
        hello.setProgramDirectory(this.path);
        await call(this.client, this.client.handshake, hello).catch(() => undefined);
        const stack = new pb.AnalyzerStackConfigureRequest();
        stack.setStack(ctx.stack);
        stack.setProject(ctx.project);
        stack.setOrganization(ctx.organization);
        stack.setDryRun(ctx.preview);
        stack.setConfigSecretKeysList([...ctx.secretKeys]);
        for (const [k, v] of ctx.config) stack.getConfigMap().set(k, v);
        await call(this.client, this.client.configureStack, stack).catch(() => undefined);
        const info = await call(this.client, this.client.getAnalyzerInfo, new Empty());
        this.name = info.getName();
        this.version = info.getVersion();
        this.schemas = info.getPoliciesList().map((p) => {
            const s = p.getConfigschema();
            return {
                name: p.getName(),
                level: LEVELS[p.getEnforcementlevel()] ?? "advisory",
                type: p.getPolicyType() === pb.PolicyType.POLICY_TYPE_STACK ? "stack" : "resource",
                properties: s ? decodeStruct(s.getProperties()) : undefined,
                required: s?.getRequiredList() ?? [],
            };
        });
    }

    /** Names of the policies of one kind that are switched on. */
    policies(type: "resource" | "stack"): string[] {
        return this.schemas
            .filter((p) => p.type === type && (this.levels.get(p.name) ?? p.level) !== "disabled")
            .map((p) => p.name);
    }

    /**
     * Hands over settings.
     * @returns what is wrong with them; nothing has been handed over then
     */
    async configure(settings: ReadonlyMap<string, PolicySettings>): Promise<string[]> {
        const { config, errors } = reconcile(this.schemas, settings);
        if (errors.length > 0) return errors.map((e) => `${this.name} ${this.version}  ${e}`);
        const q = new pb.ConfigureAnalyzerRequest();
        for (const [name, c] of config) {
            this.levels.set(name, c.level);
            const p = new pb.PolicyConfig();
            p.setEnforcementlevel(LEVEL_NUMBERS[c.level]);
            p.setProperties(encodeStruct(c.properties));
            q.getPolicyconfigMap().set(name, p);
        }
        await call(this.client, this.client.configure, q);
        return [];
    }

    async remediate(r: AnalyzedResource): Promise<{
        remediations: (PolicyRemediation & { diagnostic: string; properties: ValueMap | undefined })[];
        notApplicable: Set<string>;
    }> {
        const a = await this.ask(() => call(this.client, this.client.remediate, analyzeRequest(r, r.properties)));
        return {
            remediations: a.getRemediationsList().map((m) => {
                const p = m.getProperties();
                return {
                    policy: m.getPolicyname(),
                    pack: m.getPolicypackname(),
                    packVersion: m.getPolicypackversion(),
                    description: m.getDescription(),
                    diagnostic: m.getDiagnostic(),
                    properties: p && decodeStruct(p),
                };
            }),
            notApplicable: new Set(a.getNotApplicableList().map((n) => n.getPolicyName())),
        };
    }

    async analyze(r: AnalyzedResource): Promise<{ violations: PolicyViolation[]; notApplicable: Set<string> }> {
        return readAnswer(
            await this.ask(() => call(this.client, this.client.analyze, analyzeRequest(r, visible(r.properties)))),
        );
    }

    async analyzeStack(
        resources: readonly AnalyzedResource[],
    ): Promise<{ violations: PolicyViolation[]; notApplicable: Set<string> }> {
        const q = new pb.AnalyzeStackRequest();
        q.setResourcesList(
            resources.map((r) => {
                const m = new pb.AnalyzerResource();
                m.setType(r.type);
                m.setProperties(encodeStruct(visible(r.properties), { keepSecrets: true, keepResources: true }));
                m.setUrn(r.urn);
                m.setName(r.name);
                m.setOptions(resourceOptions(r));
                if (r.provider) m.setProvider(providerMessage(r.provider));
                m.setParent(r.parent);
                m.setDependenciesList([...r.dependencies]);
                for (const [k, v] of Object.entries(r.propertyDependencies)) {
                    if (v.length === 0) continue;
                    const deps = new pb.AnalyzerPropertyDependencies();
                    deps.setUrnsList([...v]);
                    m.getPropertydependenciesMap().set(k, deps);
                }
                return m;
            }),
        );
        return readAnswer(await this.ask(() => call(this.client, this.client.analyzeStack, q)));
    }

    private async ask<T>(f: () => Promise<T>): Promise<T> {
        try {
            return await f();
        } catch (e) {
            throw new Error((e as { details?: string }).details ?? (e as Error).message, { cause: e });
        }
    }

    async close(): Promise<void> {
        await call(this.client, this.client.cancel, new Empty()).catch(() => undefined);
        this.client.close();
        await this.plugin.stop();
    }
}

function resourceOptions(r: AnalyzedResource): pb.AnalyzerResourceOptions {
    const o = new pb.AnalyzerResourceOptions();
    o.setProtect(r.protect);
    o.setIgnorechangesList([...r.ignoreChanges]);
    o.setDeletebeforereplace(r.deleteBeforeReplace ?? false);
    o.setDeletebeforereplacedefined(r.deleteBeforeReplace !== undefined);
    o.setAdditionalsecretoutputsList([...r.additionalSecretOutputs]);
    o.setAliasesList([...r.aliases]);
    const t = new pb.AnalyzerResourceOptions.CustomTimeouts();
    t.setCreate(r.customTimeouts.create ?? 0);
    t.setUpdate(r.customTimeouts.update ?? 0);
    t.setDelete(r.customTimeouts.delete ?? 0);
    o.setCustomtimeouts(t);
    o.setParent(r.parent);
    return o;
}

function providerMessage(p: NonNullable<AnalyzedResource["provider"]>): pb.AnalyzerProviderResource {
    const m = new pb.AnalyzerProviderResource();
    m.setType(p.type);
    m.setProperties(encodeStruct(p.properties, { keepSecrets: true, keepResources: true }));
    m.setUrn(p.urn);
    m.setName(p.name);
    return m;
}

function analyzeRequest(r: AnalyzedResource, properties: ValueMap): pb.AnalyzeRequest {
    const q = new pb.AnalyzeRequest();
    q.setType(r.type);
    q.setProperties(encodeStruct(properties, { keepSecrets: true, keepResources: true }));
    q.setUrn(r.urn);
    q.setName(r.name);
    q.setOptions(resourceOptions(r));
    if (r.provider) q.setProvider(providerMessage(r.provider));
    return q;
}

function readAnswer(a: pb.AnalyzeResponse): { violations: PolicyViolation[]; notApplicable: Set<string> } {
    return {
        violations: a.getDiagnosticsList().map((v) => ({
            policy: v.getPolicyname(),
            pack: v.getPolicypackname(),
            packVersion: v.getPolicypackversion(),
            description: v.getDescription(),
            message: v.getMessage(),
            level: LEVELS[v.getEnforcementlevel()] ?? "advisory",
            severity: SEVERITIES[v.getSeverity()] ?? "",
            urn: v.getUrn(),
        })),
        notApplicable: new Set(a.getNotApplicableList().map((n) => n.getPolicyName())),
    };
}
