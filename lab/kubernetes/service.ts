/** The resource provider service, as the engine calls it. */
import * as path from "node:path";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { autonamingOf } from "../plugin-server/autonaming";
import type { EngineLog } from "../plugin-server/engine-log";
import type { Method, Provider } from "../plugin-server/provider";
import { Unreachable } from "./api";
import { decodeYaml } from "./decode-yaml";
import { Operations } from "./operations";
import { fromStruct, plain, toStruct } from "./properties";
import { schemaOf } from "./schema";
import { compareConfig, loadSettings } from "./settings";

const SDK = path.dirname(require.resolve("@pulumi/kubernetes/package.json"));

/** Version of the plugin whose behaviour this one follows. */
export const pluginVersion = "4.34.2";

export class Service implements Provider {
    /** By connection. */
    private readonly operations = new Map<string, Operations>();

    readonly methods: Readonly<Record<string, Method>> = {
        getPluginInfo: async () => new PluginInfo().setVersion(pluginVersion),
        getSchema: async () => new pb.GetSchemaResponse().setSchema(JSON.stringify(schemaOf(SDK))),
        cancel: async (_, peer) => this.cancel(peer),
        checkConfig: async (request: pb.CheckRequest) => new pb.CheckResponse().setInputs(request.getNews()),
        diffConfig: (request: pb.DiffRequest) => this.diffConfig(request),
        configure: (request: pb.ConfigureRequest, peer) => this.configure(request, peer),
        check: (request: pb.CheckRequest, peer) => this.check(request, peer),
        diff: (request: pb.DiffRequest, peer) => this.diff(request, peer),
        create: (request: pb.CreateRequest, peer) => this.create(request, peer),
        read: (request: pb.ReadRequest, peer) => this.read(request, peer),
        update: (request: pb.UpdateRequest, peer) => this.update(request, peer),
        delete: (request: pb.DeleteRequest, peer) => this.delete(request, peer),
        invoke: (request: pb.InvokeRequest) => this.invoke(request),
    };

    constructor(private readonly log: EngineLog) {}

    private cancel(peer: string): object {
        const operations = this.operations.get(peer);
        if (operations !== undefined) operations.isCancelled = true;
        return new Empty();
    }

    private async diffConfig(request: pb.DiffRequest): Promise<object> {
        const { changed, otherCluster } = compareConfig(
            fromStruct(request.getOldInputs() ?? request.getOlds()),
            fromStruct(request.getNews()),
        );
        const { DIFF_SOME, DIFF_NONE } = pb.DiffResponse.DiffChanges;
        return new pb.DiffResponse()
            .setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE)
            .setDiffsList(changed)
            .setReplacesList(
                otherCluster ? changed.filter((name) => ["kubeconfig", "context", "cluster"].includes(name)) : [],
            );
    }

    private async configure(request: pb.ConfigureRequest, peer: string): Promise<object> {
        const settings = loadSettings(fromStruct(request.getArgs()));
        this.operations.set(peer, new Operations(settings, this.log));
        return new pb.ConfigureResponse()
            .setAcceptsecrets(true)
            .setSupportspreview(true)
            .setSupportsAutonamingConfiguration(true);
    }

    private configured(peer: string): Operations {
        const operations = this.operations.get(peer);
        if (operations === undefined) throw new Error("the provider has not been configured");
        return operations;
    }

    private async check(request: pb.CheckRequest, peer: string): Promise<object> {
        const news = fromStruct(request.getNews());
        try {
            const inputs = await this.configured(peer).check(
                request.getUrn(),
                fromStruct(request.getOlds()),
                news,
                request.getRandomseed_asU8(),
                autonamingOf(request),
            );
            return new pb.CheckResponse().setInputs(toStruct(inputs));
        } catch (error) {
            if (!(error instanceof Unreachable)) throw error;
            const reason =
                " Kubernetes API server is unreachable. It's possible that the URL or " +
                `authentication information in your kubeconfig is incorrect: ${error.message}`;
            return new pb.CheckResponse()
                .setInputs(toStruct(news))
                .setFailuresList([new pb.CheckFailure().setReason(reason)]);
        }
    }

    private async diff(request: pb.DiffRequest, peer: string): Promise<object> {
        const { changes, replaces, deleteBeforeReplace } = await this.configured(peer).diff(
            request.getUrn(),
            fromStruct(request.getOlds()),
            fromStruct(request.getNews()),
            request.getIgnorechangesList(),
        );
        const { DIFF_SOME, DIFF_NONE } = pb.DiffResponse.DiffChanges;
        const response = new pb.DiffResponse()
            .setChanges(changes.size > 0 ? DIFF_SOME : DIFF_NONE)
            .setReplacesList(replaces)
            .setDeletebeforereplace(deleteBeforeReplace)
            .setHasdetaileddiff(true);
        for (const [path, { kind, inputDiff }] of changes) {
            response
                .getDetaileddiffMap()
                .set(path, new pb.PropertyDiff().setKind(pb.PropertyDiff.Kind[kind]).setInputdiff(inputDiff));
        }
        return response;
    }

    private async create(request: pb.CreateRequest, peer: string): Promise<object> {
        const { id, state } = await this.configured(peer).create(
            request.getUrn(),
            fromStruct(request.getProperties()),
            request.getPreview(),
            request.getTimeout(),
        );
        return new pb.CreateResponse().setId(id).setProperties(toStruct(state));
    }

    private async read(request: pb.ReadRequest, peer: string): Promise<object> {
        const urn = request.getUrn();
        try {
            const result = await this.configured(peer).read(
                urn,
                request.getId(),
                fromStruct(request.getProperties()),
                fromStruct(request.getInputs()),
            );
            if (result === undefined) return new pb.ReadResponse();
            return new pb.ReadResponse()
                .setId(result.id)
                .setProperties(toStruct(result.state))
                .setInputs(toStruct(result.inputs));
        } catch (error) {
            if (!(error instanceof Unreachable)) throw error;
            await this.log.warn(urn, `configured Kubernetes cluster is unreachable: ${error.message}`);
            throw new Error(
                "failed to read resource state due to unreachable cluster. " +
                    "If the cluster was deleted, you can remove this resource " +
                    "from Pulumi state by rerunning the operation with the " +
                    'PULUMI_K8S_DELETE_UNREACHABLE environment variable set to "true"',
                { cause: error },
            );
        }
    }

    private async update(request: pb.UpdateRequest, peer: string): Promise<object> {
        const state = await this.configured(peer).update(
            request.getUrn(),
            fromStruct(request.getOlds()),
            fromStruct(request.getNews()),
            request.getIgnorechangesList(),
            request.getPreview(),
            request.getTimeout(),
        );
        return new pb.UpdateResponse().setProperties(toStruct(state));
    }

    private async delete(request: pb.DeleteRequest, peer: string): Promise<object> {
        const urn = request.getUrn();
        try {
            await this.configured(peer).delete(
                urn,
                request.getId(),
                fromStruct(request.getProperties()),
                request.getTimeout(),
            );
            return new Empty();
        } catch (error) {
            if (!(error instanceof Unreachable)) throw error;
            await this.log.warn(urn, `configured Kubernetes cluster is unreachable: ${error.message}`);
            throw new Error(
                "configured Kubernetes cluster is unreachable. " +
                    "If the cluster was deleted, you can remove this resource from Pulumi state " +
                    "by rerunning the operation with the " +
                    'PULUMI_K8S_DELETE_UNREACHABLE environment variable set to "true"',
                { cause: error },
            );
        }
    }

    private async invoke(request: pb.InvokeRequest): Promise<object> {
        if (request.getTok() !== "kubernetes:yaml:decode") throw new Error(`Unknown Invoke type '${request.getTok()}'`);
        const args = plain(fromStruct(request.getArgs()));
        const result = decodeYaml(String(args["text"] ?? ""), String(args["defaultNamespace"] ?? ""));
        return new pb.InvokeResponse().setReturn(toStruct({ result }));
    }
}
