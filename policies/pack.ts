import { PolicyPack } from "@pulumi/policy";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { configureRules } from "./rule/configure";
import { rules, RULES } from "./index";

/**
 * Refuses a configuration with rules or settings that there are not.
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
            return config;
        };
        return request;
    };
}

refuseUnknown(AnalyzerService);
new PolicyPack("ack-loadbalancer", { policies: [...rules] });
