import { PolicyPack } from "@pulumi/policy";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { EnforcementLevel } from "@pulumi/pulumi/proto/analyzer_pb";
import { configureRules } from "./rule/config";
import { joinedPolicyOf } from "./rule/policy";
import { policyOf, RULES } from "./index";

/** Configured levels by rule. */
const levels = new Map<string, EnforcementLevel>();

/**
 * Refuses a configuration with rules or settings that there are not, and keeps the levels.
 *
 * The engine passes every entry on, and the SDK tells a policy its own alone, so that what is misspelt would have no
 * effect. The SDK keeps the method that takes the message to itself, and reports what fails when it reads the message:
 * the run ends then, before its first resource.
 */
function refuseUnknown({ configure }: typeof AnalyzerService): void {
    const read = configure.requestDeserialize;
    configure.requestDeserialize = (bytes) => {
        const request = read(bytes);
        const config = request.getPolicyconfigMap();
        request.getPolicyconfigMap = () => {
            const settings = [...config.entries()].map(([rule, one]) => [rule, one.getProperties()?.toJavaScript()]);
            configureRules(RULES, Object.fromEntries(settings));
            for (const [rule, one] of config.entries()) levels.set(rule, one.getEnforcementlevel());
            return config;
        };
        return request;
    };
}

refuseUnknown(AnalyzerService);

const policies = RULES.map((rule) => {
    if (rule.stack !== undefined || rule.joined !== true) return policyOf(rule);
    const level = () => levels.get(rule.name) ?? EnforcementLevel.ADVISORY;
    return joinedPolicyOf(rule, () => level() === EnforcementLevel.ADVISORY);
});
new PolicyPack("ack-loadbalancer", { policies });
