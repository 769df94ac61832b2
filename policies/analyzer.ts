/**
 * The pack as the engine calls it, by the engine's protocol of analyzers (pulumi/analyzer.proto).
 *
 * The policy SDK speaks the same protocol, but decodes each resource again for each policy, and the whole stack again
 * for each policy about the stack. It gives a policy neither its level nor the other entries of the configuration.
 */

import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/analyzer_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { printable } from "../provider/diagnostics";
import { quote } from "../provider/net/redact";
import { knownType } from "../provider/schema/own-types";
import { textsOfSecrets, withoutSecrets } from "../provider/schema/secrets";
import type { Level, Rule } from "./rule";
import { configureRules } from "./rule/config";
import { type FindingsByRule, judgeResource, judgeStack } from "./rule/judge";
import { aboutOf, indentedMessage } from "./rule/policy";
import { lazily, type PreviewResource } from "./subjects";

/** The name and the version of a pack. The engine shows both with each violation. */
export interface PackName {
    readonly name: string;
    readonly version: string;
}

/** Returns the methods of an analyzer that judges by these rules. */
export function analyzerOf(rules: readonly Rule[], pack: PackName): UntypedServiceImplementation {
    let configured = configureRules(rules, {});
    return {
        getPluginInfo: answering(() => new PluginInfo().setVersion(pack.version)),
        getAnalyzerInfo: answering(() => infoOf(rules, pack)),
        configure: answering((request: pb.ConfigureAnalyzerRequest) => {
            configured = configureRules(rules, configurationOf(request));
            return AnalyzerService.configure.responseDeserialize(Buffer.alloc(0));
        }),
        configureStack: answering(() => new pb.AnalyzerStackConfigureResponse()),
        // The engine asks of each resource, whether or not a pack remediates.
        remediate: answering(() => new pb.RemediateResponse()),
        analyze: answering((request: pb.AnalyzeRequest) =>
            responseOf(judgeResource(configured, shownOf(request)), pack, maskOf([request])),
        ),
        analyzeStack: answering((request: pb.AnalyzeStackRequest) =>
            responseOf(
                judgeStack(configured, request.getResourcesList().map(shownOf)),
                pack,
                maskOf(request.getResourcesList()),
            ),
        ),
    };
}

/** Returns a method that answers a call, or fails it with the stack of what is thrown, which ends the run. */
function answering<Request, Response>(answer: (request: Request) => Response): handleUnaryCall<Request, Response> {
    return ({ request }, callback) => {
        let response: Response;
        try {
            response = answer(request);
        } catch (error) {
            callback(error instanceof Error ? new Error(error.stack) : new Error(String(error)));
            return;
        }
        callback(null, response);
    };
}

const LEVELS: Readonly<Record<Level, pb.EnforcementLevel>> = {
    advisory: pb.EnforcementLevel.ADVISORY,
    mandatory: pb.EnforcementLevel.MANDATORY,
    disabled: pb.EnforcementLevel.DISABLED,
};

const CONFIGURED_LEVELS: ReadonlyMap<pb.EnforcementLevel, string> = new Map(
    Object.entries({ ...LEVELS, remediate: pb.EnforcementLevel.REMEDIATE }).map(([level, number]) => [number, level]),
);

const SEVERITIES: Readonly<Record<Rule["severity"], pb.PolicySeverity>> = {
    low: pb.PolicySeverity.POLICY_SEVERITY_LOW,
    medium: pb.PolicySeverity.POLICY_SEVERITY_MEDIUM,
    high: pb.PolicySeverity.POLICY_SEVERITY_HIGH,
    critical: pb.PolicySeverity.POLICY_SEVERITY_CRITICAL,
};

function infoOf(rules: readonly Rule[], { name, version }: PackName): pb.AnalyzerInfo {
    const policies = rules.map((rule) => {
        const { description, tags, remediationSteps, configSchema } = aboutOf(rule);
        const isOfStack = rule.stack !== undefined;
        return new pb.PolicyInfo()
            .setName(rule.name)
            .setDescription(description)
            .setEnforcementlevel(LEVELS[rule.level])
            .setSeverity(SEVERITIES[rule.severity])
            .setTagsList(tags)
            .setRemediationSteps(remediationSteps)
            .setPolicyType(isOfStack ? pb.PolicyType.POLICY_TYPE_STACK : pb.PolicyType.POLICY_TYPE_RESOURCE)
            .setConfigschema(new pb.PolicyConfigSchema().setProperties(Struct.fromJavaScript(configSchema.properties)));
    });
    return new pb.AnalyzerInfo().setName(name).setVersion(version).setSupportsconfig(true).setPoliciesList(policies);
}

/** Returns the configuration as a file has it. The engine passes an entry for each rule, and every other one given. */
const configurationOf = (request: pb.ConfigureAnalyzerRequest) =>
    Object.fromEntries(
        [...request.getPolicyconfigMap().entries()].map(([name, entry]) => [
            name,
            {
                ...entry.getProperties()?.toJavaScript(),
                enforcementLevel: CONFIGURED_LEVELS.get(entry.getEnforcementlevel()) ?? entry.getEnforcementlevel(),
            },
        ]),
    );

/** Returns a resource whose properties are decoded when the first rule reads them: most rules are about few types. */
function shownOf(resource: pb.AnalyzeRequest | pb.AnalyzerResource): PreviewResource {
    return lazily<PreviewResource>({
        type: () => knownType(resource.getType()),
        urn: () => resource.getUrn(),
        name: () => resource.getName(),
        props: () => withoutSecrets(resource.getProperties()?.toJavaScript() ?? {}),
        protect: () => resource.getOptions()?.getProtect() === true,
        provider: () => resource.getProvider()?.getUrn(),
        origins: () => ("getPropertydependenciesMap" in resource ? originsOf(resource) : {}),
    });
}

const originsOf = (resource: pb.AnalyzerResource) =>
    Object.fromEntries(
        [...resource.getPropertydependenciesMap().entries()].map(([property, origins]) => [
            property,
            origins.getUrnsList(),
        ]),
    );

/** Replaces the secrets of resources in a message. */
type Mask = (message: string) => string;

/** Shorter secrets are replaced in quotes only: they are parts of ordinary words. */
const LEAST_SECRET = 4;

/** Returns a mask, which looks for secrets when there is the first message. */
function maskOf(resources: readonly (pb.AnalyzeRequest | pb.AnalyzerResource)[]): Mask {
    const secretsOf = (): string[] =>
        resources.flatMap((one) => textsOfSecrets(one.getProperties()?.toJavaScript() ?? {}));
    let forms: readonly string[] | undefined;
    return (message) => {
        forms ??= [...new Set(secretsOf())]
            .flatMap((text) => [quote(text), ...(text.length < LEAST_SECRET ? [] : [text, printable(text)])])
            .sort((a, b) => b.length - a.length);
        return forms.reduce((clean, form) => clean.replaceAll(form, "(secret)"), message);
    };
}

function responseOf(judgement: FindingsByRule, { name, version }: PackName, mask: Mask): pb.AnalyzeResponse {
    const response = new pb.AnalyzeResponse();
    for (const [rule, found] of judgement) {
        if (found === undefined) {
            response.addNotApplicable(new pb.PolicyNotApplicable().setPolicyName(rule.name));
            continue;
        }
        const { description } = aboutOf(rule);
        const add = (message: string, level: Level, urn = "") =>
            response.addDiagnostics(
                new pb.AnalyzeDiagnostic()
                    .setPolicyname(rule.name)
                    .setPolicypackname(name)
                    .setPolicypackversion(version)
                    .setDescription(description)
                    .setSeverity(SEVERITIES[rule.severity])
                    .setMessage(message)
                    .setEnforcementlevel(LEVELS[level])
                    .setUrn(urn),
            );
        for (const one of found.violations) add(`${description}\n${mask(indentedMessage(one))}`, one.level, one.urn);
        if (found.unknown === undefined) continue;
        // In the words of the policy SDK.
        const head = `can't run policy '${rule.name}' from policy pack '${name}@v${version}' during preview: `;
        add(head + printable(found.unknown.message), "advisory");
    }
    return response;
}
