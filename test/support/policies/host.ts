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

    async judge({ type, urn, name, props, protect = false, provider }: PreviewResource): Promise<Answer> {
        const request = new pb.AnalyzeRequest().setType(type).setUrn(urn).setName(name);
        request.setProperties(structOf(props)).setOptions(new pb.AnalyzerResourceOptions().setProtect(protect));
        if (provider !== undefined) request.setProvider(new pb.AnalyzerProviderResource().setUrn(provider));
        return answerOf(await this.#call<pb.AnalyzeResponse>("analyze", request));
    }

    async judgeStack(shown: readonly PreviewResource[]): Promise<Answer> {
        const resources = shown.map(({ type, urn, name, props, protect = false, provider, origins = {} }) => {
            const one = new pb.AnalyzerResource().setType(type).setUrn(urn).setName(name);
            one.setProperties(structOf(props)).setOptions(new pb.AnalyzerResourceOptions().setProtect(protect));
            if (provider !== undefined) one.setProvider(new pb.AnalyzerProviderResource().setUrn(provider));
            for (const [property, urns] of Object.entries(origins))
                one.getPropertydependenciesMap().set(
                    property,
                    new pb.AnalyzerPropertyDependencies().setUrnsList([...urns]),
                );
            return one;
        });
        const request = new pb.AnalyzeStackRequest().setResourcesList(resources);
        return answerOf(await this.#call<pb.AnalyzeResponse>("analyzeStack", request));
    }

    #call<Response>(method: Method, request: { serializeBinary(): Uint8Array }): Promise<Response> {
        const { requestDeserialize, responseSerialize, responseDeserialize } = AnalyzerService[method];
        const handler = this.#analyzer[method] as handleUnaryCall<unknown, unknown>;
        const read = requestDeserialize(Buffer.from(request.serializeBinary()));
        return new Promise((resolve, reject) =>
            handler({ request: read } as Parameters<typeof handler>[0], (error, answer) => {
                if (error) reject(error as Error);
                else resolve(responseDeserialize(responseSerialize(answer as never)) as Response);
            }),
        );
    }
}

/** Properties as JSON has them: what is undefined is left out. */
const structOf = (properties: unknown): Struct =>
    Struct.fromJavaScript(JSON.parse(JSON.stringify(properties ?? {})) as Record<string, JavaScriptValue>);

const answerOf = (response: pb.AnalyzeResponse): Answer => ({
    said: response.getDiagnosticsList().map((one) => ({
        rule: one.getPolicyname(),
        level: one.getEnforcementlevel() === pb.EnforcementLevel.MANDATORY ? "mandatory" : "advisory",
        message: one.getMessage(),
    })),
    notApplicable: response.getNotApplicableList().map((one) => one.getPolicyName()),
});
