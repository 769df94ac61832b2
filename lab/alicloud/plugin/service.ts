/** The resource provider service, as the engine calls it. */
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { autonamingOf } from "../../plugin-server/autonaming";
import type { EngineLog } from "../../plugin-server/engine-log";
import { type Method, methodName, type Provider, unimplemented } from "../../plugin-server/provider";
import { Client } from "../sdk/client";
import { PluginPanic } from "../sdk/errors";
import type { Settings } from "../sdk/settings";
import { functionTypes } from "../functions";
import { resourceTypes } from "../types";
import type { ResourceType } from "../types/type";
import { checkConfig, configure, diffConfig } from "./config";
import { invoke } from "./functions";
import * as resources from "./resources";
import { fromStruct, toStruct } from "./structs";

/** Recorded version. A lab gives the version of its SDK, since npm does not have the recorded version. */
export const pluginVersion = process.env["LAB_ALICLOUD_VERSION"] ?? "3.105.0";

interface PanickedRequest {
    getUrn?: () => string;
    getTok?: () => string;
}

export class Service implements Provider {
    /** By connection. */
    private readonly settings = new Map<string, Settings>();

    readonly methods: Readonly<Record<string, Method>> = {
        getPluginInfo: async () => new PluginInfo().setVersion(pluginVersion),
        getSchema: async () => new pb.GetSchemaResponse().setSchema("{}\n"),
        getMapping: (request: pb.GetMappingRequest) => this.getMapping(request),
        construct: () => unimplemented("Construct is not yet implemented"),
        call: async (request: pb.CallRequest) => {
            throw new Error(`error getting method name from method token ${JSON.stringify(request.getTok())}`);
        },
        list: () => unimplemented("List is not implemented for sdkv2 tfbridge providers"),
        cancel: async () => new Empty(),
        checkConfig: (request: pb.CheckRequest) => this.checkConfig(request),
        diffConfig: (request: pb.DiffRequest) => this.diffConfig(request),
        configure: (request: pb.ConfigureRequest, peer) => this.configure(request, peer),
        check: (request: pb.CheckRequest) => this.check(request),
        diff: (request: pb.DiffRequest) => this.diff(request),
        create: (request: pb.CreateRequest, peer) => this.create(request, peer),
        read: (request: pb.ReadRequest, peer) => this.read(request, peer),
        update: (request: pb.UpdateRequest, peer) => this.update(request, peer),
        delete: (request: pb.DeleteRequest, peer) => this.delete(request, peer),
        invoke: (request: pb.InvokeRequest, peer) => this.invoke(request, peer),
    };

    constructor(private readonly log: EngineLog) {}

    /** Ends the process at a panic, as the real plugin's process does. */
    async onError(method: string, request: PanickedRequest, error: unknown): Promise<void> {
        if (!(error instanceof PluginPanic)) return;
        const urn = request.getUrn?.() ?? "";
        const subject = method === "invoke" ? `invokeToken=${request.getTok?.() ?? ""}` : `resourceURN=${urn}`;
        const text =
            `Bridged provider panic (provider=alicloud v=${pluginVersion} ${subject} ` +
            `method=${methodName(method)}): ${error.message}`;
        if (!error.isUnlogged) await this.log.error(urn, text);
        process.stderr.write(`panic: ${error.message}\n`);
        process.exit(2);
    }

    /** Answers without a mapping, which would describe thousands of types for converters. */
    private async getMapping(request: pb.GetMappingRequest): Promise<object> {
        if (request.getKey() !== "terraform") return new pb.GetMappingResponse();
        return new pb.GetMappingResponse().setProvider("alicloud").setData(Buffer.from("{}"));
    }

    private async checkConfig(request: pb.CheckRequest): Promise<object> {
        const { inputs, failures } = checkConfig(fromStruct(request.getNews()));
        const response = new pb.CheckResponse().setFailuresList(
            failures.map((reason) => new pb.CheckFailure().setReason(reason)),
        );
        return inputs === undefined ? response : response.setInputs(toStruct(inputs));
    }

    private async diffConfig(request: pb.DiffRequest): Promise<object> {
        const changed = diffConfig(
            fromStruct(request.getOldInputs() ?? request.getOlds()),
            fromStruct(request.getNews()),
        );
        const response = new pb.DiffResponse();
        if (changed === undefined) return response.setChanges(pb.DiffResponse.DiffChanges.DIFF_UNKNOWN);
        return response.setChanges(pb.DiffResponse.DiffChanges.DIFF_SOME).setDiffsList(changed);
    }

    private async configure(request: pb.ConfigureRequest, peer: string): Promise<object> {
        this.settings.set(peer, await configure(fromStruct(request.getArgs())));
        return new pb.ConfigureResponse().setSupportspreview(true).setSupportsAutonamingConfiguration(true);
    }

    private async check(request: pb.CheckRequest): Promise<object> {
        const result = resources.check(typeOf(request.getUrn()), {
            urn: request.getUrn(),
            olds: fromStruct(request.getOlds()),
            news: fromStruct(request.getNews()),
            seed: request.getRandomseed_asU8(),
            autonaming: autonamingOf(request),
        });
        for (const warning of result.warnings) await this.log.warn(request.getUrn(), warning);
        return new pb.CheckResponse()
            .setInputs(toStruct(result.inputs))
            .setFailuresList(result.failures.map((reason) => new pb.CheckFailure().setReason(reason)));
    }

    private async diff(request: pb.DiffRequest): Promise<object> {
        const result = resources.diff(
            typeOf(request.getUrn()),
            request.getId(),
            fromStruct(request.getOlds()),
            fromStruct(request.getNews()),
            request.getIgnorechangesList(),
        );
        const { DIFF_SOME, DIFF_NONE } = pb.DiffResponse.DiffChanges;
        const response = new pb.DiffResponse()
            .setChanges(result.changed ? DIFF_SOME : DIFF_NONE)
            .setReplacesList(result.replaces)
            .setStablesList(result.stables)
            .setDeletebeforereplace(result.deleteBeforeReplace)
            .setDiffsList(result.diffs)
            .setHasdetaileddiff(true);
        for (const [path, kind] of result.detailed) {
            response.getDetaileddiffMap().set(path, new pb.PropertyDiff().setKind(pb.PropertyDiff.Kind[kind]));
        }
        return response;
    }

    private async create(request: pb.CreateRequest, peer: string): Promise<object> {
        const client = request.getPreview() ? undefined : this.client(peer);
        const { id, properties } = await resources.create(
            typeOf(request.getUrn()),
            request.getUrn(),
            fromStruct(request.getProperties()),
            request.getTimeout(),
            client,
        );
        return new pb.CreateResponse().setId(id).setProperties(toStruct(properties));
    }

    private async read(request: pb.ReadRequest, peer: string): Promise<object> {
        const result = await resources.read(
            typeOf(request.getUrn()),
            request.getUrn(),
            request.getId(),
            fromStruct(request.getProperties()),
            fromStruct(request.getInputs()),
            this.client(peer),
        );
        if (result === undefined) return new pb.ReadResponse();
        return new pb.ReadResponse()
            .setId(result.id)
            .setProperties(toStruct(result.properties))
            .setInputs(toStruct(result.inputs));
    }

    private async update(request: pb.UpdateRequest, peer: string): Promise<object> {
        const properties = await resources.update(
            typeOf(request.getUrn()),
            {
                id: request.getId(),
                urn: request.getUrn(),
                olds: fromStruct(request.getOlds()),
                news: fromStruct(request.getNews()),
                ignored: request.getIgnorechangesList(),
                timeout: request.getTimeout(),
            },
            request.getPreview() ? undefined : this.client(peer),
        );
        return new pb.UpdateResponse().setProperties(toStruct(properties));
    }

    private async delete(request: pb.DeleteRequest, peer: string): Promise<object> {
        await resources.remove(
            typeOf(request.getUrn()),
            request.getUrn(),
            request.getId(),
            fromStruct(request.getProperties()),
            request.getTimeout(),
            this.client(peer),
        );
        return new Empty();
    }

    private async invoke(request: pb.InvokeRequest, peer: string): Promise<object> {
        const type = functionTypes.get(request.getTok());
        if (type === undefined) throw new Error(`unrecognized data function (Invoke): ${request.getTok()}`);
        const { result, failures, warnings } = await invoke(type, fromStruct(request.getArgs()), this.client(peer));
        for (const warning of warnings) await this.log.warn("", warning);
        const response = new pb.InvokeResponse().setFailuresList(
            failures.map((reason) => new pb.CheckFailure().setReason(reason)),
        );
        return result === undefined ? response : response.setReturn(toStruct(result));
    }

    /** Returns the cloud for an operation. Without settings the real plugin's process ends. */
    private client(peer: string): Client {
        const settings = this.settings.get(peer);
        if (settings === undefined)
            throw new PluginPanic("interface conversion: interface {} is nil, not *connectivity.AliyunClient");
        return new Client(settings);
    }
}

function typeOf(urn: string): ResourceType {
    // urn:pulumi:<stack>::<project>::<parent types>$<type>::<name>
    const token = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const type = resourceTypes.get(token);
    if (type === undefined) throw new Error(`unrecognized resource type: ${token}`);
    return type;
}
