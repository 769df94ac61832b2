/** The policy pack as the engine calls it, in this process: requests and answers are written out and read again. */
import type { handleUnaryCall } from "@grpc/grpc-js";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/analyzer_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { analyzerOf } from "../../../policies/analyzer";
import type { Level, Rule } from "../../../policies/rule";
import type { PreviewResource } from "../../../policies/subjects";

/** A message of the pack about a resource or a stack. */
interface Said {
    readonly rule: string;
    readonly level: "advisory" | "mandatory";
    readonly message: string;
}

export interface Answer {
    readonly said: readonly Said[];
    /** Names of the rules that are not about the resource. */
    readonly notApplicable: readonly string[];
}

export type Configuration = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const LEVELS: Readonly<Record<Level, pb.EnforcementLevel>> = {
    advisory: pb.EnforcementLevel.ADVISORY,
    mandatory: pb.EnforcementLevel.MANDATORY,
    disabled: pb.EnforcementLevel.DISABLED,
};

type Method = "analyze" | "analyzeStack" | "configure";

export class Host {
    readonly #analyzer;

    constructor(rules: readonly Rule[]) {
        this.#analyzer = analyzerOf(rules, { name: "ack-loadbalancer", version: "0.0.0" });
    }

    /** Hands over a configuration. The engine has an entry for each rule, with its level. */
    async configure(given: Configuration, levels: Readonly<Record<string, Level>>): Promise<void> {
        const request = new pb.ConfigureAnalyzerRequest();
        for (const [rule, level] of Object.entries(levels)) {
            const entry = new pb.PolicyConfig().setEnforcementlevel(LEVELS[level]);
            request.getPolicyconfigMap().set(rule, entry.setProperties(structOf(given[rule] ?? {})));
        }
        await this.#call("configure", request);
    }

    async judge(shown: PreviewResource): Promise<Answer> {
        return answerOf(await this.#call<pb.AnalyzeResponse>("analyze", requestOf(shown)));
    }

    async judgeStack(shown: readonly PreviewResource[]): Promise<Answer> {
        return answerOf(await this.#call<pb.AnalyzeResponse>("analyzeStack", stackRequestOf(shown)));
    }

    #call<Response>(method: Method, request: { serializeBinary(): Uint8Array }): Promise<Response> {
        const { requestDeserialize, responseSerialize, responseDeserialize } = AnalyzerService[method];
        const handler = this.#analyzer[method] as handleUnaryCall<unknown, unknown>;
        const read = requestDeserialize(Buffer.from(request.serializeBinary()));
        return new Promise((resolve, reject) =>
            handler({ request: read } as Parameters<typeof handler>[0], (error, answer) => {
                if (error) reject(error instanceof Error ? error : new Error(error.details));
                else resolve(responseDeserialize(responseSerialize(answer as never)) as Response);
            }),
        );
    }
}

/** Properties as JSON has them: what is undefined is left out. */
const structOf = (properties: unknown): Struct =>
    Struct.fromJavaScript(JSON.parse(JSON.stringify(properties ?? {})) as Record<string, JavaScriptValue>);

/** Returns the request about one resource. */
export function requestOf(shown: PreviewResource): pb.AnalyzeRequest {
    const { type, urn, name, props, provider } = shown;
    const request = new pb.AnalyzeRequest().setType(type).setUrn(urn).setName(name);
    if (provider !== undefined) request.setProvider(new pb.AnalyzerProviderResource().setUrn(provider));
    return request.setProperties(structOf(props)).setOptions(optionsOf(shown));
}

/** Returns the request about a stack. */
export function stackRequestOf(shown: readonly PreviewResource[]): pb.AnalyzeStackRequest {
    const resources = shown.map((one) => {
        const { type, urn, name, props, provider, origins = {} } = one;
        const resource = new pb.AnalyzerResource().setType(type).setUrn(urn).setName(name);
        if (provider !== undefined) resource.setProvider(new pb.AnalyzerProviderResource().setUrn(provider));
        for (const [property, urns] of Object.entries(origins)) {
            const from = new pb.AnalyzerPropertyDependencies().setUrnsList([...urns]);
            resource.getPropertydependenciesMap().set(property, from);
        }
        return resource.setProperties(structOf(props)).setOptions(optionsOf(one));
    });
    return new pb.AnalyzeStackRequest().setResourcesList(resources);
}

const optionsOf = ({ protect = false }: PreviewResource): pb.AnalyzerResourceOptions =>
    new pb.AnalyzerResourceOptions()
        .setProtect(protect)
        .setCustomtimeouts(new pb.AnalyzerResourceOptions.CustomTimeouts().setCreate(0));

export const answerOf = (response: pb.AnalyzeResponse): Answer => ({
    said: response.getDiagnosticsList().map((one) => ({
        rule: one.getPolicyname(),
        level: one.getEnforcementlevel() === pb.EnforcementLevel.MANDATORY ? "mandatory" : "advisory",
        message: one.getMessage(),
    })),
    notApplicable: response.getNotApplicableList().map((one) => one.getPolicyName()),
});
