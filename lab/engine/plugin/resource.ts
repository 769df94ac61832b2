import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { containsUnknown, decodeStruct, encodeStruct, unwrapSecrets, type ValueMap } from "../value";
import { failures, readDiff, unknownDiff } from "./answers";
import { usePlugin } from "./attached";
import { call, connect, isUnimplemented, translateError, type Unary } from "./grpc";
import type { LineSink, RunningPlugin } from "./process";
import { markSecrets } from "./secrecy";
import {
    DiffUnavailable,
    InitError,
    type CheckFailure,
    type CheckResult,
    type CreateResult,
    type DiffResult,
    type Identity,
    type Plugin,
    type ReadResult,
} from "./types";

/** How a plugin is started. */
export interface PluginSpec {
    pkg: string;
    command: string;
    args: readonly string[];
    cwd: string;
    env: NodeJS.ProcessEnv;
    engineAddress: string;
    /** Folder of the plugin's executable. */
    folder: string;
}

/** Names the resource that a request is about. */
function about<Q extends { setUrn(v: string): unknown; setName(v: string): unknown; setType(v: string): unknown }>(
    q: Q,
    r: Identity,
): Q {
    q.setUrn(r.urn);
    q.setName(r.name);
    q.setType(r.type);
    return q;
}

/** A resource provider in a process of its own, spoken to over gRPC. */
export class PluginProvider implements Plugin {
    private acceptSecrets = false;
    private acceptResources = false;
    private acceptOutputs = false;
    private supportsPreview = false;
    /** False while the configuration holds values that are not known yet. */
    private configKnown = true;
    version = "";

    private constructor(
        readonly pkg: string,
        private readonly plugin: RunningPlugin,
        private readonly client: ResourceProviderClient,
    ) {}

    /** Starts a plugin and shakes hands with it. */
    static async start(spec: PluginSpec, sink: LineSink): Promise<PluginProvider> {
        const { pkg, command, args, engineAddress, cwd, env } = spec;
        const plugin = await usePlugin(pkg, command, args, { engineAddress, cwd, env, sink });
        const p = new PluginProvider(spec.pkg, plugin, connect(ResourceProviderClient, plugin.address));
        const hello = new pb.ProviderHandshakeRequest();
        hello.setEngineAddress(spec.engineAddress);
        hello.setRootDirectory(spec.folder);
        hello.setProgramDirectory(spec.folder);
        hello.setConfigureWithUrn(true);
        hello.setSupportsViews(false);
        hello.setSupportsRefreshBeforeUpdate(true);
        hello.setInvokeWithPreview(true);
        try {
            const r = await p.ask(p.client.handshake, hello);
            p.acceptSecrets = r.getAcceptSecrets();
            p.acceptResources = r.getAcceptResources();
            p.acceptOutputs = r.getAcceptOutputs();
        } catch (e) {
            if (!isUnimplemented(e)) {
                await plugin.stop();
                throw translateError(e);
            }
        }
        p.version = await p.ask(p.client.getPluginInfo, new Empty()).then(
            (r) => r.getVersion(),
            () => "",
        );
        return p;
    }

    private ask<Req, Res>(method: Unary<Req, Res>, request: Req): Promise<Res> {
        return call<Req, Res>(this.client, method, request);
    }
    private async tell<Req, Res>(method: Unary<Req, Res>, request: Req): Promise<Res> {
        try {
            return await this.ask(method, request);
        } catch (e) {
            throw translateError(e);
        }
    }
    private encode(m: ValueMap) {
        return encodeStruct(m, {
            keepSecrets: this.acceptSecrets,
            keepResources: this.acceptResources,
            keepOutputs: this.acceptOutputs,
        });
    }
    /** Adds secrecy to an answer if the plugin could not do so itself. */
    private secrecy(answer: ValueMap, ...asked: (ValueMap | undefined)[]): ValueMap {
        if (this.acceptSecrets) return answer;
        return asked.reduce<ValueMap>((a, b) => (b ? markSecrets(a, b) : a), answer);
    }

    /** Checks provider configuration. Plugins without the method accept everything. */
    async checkConfig(r: Identity, olds: ValueMap, news: ValueMap): Promise<CheckResult> {
        const q = about(new pb.CheckRequest(), r);
        q.setOlds(encodeStruct(olds));
        q.setNews(encodeStruct(news));
        try {
            const a = await this.ask(this.client.checkConfig, q);
            const s = a.getInputs();
            return { inputs: s ? markSecrets(decodeStruct(s), news) : {}, failures: failures(a.getFailuresList()) };
        } catch (e) {
            if (isUnimplemented(e)) return { inputs: news, failures: [] };
            throw translateError(e);
        }
    }

    /** Compares provider configurations. */
    async diffConfig(
        r: Identity,
        oldInputs: ValueMap,
        oldOutputs: ValueMap,
        news: ValueMap,
        ignoreChanges: readonly string[],
    ): Promise<DiffResult> {
        const q = about(new pb.DiffRequest(), r);
        q.setOldInputs(encodeStruct(oldInputs));
        q.setOlds(encodeStruct(oldOutputs));
        q.setNews(encodeStruct(news));
        q.setIgnorechangesList([...ignoreChanges]);
        try {
            return readDiff(await this.ask(this.client.diffConfig, q));
        } catch (e) {
            if (isUnimplemented(e)) return unknownDiff();
            throw translateError(e);
        }
    }

    /** Hands over configuration; until everything in it is known, the plugin is not asked to do anything. */
    async configure(r: Identity, id: string, inputs: ValueMap): Promise<void> {
        this.configKnown = !containsUnknown(inputs);
        if (!this.configKnown) return;
        const q = about(new pb.ConfigureRequest(), r);
        q.setId(id);
        q.setAcceptsecrets(true);
        q.setAcceptresources(true);
        q.setSendsOldInputs(true);
        q.setSendsOldInputsToDelete(true);
        q.setArgs(encodeStruct(inputs, { keepSecrets: true, keepResources: true }));
        for (const [k, v] of Object.entries(inputs)) {
            if (k === "version" || k === "__internal") continue;
            const plain = unwrapSecrets(v);
            q.getVariablesMap().set(
                `${this.pkg}:config:${k}`,
                typeof plain === "string" ? plain : JSON.stringify(plain),
            );
        }
        const a = await this.tell(this.client.configure, q);
        this.acceptSecrets = a.getAcceptsecrets();
        this.acceptResources = a.getAcceptresources();
        this.acceptOutputs = a.getAcceptoutputs();
        this.supportsPreview = a.getSupportspreview();
    }

    async check(r: Identity, olds: ValueMap, news: ValueMap, randomSeed: Uint8Array): Promise<CheckResult> {
        if (!this.configKnown) return { inputs: news, failures: [] };
        const q = about(new pb.CheckRequest(), r);
        q.setOlds(this.encode(olds));
        q.setNews(this.encode(news));
        q.setRandomseed(randomSeed);
        const a = await this.tell(this.client.check, q);
        const s = a.getInputs();
        return { inputs: s ? this.secrecy(decodeStruct(s), news) : {}, failures: failures(a.getFailuresList()) };
    }

    async diff(
        r: Identity,
        id: string,
        oldInputs: ValueMap,
        oldOutputs: ValueMap,
        news: ValueMap,
        ignoreChanges: readonly string[],
    ): Promise<DiffResult> {
        if (!this.configKnown)
            throw new DiffUnavailable(
                "The provider for this resource has inputs that are not known during preview.\nThis preview may not correctly represent the changes that will be applied during an update.",
            );
        const q = about(new pb.DiffRequest(), r);
        q.setId(id);
        q.setOldInputs(this.encode(oldInputs));
        q.setOlds(this.encode(oldOutputs));
        q.setNews(this.encode(news));
        q.setIgnorechangesList([...ignoreChanges]);
        return readDiff(await this.tell(this.client.diff, q));
    }

    async create(r: Identity, inputs: ValueMap, timeout: number, preview: boolean): Promise<CreateResult> {
        if (preview && !this.configKnown) return { id: "", outputs: {}, refreshBeforeUpdate: false };
        if (preview && !this.supportsPreview) return { id: "", outputs: inputs, refreshBeforeUpdate: false };
        const q = about(new pb.CreateRequest(), r);
        q.setProperties(this.encode(inputs));
        q.setTimeout(timeout);
        q.setPreview(preview);
        try {
            const a = await this.tell(this.client.create, q);
            if (!preview && a.getId() === "")
                throw new Error(`plugin for package '${this.pkg}' returned empty resource.ID from create '${r.urn}'`);
            return {
                id: a.getId(),
                outputs: this.secrecy(decodeStruct(a.getProperties()), inputs),
                refreshBeforeUpdate: a.getRefreshBeforeUpdate(),
            };
        } catch (e) {
            throw this.initError(e, inputs);
        }
    }

    async update(
        r: Identity,
        id: string,
        oldInputs: ValueMap,
        oldOutputs: ValueMap,
        news: ValueMap,
        timeout: number,
        ignoreChanges: readonly string[],
        preview: boolean,
    ): Promise<CreateResult> {
        if (preview && !this.configKnown) return { id, outputs: {}, refreshBeforeUpdate: false };
        if (preview && !this.supportsPreview) return { id, outputs: news, refreshBeforeUpdate: false };
        const q = about(new pb.UpdateRequest(), r);
        q.setId(id);
        q.setOldInputs(this.encode(oldInputs));
        q.setOlds(this.encode(oldOutputs));
        q.setNews(this.encode(news));
        q.setTimeout(timeout);
        q.setIgnorechangesList([...ignoreChanges]);
        q.setPreview(preview);
        try {
            const a = await this.tell(this.client.update, q);
            return {
                id,
                outputs: this.secrecy(decodeStruct(a.getProperties()), news),
                refreshBeforeUpdate: a.getRefreshBeforeUpdate(),
            };
        } catch (e) {
            throw this.initError(e, news);
        }
    }

    async read(
        r: Identity,
        id: string,
        inputs: ValueMap | undefined,
        state: ValueMap | undefined,
    ): Promise<ReadResult> {
        if (!this.configKnown) return { id, outputs: {}, inputs: undefined };
        const q = about(new pb.ReadRequest(), r);
        q.setId(id);
        q.setProperties(this.encode(state ?? {}));
        if (inputs) q.setInputs(this.encode(inputs));
        try {
            const a = await this.tell(this.client.read, q);
            if (a.getId() === "") return { id: "", outputs: decodeStruct(a.getProperties()), inputs: undefined };
            const ins = a.getInputs();
            return {
                id: a.getId(),
                outputs: this.secrecy(decodeStruct(a.getProperties()), state),
                inputs: ins && this.secrecy(decodeStruct(ins), inputs),
            };
        } catch (e) {
            if (e instanceof InitError)
                throw new InitError(
                    e.reasons,
                    e.id,
                    this.secrecy(e.outputs, state),
                    e.inputs && this.secrecy(e.inputs, inputs),
                );
            throw e;
        }
    }

    async delete(r: Identity, id: string, inputs: ValueMap, outputs: ValueMap, timeout: number): Promise<void> {
        if (!this.configKnown) return;
        const q = about(new pb.DeleteRequest(), r);
        q.setId(id);
        q.setOldInputs(this.encode(inputs));
        q.setProperties(this.encode(outputs));
        q.setTimeout(timeout);
        await this.tell(this.client.delete, q);
    }

    async invoke(
        token: string,
        args: ValueMap,
        preview: boolean,
    ): Promise<{ result: ValueMap; failures: CheckFailure[] }> {
        if (!this.configKnown) return { result: {}, failures: [] };
        const q = new pb.InvokeRequest();
        q.setTok(token);
        q.setArgs(this.encode(args));
        q.setPreview(preview);
        const a = await this.tell(this.client.invoke, q);
        return { result: decodeStruct(a.getReturn()), failures: failures(a.getFailuresList()) };
    }

    /** Asks the plugin to stop what it is doing; plugins without the method ignore it. */
    async cancel(): Promise<void> {
        await this.ask(this.client.cancel, new Empty()).catch(() => undefined);
    }

    async close(): Promise<void> {
        this.client.close();
        await this.plugin.stop();
    }

    private initError(e: unknown, asked: ValueMap): unknown {
        return e instanceof InitError ? new InitError(e.reasons, e.id, this.secrecy(e.outputs, asked), e.inputs) : e;
    }
}
