/** Recorded requests and answers as protocol messages and back. */
import { createHash } from "node:crypto";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Json, JsonMap } from "./corpus";

const struct = (value: Json | undefined): Struct =>
    Struct.fromJavaScript((value ?? {}) as { [name: string]: JavaScriptValue });
const json = (value: Struct | undefined): Json => (value === undefined ? null : value.toJavaScript());
const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const texts = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

export const urnOf = (type: string): string => `urn:pulumi:dev::corpus::${type}::res`;

/** The method of the service and its message for a recorded RPC. */
export function requestOf(rpc: string, type: string, request: JsonMap): { method: string; message: object } {
    const urn = urnOf(type);
    const method = `${rpc[0]!.toLowerCase()}${rpc.slice(1)}`;
    switch (rpc) {
        case "CheckConfig":
            return {
                method,
                message: new pb.CheckRequest()
                    .setUrn("urn:pulumi:dev::corpus::pulumi:providers:alicloud::default")
                    .setOlds(struct(request["olds"]))
                    .setNews(struct(request["news"])),
            };
        case "DiffConfig":
            return {
                method,
                message: new pb.DiffRequest()
                    .setOlds(struct(request["olds"]))
                    .setNews(struct(request["news"]))
                    .setOldInputs(struct(request["oldInputs"])),
            };
        case "Configure":
            return { method, message: configureRequest(request) };
        case "Check":
            return { method, message: checkRequest(urn, request) };
        case "Diff":
            return {
                method,
                message: new pb.DiffRequest()
                    .setUrn(urn)
                    .setId(text(request["id"]))
                    .setOlds(struct(request["olds"]))
                    .setNews(struct(request["news"]))
                    .setOldInputs(struct(request["oldInputs"]))
                    .setIgnorechangesList(texts(request["ignoreChanges"])),
            };
        case "Create":
            return {
                method,
                message: new pb.CreateRequest()
                    .setUrn(urn)
                    .setProperties(struct(request["properties"]))
                    .setPreview(request["preview"] === true)
                    .setTimeout(Number(request["timeout"] ?? 0)),
            };
        case "Read":
            return {
                method,
                message: new pb.ReadRequest()
                    .setUrn(urn)
                    .setId(text(request["id"]))
                    .setProperties(struct(request["properties"]))
                    .setInputs(struct(request["inputs"])),
            };
        case "Update":
            return {
                method,
                message: new pb.UpdateRequest()
                    .setUrn(urn)
                    .setId(text(request["id"]))
                    .setOlds(struct(request["olds"]))
                    .setNews(struct(request["news"]))
                    .setOldInputs(struct(request["oldInputs"]))
                    .setPreview(request["preview"] === true)
                    .setTimeout(Number(request["timeout"] ?? 0))
                    .setIgnorechangesList(texts(request["ignoreChanges"])),
            };
        case "Delete":
            return {
                method,
                message: new pb.DeleteRequest()
                    .setUrn(urn)
                    .setId(text(request["id"]))
                    .setProperties(struct(request["properties"]))
                    .setOldInputs(struct(request["oldInputs"]))
                    .setTimeout(Number(request["timeout"] ?? 0)),
            };
        case "Invoke":
            return {
                method,
                message: new pb.InvokeRequest().setTok(text(request["tok"])).setArgs(struct(request["args"])),
            };
        case "Attach":
            return { method, message: new PluginAttach().setAddress(text(request["address"])) };
        case "GetSchema":
            return { method, message: new pb.GetSchemaRequest() };
        case "GetMapping":
            return {
                method,
                message: new pb.GetMappingRequest().setKey(text(request["key"])).setProvider(text(request["provider"])),
            };
        case "GetMappings":
            return { method, message: new pb.GetMappingsRequest().setKey(text(request["key"])) };
        case "Handshake":
            return { method, message: new pb.ProviderHandshakeRequest() };
        case "Parameterize":
            return { method, message: new pb.ParameterizeRequest() };
        case "Construct":
            return { method, message: new pb.ConstructRequest().setType(text(request["type"])) };
        case "Call":
            return { method, message: new pb.CallRequest().setTok(text(request["tok"])) };
        default:
            return { method, message: new Empty() };
    }
}

function configureRequest(request: JsonMap): pb.ConfigureRequest {
    const message = new pb.ConfigureRequest()
        .setArgs(struct(request["args"]))
        .setAcceptsecrets(true)
        .setAcceptresources(true);
    message.setSendsOldInputs(true).setSendsOldInputsToDelete(true);
    for (const [name, value] of Object.entries((request["args"] ?? {}) as JsonMap))
        message.getVariablesMap().set(`alicloud:config:${name}`, String(value));
    return message;
}

function checkRequest(urn: string, request: JsonMap): pb.CheckRequest {
    const seed =
        typeof request["randomSeed"] === "string"
            ? Buffer.from(request["randomSeed"], "base64")
            : createHash("sha256").update(urn).digest();
    const message = new pb.CheckRequest()
        .setUrn(urn)
        .setOlds(struct(request["olds"]))
        .setNews(struct(request["news"]))
        .setRandomseed(seed);
    const naming = request["autonaming"] as JsonMap | undefined;
    if (naming !== undefined) {
        message.setAutonaming(
            new pb.CheckRequest.AutonamingOptions()
                .setProposedName(text(naming["proposedName"]))
                .setMode(Number(naming["mode"] ?? 0)),
        );
    }
    return message;
}

const sorted = (list: string[]): string[] => [...list].sort();

/** An answer in the form of the corpus. */
export function responseOf(rpc: string, message: never): JsonMap {
    switch (rpc) {
        case "Check":
        case "CheckConfig": {
            const answer = message as pb.CheckResponse;
            const failures = answer
                .getFailuresList()
                .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
            return {
                inputs: sortDefaults(json(answer.getInputs())),
                failures: failures.sort((a, b) => (a.reason < b.reason ? -1 : 1)),
            };
        }
        case "Diff":
            return diffResponse(message as pb.DiffResponse, true);
        case "DiffConfig":
            return diffResponse(message as pb.DiffResponse, false);
        case "Create":
            return {
                id: (message as pb.CreateResponse).getId(),
                properties: json((message as pb.CreateResponse).getProperties()),
            };
        case "Read": {
            const answer = message as pb.ReadResponse;
            return {
                id: answer.getId(),
                properties: json(answer.getProperties()),
                inputs: sortDefaults(json(answer.getInputs())),
            };
        }
        case "Update":
            return { properties: json((message as pb.UpdateResponse).getProperties()) };
        case "Invoke":
            return {
                return: json((message as pb.InvokeResponse).getReturn()),
                failures: (message as pb.InvokeResponse)
                    .getFailuresList()
                    .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() })),
            };
        case "Configure": {
            const answer = message as pb.ConfigureResponse;
            return {
                acceptSecrets: answer.getAcceptsecrets(),
                supportsPreview: answer.getSupportspreview(),
                acceptResources: answer.getAcceptresources(),
                acceptOutputs: answer.getAcceptoutputs(),
                supportsAutonamingConfiguration: answer.getSupportsAutonamingConfiguration(),
            };
        }
        case "GetPluginInfo":
            return { version: (message as { getVersion(): string }).getVersion() };
        case "GetSchema":
            return { schema: (message as pb.GetSchemaResponse).getSchema() };
        case "GetMapping":
            return { provider: (message as pb.GetMappingResponse).getProvider() };
        default:
            return {};
    }
}

function diffResponse(answer: pb.DiffResponse, detailed: boolean): JsonMap {
    const changes = ["DIFF_UNKNOWN", "DIFF_NONE", "DIFF_SOME"][answer.getChanges()]!;
    const result: JsonMap = {
        changes,
        replaces: sorted(answer.getReplacesList()),
        deleteBeforeReplace: answer.getDeletebeforereplace(),
        diffs: sorted(answer.getDiffsList()),
    };
    if (!detailed) return result;
    const kinds = Object.entries(pb.PropertyDiff.Kind);
    const paths: JsonMap = {};
    answer.getDetaileddiffMap().forEach((diff, path) => {
        paths[path] = { kind: kinds.find(([, value]) => value === diff.getKind())![0], inputDiff: diff.getInputdiff() };
    });
    return {
        ...result,
        stables: sorted(answer.getStablesList()),
        hasDetailedDiff: answer.getHasdetaileddiff(),
        detailedDiff: paths,
    };
}

function sortDefaults(value: Json): Json {
    if (Array.isArray(value)) return value.map(sortDefaults);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
            name,
            name === "__defaults" && Array.isArray(inner) ? [...inner].sort() : sortDefaults(inner),
        ]),
    );
}

/** The details of an error by which the engine keeps a half-made object. */
export function initFailedOf(details: Uint8Array): JsonMap {
    const status = Status.deserializeBinary(new Uint8Array(details));
    const packed = status.getDetailsList()[0]!;
    const failed = ErrorResourceInitFailed.deserializeBinary(packed.getValue_asU8());
    return {
        kind: packed.getTypeName().split(".").at(-1)!,
        id: failed.getId(),
        properties: json(failed.getProperties()),
        reasons: failed.getReasonsList(),
        inputs: json(failed.getInputs()),
    };
}
