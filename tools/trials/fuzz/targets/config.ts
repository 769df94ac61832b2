/** The configuration of the GitOps stack. */
import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { readConfig } from "../../../../components/stack/config";
import { target } from "../target";
import { damaged, oddText } from "../values";

const GOOD = {
    manifests: "manifests",
    clusterId: "c-fuzz",
    clusterType: "ack",
    networkPlugin: "flannel",
    account: { region: "cn-hangzhou", assumeRole: { roleArn: "acs:ram::1:role/web" } },
    vswitches: ["vsw-1"],
    allowReplacement: { "shop/web": ["addressType"] },
    allowEmpty: ["shop/web"],
    adopt: { "shop/web": { loadBalancerId: "lb-1", allowChanges: false } },
};

/** As the engine hands configuration over: text, JSON for what is none. */
const textsOf = (config: object): Record<string, string> =>
    Object.fromEntries(
        Object.entries(config).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
    );

export const CONFIG = [
    target({
        name: "configuration of the stack",
        good: textsOf(GOOD),
        inputs: fc.oneof(
            damaged(GOOD).map((config) => textsOf(Object(config) as object)),
            fc.dictionary(fc.constantFrom(...Object.keys(GOOD)), oddText, { maxKeys: 5 }),
        ),
        take: (config) => {
            pulumi.runtime.setAllConfig(
                Object.fromEntries(Object.entries(config).map(([key, value]) => [`project:${key}`, value])),
            );
            readConfig();
        },
        expects: (error) => pulumi.RunError.isInstance(error),
    }),
];
