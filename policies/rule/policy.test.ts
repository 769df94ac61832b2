import { expect, test } from "@jest/globals";
import type { ResourceValidationArgs } from "@pulumi/policy";
import type { ResourceRule } from ".";
import { ConfigError, configOf } from "./config";
import { policyOf } from "./policy";

const RULE: ResourceRule = {
    name: "naming-example",
    group: "naming",
    title: "Every instance has an example name.",
    severity: "low",
    level: "advisory",
    remedy: "name it",
    source: "no document",
    resources: { "test:index:Instance": () => [{ cause: "one cause\nof two lines" }] },
};

test("description and message stay apart from what the CLI prints around them", () => {
    const policy = policyOf(RULE);
    expect(policy.description).toBe(" Every instance has an example name.");
    const reports: string[] = [];
    const [validate] = "validateResource" in policy ? [policy.validateResource].flat() : [];
    const args = {
        type: "test:index:Instance",
        urn: "urn:pulumi:dev::web::test:index:Instance::one",
        name: "one",
        props: {},
        opts: { protect: false },
        getConfig: () => ({}),
        notApplicable: () => undefined,
    } as unknown as ResourceValidationArgs;
    void validate?.(args, (message) => void reports.push(message));
    expect(reports).toHaveLength(1);
    for (const line of reports.join("\n").split("\n")) expect(line).toMatch(/^ {6}\S/);
});

test("an invalid configuration prints its problems only, without the stack of an error", () => {
    const error = (() => {
        try {
            return configOf(RULE, { limitt: 1 });
        } catch (thrown) {
            return thrown;
        }
    })();
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).stack).toBe(
        'error[policy-config]: naming-example: there is no setting "limitt"\n    remedy: write one of ' +
            "except\n    source: docs/policies.md, Configuration",
    );
});
