/** Drives a resource plugin of the lab as an engine does. */
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import {
    credentials,
    Server,
    ServerCredentials,
    type sendUnaryData,
    type ServerUnaryCall,
    type ServiceError,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { REPOSITORY } from "../support/repository";

export type Properties = { [name: string]: JavaScriptValue };

const struct = (map: Properties): Struct => Struct.fromJavaScript(map);
const map = (value: Struct | undefined): Properties => value?.toJavaScript() ?? {};

export interface Diff {
    readonly changed: boolean;
    readonly replaces: string[];
    readonly deleteBeforeReplace: boolean;
    readonly paths: Record<string, string>;
}

export class PluginClient {
    readonly logs: string[] = [];

    private constructor(
        private readonly child: ChildProcess,
        private readonly engine: Server,
        private client: ResourceProviderClient,
    ) {}

    /** Starts `lab/<name>/pulumi-resource-<name>` and configures it. */
    static async start(
        name: string,
        args: Properties,
        environment: Record<string, string> = {},
    ): Promise<PluginClient> {
        const engine = new Server();
        const logs: string[] = [];
        const log = (call: ServerUnaryCall<LogRequest, Empty>, callback: sendUnaryData<Empty>): void => {
            logs.push(call.request.getMessage());
            callback(null, new Empty());
        };
        engine.addService({ log: EngineService.log }, { log });
        const port = await new Promise<number>((resolve, reject) =>
            engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
                error === null ? resolve(bound) : reject(error),
            ),
        );
        const program = join(REPOSITORY, "lab", name, `pulumi-resource-${name}`);
        const child = spawn(program, [`127.0.0.1:${port}`], {
            env: { ...process.env, ...environment },
            stdio: ["ignore", "pipe", "inherit"],
        });
        const pluginPort = await new Promise<string>((resolve, reject) => {
            child.once("error", reject);
            createInterface(child.stdout).once("line", resolve);
            child.once("exit", (code) => reject(new Error(`the plugin ended with ${String(code)}`)));
        });
        const plugin = new PluginClient(
            child,
            engine,
            new ResourceProviderClient(`127.0.0.1:${pluginPort}`, credentials.createInsecure()),
        );
        plugin.logs.push(...logs);
        Object.defineProperty(plugin, "logs", { value: logs });
        await plugin.call("configure", new pb.ConfigureRequest().setArgs(struct(args)).setAcceptsecrets(true));
        return plugin;
    }

    async stop(): Promise<void> {
        this.client.close();
        this.engine.forceShutdown();
        const ended = new Promise((resolve) => this.child.once("exit", resolve));
        this.child.kill();
        await ended;
    }

    private call<T>(method: string, request: object): Promise<T> {
        const client = this.client as unknown as Record<
            string,
            (request: object, callback: (error: ServiceError | null, answer: T) => void) => void
        >;
        return new Promise((resolve, reject) =>
            client[method]!(request, (error, answer) => (error === null ? resolve(answer) : reject(error))),
        );
    }

    async check(urn: string, olds: Properties, news: Properties): Promise<{ inputs: Properties; failures: string[] }> {
        const answer = await this.call<pb.CheckResponse>(
            "check",
            new pb.CheckRequest()
                .setUrn(urn)
                .setOlds(struct(olds))
                .setNews(struct(news))
                .setRandomseed(Buffer.from(urn.padEnd(32).slice(0, 32))),
        );
        return {
            inputs: map(answer.getInputs()),
            failures: answer.getFailuresList().map((failure) => failure.getReason()),
        };
    }

    async diff(urn: string, id: string, olds: Properties, oldInputs: Properties, news: Properties): Promise<Diff> {
        const answer = await this.call<pb.DiffResponse>(
            "diff",
            new pb.DiffRequest()
                .setUrn(urn)
                .setId(id)
                .setOlds(struct(olds))
                .setOldInputs(struct(oldInputs))
                .setNews(struct(news)),
        );
        const kinds = Object.entries(pb.PropertyDiff.Kind);
        const paths: Record<string, string> = {};
        answer.getDetaileddiffMap().forEach((diff, path) => {
            paths[path] = kinds.find(([, kind]) => kind === diff.getKind())![0];
        });
        return {
            changed: answer.getChanges() === pb.DiffResponse.DiffChanges.DIFF_SOME,
            replaces: answer.getReplacesList(),
            deleteBeforeReplace: answer.getDeletebeforereplace(),
            paths,
        };
    }

    async create(
        urn: string,
        inputs: Properties,
        preview = false,
        timeout = 0,
    ): Promise<{ id: string; state: Properties }> {
        const answer = await this.call<pb.CreateResponse>(
            "create",
            new pb.CreateRequest().setUrn(urn).setProperties(struct(inputs)).setPreview(preview).setTimeout(timeout),
        );
        return { id: answer.getId(), state: map(answer.getProperties()) };
    }

    async update(
        urn: string,
        id: string,
        olds: Properties,
        oldInputs: Properties,
        news: Properties,
        preview = false,
    ): Promise<Properties> {
        const answer = await this.call<pb.UpdateResponse>(
            "update",
            new pb.UpdateRequest()
                .setUrn(urn)
                .setId(id)
                .setOlds(struct(olds))
                .setOldInputs(struct(oldInputs))
                .setNews(struct(news))
                .setPreview(preview),
        );
        return map(answer.getProperties());
    }

    async read(
        urn: string,
        id: string,
        state: Properties = {},
        inputs: Properties = {},
    ): Promise<{ id: string; state: Properties; inputs: Properties }> {
        const answer = await this.call<pb.ReadResponse>(
            "read",
            new pb.ReadRequest().setUrn(urn).setId(id).setProperties(struct(state)).setInputs(struct(inputs)),
        );
        return { id: answer.getId(), state: map(answer.getProperties()), inputs: map(answer.getInputs()) };
    }

    async delete(urn: string, id: string, state: Properties, inputs: Properties): Promise<void> {
        await this.call(
            "delete",
            new pb.DeleteRequest().setUrn(urn).setId(id).setProperties(struct(state)).setOldInputs(struct(inputs)),
        );
    }

    async invoke(token: string, args: Properties): Promise<Properties> {
        const answer = await this.call<pb.InvokeResponse>(
            "invoke",
            new pb.InvokeRequest().setTok(token).setArgs(struct(args)),
        );
        return map(answer.getReturn());
    }
}

export const urnOf = (type: string, name = "res"): string => `urn:pulumi:dev::test::${type}::${name}`;
