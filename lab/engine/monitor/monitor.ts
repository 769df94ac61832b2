import { status, type sendUnaryData, type ServerUnaryCall, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Callback } from "@pulumi/pulumi/proto/callback_pb";
import * as pb from "@pulumi/pulumi/proto/resource_pb";
import {
    inheritOptions,
    type CallbackRef,
    type Callbacks,
    type Goal,
    type Hook,
    type RegisterResult,
    type Source,
    type SourceEvent,
} from "../deploy";
import type { Provider } from "../plugin";
import { isProviderType, packageOf } from "../state";
import { decodeStruct, downgradeOutputs, mapValues, type ValueMap } from "../value";
import { invokeAnswer, readAnswer, registerAnswer, RpcError } from "./answers";
import { EventChannel } from "./channel";
import { deploymentInfo, type RunFacts } from "./facts";
import { FEATURE_NAMES } from "./features";
import { DefaultProviders, providerRequest, refuseDefault } from "./providers";
import {
    callbackRef,
    goalOf,
    inputsOf,
    mapOf,
    readEventOf,
    transformedInputs,
    withValueDependencies,
    type Inputs,
} from "./requests";
import { TransformRegistry } from "./transformregistry";
import { optionsOf, runInvokeTransform, runTransform, withDependencies, type TransformOptions } from "./transforms";

/** What the monitor needs of the engine. */
export interface MonitorHost {
    facts: RunFacts;
    callbacks: Callbacks;
    hooks: Map<string, Hook>;
    /** Provider configuration of a package. */
    configOf(pkg: string): ValueMap;
    provider(reference: string): Provider | undefined;
}

/** Serves the program: takes registrations, reads, function calls, and turns them into events for the engine. */
export class Monitor implements Source {
    private readonly channel = new EventChannel();
    private readonly defaults: DefaultProviders;
    private readonly goals = new Map<string, Goal>();
    private readonly componentProviders = new Map<string, Map<string, string>>();
    private readonly transforms = new TransformRegistry();
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
            (e) => this.channel.send(e),
        );
    }

    async run(emit: (e: SourceEvent) => void): Promise<void> {
        this.channel.open(emit);
        const ended = this.program();
        // The program is finished when it says so or when its process ends; what it still waits for then are our deletes.
        await Promise.race([ended, this.shutdown]);
    }

    close(): void {
        // A program that has not come to its end has nothing to say any more, except that its engine has gone.
        if (this.shutdownAnswers.length === 0) this.endProgram();
        this.channel.close();
        for (const answer of this.shutdownAnswers.splice(0)) answer();
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
            getDeploymentInfo: unary(async () => deploymentInfo(this.host.facts)),
            supportsFeature: unary(async (q: pb.SupportsFeatureRequest) => {
                const a = new pb.SupportsFeatureResponse();
                a.setHassupport(FEATURE_NAMES.includes(q.getId()));
                return a;
            }),
            registerResource: unary((q: pb.RegisterResourceRequest) => this.registerResource(q)),
            readResource: unary((q: pb.ReadResourceRequest) => this.readResource(q)),
            registerResourceOutputs: unary(async (q: pb.RegisterResourceOutputsRequest) => {
                const outputs = mapValues(decodeStruct(q.getOutputs()), downgradeOutputs);
                await this.channel.ask<void>((done) => ({
                    kind: "outputs",
                    urn: q.getUrn(),
                    outputs,
                    done: () => done(),
                }));
                return new Empty();
            }),
            registerResourceHook: unary(async (q: pb.RegisterResourceHookRequest) => {
                const c = q.getCallback();
                if (q.getName() === "") throw new Error("resource hook name cannot be empty");
                if (this.host.hooks.has(q.getName()))
                    throw new Error(`resource hook already registered for name "${q.getName()}"`);
                if (c) this.host.hooks.set(q.getName(), { callback: callbackRef(c), onDryRun: q.getOnDryRun() });
                return new Empty();
            }),
            registerErrorHook: unary(async (q: pb.RegisterErrorHookRequest) => {
                const c = q.getCallback();
                if (q.getName() === "") throw new Error("error hook name cannot be empty");
                if (this.host.hooks.has(q.getName()))
                    throw new Error(`error hook already registered for name "${q.getName()}"`);
                if (c) this.host.hooks.set(q.getName(), { callback: callbackRef(c), onDryRun: false });
                return new Empty();
            }),
            registerStackTransform: unary(async (q: Callback) => {
                this.transforms.stack.push(callbackRef(q));
                return new Empty();
            }),
            registerStackInvokeTransform: unary(async (q: Callback) => {
                this.transforms.invoke.push(callbackRef(q));
                return new Empty();
            }),
            invoke: unary((q: pb.ResourceInvokeRequest) => this.invoke(q)),
            signalAndWaitForShutdown: unary(async () => {
                const answered = this.channel.closed
                    ? Promise.resolve()
                    : new Promise<void>((r) => this.shutdownAnswers.push(r));
                this.shutdownRequested?.();
                await answered;
                return new Empty();
            }),
        };
    }

    /** The provider a resource asks for, inherits, or gets by default. */
    private async providerReference(given: string, type: string, version: string, url: string): Promise<string> {
        if (given !== "") return given;
        const request = providerRequest(type, version, url);
        if (!request) return "";
        refuseDefault(request.pkg, type, this.host.configOf("pulumi"));
        return this.defaults.reference(request);
    }

    private inheritedProvider(
        given: string,
        providers: ReadonlyMap<string, string>,
        parent: string,
        pkg: string,
    ): string {
        return given || providers.get(pkg) || this.componentProviders.get(parent)?.get(pkg) || "";
    }

    private async registerResource(q: pb.RegisterResourceRequest): Promise<pb.RegisterResourceResponse> {
        const [type, custom, parent] = [q.getType(), q.getCustom(), q.getParent()];
        if (q.getRemote()) throw new Error("remote components are not supported by the lab engine");
        const given = optionsOf(q);
        if (custom)
            given.setProvider(
                this.inheritedProvider(q.getProvider(), mapOf(q.getProvidersMap()), parent, packageOf(type)),
            );
        const own = q.getTransformsList().map(callbackRef);
        const transforms = this.transforms.of(own, parent);
        const { inputs, options } =
            transforms.length > 0
                ? await this.transformed(q, given, transforms)
                : { inputs: withValueDependencies(inputsOf(q)), options: given };
        const providers = mapOf(options.getProvidersMap());
        if (!custom)
            for (const [k, v] of this.componentProviders.get(parent) ?? []) if (!providers.has(k)) providers.set(k, v);
        const provider =
            custom && !isProviderType(type)
                ? await this.providerReference(
                      options.getProvider(),
                      type,
                      options.getVersion(),
                      options.getPluginDownloadUrl(),
                  )
                : "";
        const goal = goalOf(q, inputs, options, provider, this.host.facts.root);
        const parentGoal = this.goals.get(parent);
        if (parentGoal) inheritOptions(goal, parentGoal);
        const r = await this.channel.ask<RegisterResult>((done) => ({ kind: "register", goal, done }));
        this.goals.set(r.state.urn, goal);
        this.transforms.add(r.state.urn, parent, own);
        if (!custom) this.componentProviders.set(r.state.urn, providers);
        return registerAnswer(q, r);
    }

    /** Inputs and options of a registration after its transforms, which see what each property depends on. */
    private async transformed(
        q: pb.RegisterResourceRequest,
        given: TransformOptions,
        transforms: readonly CallbackRef[],
    ): Promise<{ inputs: Inputs; options: TransformOptions }> {
        const inputs = inputsOf(q);
        const resource = { type: q.getType(), name: q.getName(), custom: q.getCustom(), parent: q.getParent() };
        let t = { properties: withDependencies(inputs.properties, inputs.propertyDependencies), options: given };
        for (const c of transforms) t = await runTransform(this.host.callbacks, c, resource, t);
        return { inputs: transformedInputs(t), options: t.options };
    }

    private async readResource(q: pb.ReadResourceRequest): Promise<pb.ReadResourceResponse> {
        const type = q.getType();
        const given = this.inheritedProvider(q.getProvider(), new Map(), q.getParent(), packageOf(type));
        const provider = await this.providerReference(given, type, q.getVersion(), q.getPlugindownloadurl());
        const r = await this.channel.ask<RegisterResult>((done) =>
            readEventOf(q, provider, this.host.facts.root, done),
        );
        return readAnswer(q, r);
    }

    private async invoke(q: pb.ResourceInvokeRequest): Promise<pb.ResourceInvokeResponse> {
        const token = q.getTok();
        let args = decodeStruct(q.getArgs());
        let options = new pb.TransformInvokeOptions();
        options.setProvider(q.getProvider());
        options.setVersion(q.getVersion());
        options.setPluginDownloadUrl(q.getPlugindownloadurl());
        for (const t of this.transforms.invoke)
            ({ args, options } = await runInvokeTransform(this.host.callbacks, t, token, args, options));
        const reference = await this.providerReference(
            options.getProvider(),
            token,
            options.getVersion(),
            options.getPluginDownloadUrl(),
        );
        const provider = this.host.provider(reference);
        if (!provider) throw new Error(`unknown provider reference ${reference}`);
        let result;
        try {
            result = await provider.invoke(token, mapValues(args, downgradeOutputs), this.host.facts.preview);
        } catch (e) {
            throw new Error(`invocation of ${token} returned an error: ${(e as Error).message}`, { cause: e });
        }
        return invokeAnswer(q, result);
    }
}
