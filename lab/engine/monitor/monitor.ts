import { status, type sendUnaryData, type ServerUnaryCall, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Callback } from "@pulumi/pulumi/proto/callback_pb";
import { CheckFailure } from "@pulumi/pulumi/proto/provider_pb";
import * as pb from "@pulumi/pulumi/proto/resource_pb";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { inheritOptions, newGoal, type AliasSpec, type CallbackRef, type Callbacks, type Goal, type Hook, type RegisterResult, type Source, type SourceEvent } from "../deploy";
import type { Provider } from "../plugin";
import { isProviderType, packageOf, type CustomTimeouts } from "../state";
import { decodeStruct, decodeValue, downgradeOutputs, encodeStruct, mapValues, outputDependencies, type ValueMap } from "../value";
import { parseDuration } from "./duration";
import { DefaultProviders, providerRequest } from "./providers";
import { positionText, stackFrames } from "./source";
import { optionsOf, runInvokeTransform, runTransform, withDependencies } from "./transforms";

/** Facts of the run that programs can ask for. */
export interface RunFacts {
    project: string;
    stack: string;
    organization: string;
    preview: boolean;
    parallel: number;
    /** Folder of the project file. */
    root: string;
    config: ReadonlyMap<string, string>;
    secretKeys: readonly string[];
}

/** What the monitor needs of the engine. */
export interface MonitorHost {
    facts: RunFacts;
    callbacks: Callbacks;
    hooks: Map<string, Hook>;
    /** Provider configuration of a package. */
    configOf(pkg: string): ValueMap;
    provider(reference: string): Provider | undefined;
}

/** Old names of features, for programs that ask one by one. */
const FEATURES = [
    "secrets",
    "resourceReferences",
    "outputValues",
    "aliasSpecs",
    "replacementTrigger",
    "deletedWith",
    "replaceWith",
    "transforms",
    "invokeTransforms",
    "parameterization",
    "resourceHooks",
    "errorHooks",
    "sendsOptionsToHooks",
];

/** Result of a registration that was left out because something it needs has failed; the generated enum does not name it. */
const SKIP = 2 as pb.Result;

class RpcError extends Error {
    constructor(
        readonly code: status,
        message: string,
    ) {
        super(message);
    }
}

/** Hook kinds in the order of the protocol. */
function hookNames(h: pb.RegisterResourceRequest.ResourceHooksBinding | undefined): Record<string, string[]> {
    if (!h) return {};
    const all: Record<string, string[]> = {
        BeforeCreate: h.getBeforeCreateList(),
        AfterCreate: h.getAfterCreateList(),
        BeforeUpdate: h.getBeforeUpdateList(),
        AfterUpdate: h.getAfterUpdateList(),
        BeforeDelete: h.getBeforeDeleteList(),
        AfterDelete: h.getAfterDeleteList(),
        OnError: h.getOnErrorList(),
    };
    return Object.fromEntries(Object.entries(all).filter(([, v]) => v.length > 0));
}

function aliasSpec(a: Alias): AliasSpec {
    const s = a.getSpec();
    if (!s) return { urn: a.getUrn() };
    return { name: s.getName(), type: s.getType(), parent: s.getParenturn(), noParent: s.getNoparent(), project: s.getProject(), stack: s.getStack() };
}

function timeouts(t: pb.RegisterResourceRequest.CustomTimeouts | undefined): CustomTimeouts {
    const out: CustomTimeouts = {};
    if (t?.getCreate()) out.create = parseDuration(t.getCreate());
    if (t?.getUpdate()) out.update = parseDuration(t.getUpdate());
    if (t?.getDelete()) out.delete = parseDuration(t.getDelete());
    return out;
}

const ref = (c: Callback): CallbackRef => ({ target: c.getTarget(), token: c.getToken() });

/** Serves the program: takes registrations, reads, function calls, and turns them into events for the engine. */
export class Monitor implements Source {
    private emit: ((e: SourceEvent) => void) | undefined;
    private readonly early: SourceEvent[] = [];
    private readonly waiting = new Set<(e: Error) => void>();
    private closed = false;
    private readonly defaults: DefaultProviders;
    private readonly goals = new Map<string, Goal>();
    private readonly parents = new Map<string, string>();
    private readonly componentProviders = new Map<string, Map<string, string>>();
    private readonly resourceTransforms = new Map<string, CallbackRef[]>();
    private readonly stackTransforms: CallbackRef[] = [];
    private readonly invokeTransforms: CallbackRef[] = [];
    private shutdownRequested: (() => void) | undefined;
    private readonly shutdown = new Promise<void>((r) => (this.shutdownRequested = r));
    private readonly shutdownAnswers: (() => void)[] = [];

    /**
     * @param program resolves when the program has ended; rejects if it has failed
     * @param endProgram ends it, whatever it does
     */
    constructor(
        private readonly host: MonitorHost,
        private readonly program: () => Promise<void>,
        private readonly endProgram: () => void,
    ) {
        this.defaults = new DefaultProviders(
            (pkg) => host.configOf(pkg),
            (e) => this.send(e),
        );
    }

    async run(emit: (e: SourceEvent) => void): Promise<void> {
        this.emit = emit;
        for (const e of this.early.splice(0)) emit(e);
        const ended = this.program();
        // The program is finished when it says so or when its process ends; what it still waits for then are our deletes.
        await Promise.race([ended, this.shutdown]);
    }

    close(): void {
        this.closed = true;
        // A program that has not come to its end has nothing to say any more, except that its engine has gone.
        if (this.shutdownAnswers.length === 0) this.endProgram();
        for (const refuse of [...this.waiting]) refuse(new RpcError(status.UNAVAILABLE, "resource monitor shut down while waiting on step's done channel"));
        for (const answer of this.shutdownAnswers.splice(0)) answer();
    }

    private send(e: SourceEvent): void {
        if (this.emit) this.emit(e);
        else this.early.push(e);
    }

    /** Sends an event and waits for its answer, or for the end of the run. */
    private ask<T>(make: (done: (t: T) => void) => SourceEvent): Promise<T> {
        return new Promise((done, failed) => {
            if (this.closed) {
                failed(new RpcError(status.UNAVAILABLE, "resource monitor shut down while sending resource registration"));
                return;
            }
            this.waiting.add(failed);
            this.send(
                make((t) => {
                    this.waiting.delete(failed);
                    done(t);
                }),
            );
        });
    }

    /** The service as gRPC serves it. */
    service(): UntypedServiceImplementation {
        const unary =
            <Q, A>(f: (q: Q) => Promise<A>) =>
            (call: ServerUnaryCall<Q, A>, done: sendUnaryData<A>) => {
                f(call.request).then(
                    (a) => done(null, a),
                    (e: Error) => done({ code: e instanceof RpcError ? e.code : status.UNKNOWN, details: e.message }),
                );
            };
        return {
            getDeploymentInfo: unary(async () => this.deploymentInfo()),
            supportsFeature: unary(async (q: pb.SupportsFeatureRequest) => {
                const a = new pb.SupportsFeatureResponse();
                a.setHassupport(FEATURES.includes(q.getId()));
                return a;
            }),
            registerResource: unary((q: pb.RegisterResourceRequest) => this.registerResource(q)),
            readResource: unary((q: pb.ReadResourceRequest) => this.readResource(q)),
            registerResourceOutputs: unary(async (q: pb.RegisterResourceOutputsRequest) => {
                const outputs = mapValues(decodeStruct(q.getOutputs()), downgradeOutputs);
                await this.ask<void>((done) => ({ kind: "outputs", urn: q.getUrn(), outputs, done: () => done() }));
                return new Empty();
            }),
            registerResourceHook: unary(async (q: pb.RegisterResourceHookRequest) => {
                const c = q.getCallback();
                if (q.getName() === "") throw new Error("resource hook name cannot be empty");
                if (this.host.hooks.has(q.getName())) throw new Error(`resource hook already registered for name "${q.getName()}"`);
                if (c) this.host.hooks.set(q.getName(), { callback: ref(c), onDryRun: q.getOnDryRun() });
                return new Empty();
            }),
            registerErrorHook: unary(async (q: pb.RegisterErrorHookRequest) => {
                const c = q.getCallback();
                if (q.getName() === "") throw new Error("error hook name cannot be empty");
                if (this.host.hooks.has(q.getName())) throw new Error(`error hook already registered for name "${q.getName()}"`);
                if (c) this.host.hooks.set(q.getName(), { callback: ref(c), onDryRun: false });
                return new Empty();
            }),
            registerStackTransform: unary(async (q: Callback) => {
                this.stackTransforms.push(ref(q));
                return new Empty();
            }),
            registerStackInvokeTransform: unary(async (q: Callback) => {
                this.invokeTransforms.push(ref(q));
                return new Empty();
            }),
            invoke: unary((q: pb.ResourceInvokeRequest) => this.invoke(q)),
            signalAndWaitForShutdown: unary(async () => {
                const answered = this.closed ? Promise.resolve() : new Promise<void>((r) => this.shutdownAnswers.push(r));
                this.shutdownRequested?.();
                await answered;
                return new Empty();
            }),
        };
    }

    private deploymentInfo(): pb.DeploymentInfo {
        const { facts } = this.host;
        const a = new pb.DeploymentInfo();
        a.setProject(facts.project);
        a.setStack(facts.stack);
        a.setOrganization(facts.organization);
        a.setDryrun(facts.preview);
        a.setParallel(facts.parallel);
        for (const [k, v] of facts.config) a.getConfigMap().set(k, v);
        a.setConfigsecretkeysList([...facts.secretKeys]);
        const F = pb.ResourceMonitorFeature;
        a.setSupportedfeaturesList([
            F.RESOURCE_MONITOR_FEATURE_SECRETS,
            F.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
            F.RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES,
            F.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
            F.RESOURCE_MONITOR_FEATURE_REPLACEMENT_TRIGGER,
            F.RESOURCE_MONITOR_FEATURE_DELETED_WITH,
            F.RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
            F.RESOURCE_MONITOR_FEATURE_TRANSFORMS,
            F.RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS,
            F.RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS,
            F.RESOURCE_MONITOR_FEATURE_ERROR_HOOKS,
            F.RESOURCE_MONITOR_FEATURE_SENDS_OPTIONS_TO_HOOKS,
            F.RESOURCE_MONITOR_FEATURE_INVOKE_DEPENDS_ON,
            F.RESOURCE_MONITOR_FEATURE_INVOKE_PARENT,
        ]);
        return a;
    }

    /** The provider a resource asks for, inherits, or gets by default. */
    private async providerReference(given: string, type: string, version: string, url: string): Promise<string> {
        if (given !== "") return given;
        const request = providerRequest(type, version, url);
        return request ? this.defaults.reference(request) : "";
    }

    private inheritedProvider(given: string, providers: ReadonlyMap<string, string>, parent: string, pkg: string): string {
        return given || providers.get(pkg) || this.componentProviders.get(parent)?.get(pkg) || "";
    }

    private async registerResource(q: pb.RegisterResourceRequest): Promise<pb.RegisterResourceResponse> {
        const [type, name, custom, parent] = [q.getType(), q.getName(), q.getCustom(), q.getParent()];
        if (q.getRemote()) throw new Error("remote components are not supported by the lab engine");
        let options = optionsOf(q);
        if (custom) options.setProvider(this.inheritedProvider(q.getProvider(), mapOf(q.getProvidersMap()), parent, packageOf(type)));
        let properties = decodeStruct(q.getObject());
        let dependencies = q.getDependenciesList();
        let propertyDependencies: Record<string, string[]> = {};
        q.getPropertydependenciesMap().forEach((v, k) => {
            propertyDependencies[k] = v.getUrnsList();
        });
        if (Object.keys(propertyDependencies).length === 0) for (const k of Object.keys(properties)) propertyDependencies[k] = [...dependencies];
        const own = q.getTransformsList().map(ref);
        const transforms = [...own];
        for (let p = parent; p !== ""; p = this.parents.get(p) ?? "") transforms.push(...(this.resourceTransforms.get(p) ?? []));
        transforms.push(...this.stackTransforms);
        if (transforms.length > 0) {
            let t = { properties: withDependencies(properties, propertyDependencies), options };
            for (const c of transforms) t = await runTransform(this.host.callbacks, c, { type, name, custom, parent }, t);
            ({ properties, options } = t);
            propertyDependencies = {};
            const all = new Set(options.getDependsOnList());
            for (const [k, v] of Object.entries(properties)) {
                const deps = [...outputDependencies(v)];
                propertyDependencies[k] = deps;
                for (const d of deps) all.add(d);
            }
            dependencies = [...all];
        } else {
            for (const [k, v] of Object.entries(properties)) propertyDependencies[k] = [...new Set([...(propertyDependencies[k] ?? []), ...outputDependencies(v)])];
        }
        const providers = mapOf(options.getProvidersMap());
        if (!custom) for (const [k, v] of this.componentProviders.get(parent) ?? []) if (!providers.has(k)) providers.set(k, v);
        const provider = custom && !isProviderType(type) ? await this.providerReference(options.getProvider(), type, options.getVersion(), options.getPluginDownloadUrl()) : "";
        properties = mapValues(properties, downgradeOutputs);
        if (isProviderType(type) && options.getVersion() !== "") properties["version"] = options.getVersion();
        const trigger = options.getReplacementTrigger();
        const goal = newGoal({
            type,
            name,
            custom,
            parent,
            provider,
            properties,
            propertyDependencies,
            importId: options.getImport(),
            protect: options.hasProtect() ? options.getProtect() === true : undefined,
            dependencies: [...new Set(dependencies)],
            deleteBeforeReplace: options.hasDeleteBeforeReplace() ? options.getDeleteBeforeReplace() === true : undefined,
            ignoreChanges: options.getIgnoreChangesList(),
            additionalSecretOutputs: options.getAdditionalSecretOutputsList(),
            aliases: options.getAliasesList().map(aliasSpec),
            customTimeouts: timeouts(options.getCustomTimeouts()),
            replaceOnChanges: options.getReplaceOnChangesList(),
            retainOnDelete: options.hasRetainOnDelete() ? options.getRetainOnDelete() === true : undefined,
            deletedWith: options.getDeletedWith(),
            replaceWith: options.getReplaceWithList(),
            replacementTrigger: trigger && downgradeOutputs(decodeValue(trigger)),
            hideDiff: options.getHideDiffList(),
            sourcePosition: positionText(q.getSourceposition(), this.host.facts.root),
            stackTrace: stackFrames(q.getStacktrace(), this.host.facts.root),
            resourceHooks: hookNames(options.getHooks()),
        });
        const parentGoal = this.goals.get(parent);
        if (parentGoal) inheritOptions(goal, parentGoal);
        const r = await this.ask<RegisterResult>((done) => ({ kind: "register", goal, done }));
        this.goals.set(r.state.urn, goal);
        this.parents.set(r.state.urn, parent);
        this.resourceTransforms.set(r.state.urn, own);
        if (!custom) this.componentProviders.set(r.state.urn, providers);
        return answer(q, r);
    }

    private async readResource(q: pb.ReadResourceRequest): Promise<pb.ReadResourceResponse> {
        const type = q.getType();
        const given = this.inheritedProvider(q.getProvider(), new Map(), q.getParent(), packageOf(type));
        const provider = await this.providerReference(given, type, q.getVersion(), q.getPlugindownloadurl());
        const properties = mapValues(decodeStruct(q.getProperties()), downgradeOutputs);
        const r = await this.ask<RegisterResult>((done) => ({
            kind: "read",
            id: q.getId(),
            type,
            name: q.getName(),
            parent: q.getParent(),
            provider,
            properties,
            dependencies: q.getDependenciesList(),
            additionalSecretOutputs: q.getAdditionalsecretoutputsList(),
            sourcePosition: positionText(q.getSourceposition(), this.host.facts.root),
            stackTrace: stackFrames(q.getStacktrace(), this.host.facts.root),
            done,
        }));
        const a = new pb.ReadResourceResponse();
        a.setUrn(r.state.urn);
        a.setProperties(encodeStruct(r.state.outputs, { keepSecrets: q.getAcceptsecrets(), keepResources: q.getAcceptresources() }));
        if (r.result === "failed") a.setResult(pb.Result.FAIL);
        if (r.result === "skipped") a.setResult(SKIP);
        return a;
    }

    private async invoke(q: pb.ResourceInvokeRequest): Promise<pb.ResourceInvokeResponse> {
        const token = q.getTok();
        let args = decodeStruct(q.getArgs());
        let options = new pb.TransformInvokeOptions();
        options.setProvider(q.getProvider());
        options.setVersion(q.getVersion());
        options.setPluginDownloadUrl(q.getPlugindownloadurl());
        for (const t of this.invokeTransforms) ({ args, options } = await runInvokeTransform(this.host.callbacks, t, token, args, options));
        const reference = await this.providerReference(options.getProvider(), token, options.getVersion(), options.getPluginDownloadUrl());
        const provider = this.host.provider(reference);
        if (!provider) throw new Error(`unknown provider reference ${reference}`);
        let answerOf;
        try {
            answerOf = await provider.invoke(token, mapValues(args, downgradeOutputs), this.host.facts.preview);
        } catch (e) {
            throw new Error(`invocation of ${token} returned an error: ${(e as Error).message}`);
        }
        const a = new pb.ResourceInvokeResponse();
        a.setReturn(encodeStruct(answerOf.result, { keepSecrets: true, keepResources: q.getAcceptresources() }));
        a.setFailuresList(
            answerOf.failures.map((f) => {
                const m = new CheckFailure();
                m.setProperty(f.property);
                m.setReason(f.reason);
                return m;
            }),
        );
        return a;
    }
}

function mapOf(m: { forEach(f: (v: string, k: string) => void): void }): Map<string, string> {
    const out = new Map<string, string>();
    m.forEach((v, k) => out.set(k, v));
    return out;
}

function answer(q: pb.RegisterResourceRequest, r: RegisterResult): pb.RegisterResourceResponse {
    const a = new pb.RegisterResourceResponse();
    a.setUrn(r.state.urn);
    a.setId(r.state.id);
    a.setObject(encodeStruct(q.getCustom() ? r.state.outputs : {}, { keepSecrets: q.getAcceptsecrets(), keepResources: q.getAcceptresources() }));
    if (r.result === "failed") a.setResult(pb.Result.FAIL);
    if (r.result === "skipped") a.setResult(SKIP);
    if (r.result !== "success" && !q.getSupportsresultreporting()) throw new RpcError(status.INTERNAL, "resource registration failed");
    return a;
}
