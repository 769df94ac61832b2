import { PolicyPack } from "@pulumi/policy";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { EnforcementLevel } from "@pulumi/pulumi/proto/analyzer_pb";
import { configureRules } from "./rule/config";
import { joinedPolicyOf } from "./rule/policy";
import { policyOf, RULES } from "./index";

const levels = new Map<string, EnforcementLevel>();

/**
 * Refuses a configuration with unknown rules or settings, and keeps the levels.
 *
 * The engine passes every entry, and the SDK gives a policy only its entry: a misspelt rule would have no effect. The
 * SDK does not export the method that receives the message, but an error while the message is read ends the run before
 * its first resource.
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
