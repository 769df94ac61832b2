import { expect, test } from "@jest/globals";
import type { ResourceValidationArgs } from "@pulumi/policy";
import type { ConfiguredRule, ResourceRule } from ".";
import { RULES } from "../rules";
import { ConfigError, configOf, optionSchemasOf } from "./config";
import { judgeResource, judgeStack, type FindingsByRule } from "./judge";
import { Host } from "../../test/support/policies/host";
import { matches } from "./evaluate";
import { indentedMessage, policyOf } from "./policy";

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

test("schemas of settings hold no undefined member, which the policy SDK cannot send", () => {
    const schemas = RULES.flatMap((rule) => Object.values(optionSchemasOf(rule)));
    for (const schema of schemas) expect(Object.values(schema)).not.toContain(undefined);
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

test("advisory violations are one message of the stack, mandatory ones of their Service", () => {
    const rule: ResourceRule = {
        ...RULE,
        joined: true,
        resources: { "test:index:Instance": ({ name }) => [{ cause: name === "three" ? "closed" : "open" }] },
    };
    const resources = ["one", "two", "three"].map((name) => ({
        type: "test:index:Instance",
        urn: `urn:pulumi:dev::web::test:index:Instance::${name}`,
        name,
        props: {},
    }));
    const reports = (advisory: boolean, shown = resources): (string | undefined)[][] => {
        const level = advisory ? "advisory" : "mandatory";
        const configured: ConfiguredRule[] = [{ rule, level, config: configOf(rule, {}) }];
        const found = (judgement: FindingsByRule) => [...judgement.values()].flatMap((one) => one?.violations ?? []);
        return [...shown.map((one) => judgeResource(configured, one)), judgeStack(configured, shown)]
            .flatMap(found)
            .map((violation) => [indentedMessage(violation).trim(), violation.urn]);
    };
    expect(reports(true)).toStrictEqual([["3 Services: one, two: open; three: closed. Remedy: name it.", undefined]]);
    expect(reports(true, resources.slice(0, 1))).toStrictEqual([
        ["Instance one: open. Remedy: name it.", "urn:pulumi:dev::web::test:index:Instance::one"],
    ]);
    expect(reports(false).map(([text]) => text)).toStrictEqual([
        "Instance one: open. Remedy: name it.",
        "Instance two: open. Remedy: name it.",
        "Instance three: closed. Remedy: name it.",
    ]);
});

test("of the violations of a rule a hundred are shown, and the number of the others", () => {
    const rule: ResourceRule = {
        ...RULE,
        resources: { "test:index:Instance": () => Array.from({ length: 110 }, (_, n) => `cause ${n}`) },
    };
    const shown = {
        type: "test:index:Instance",
        urn: "urn:pulumi:dev::web::test:index:Instance::a",
        name: "a",
        props: {},
    };
    const finding = judgeResource([{ rule, level: "mandatory", config: configOf(rule, {}) }], shown).get(rule);
    const messages = finding?.violations.map((one) => indentedMessage(one).trim());
    expect(messages).toHaveLength(101);
    expect(messages?.at(-2)).toBe("Instance a: cause 99. Remedy: name it.");
    expect(messages?.at(-1)).toBe("Instance a: 10 more are not shown. Remedy: name it.");
    expect(finding?.violations.every(({ level }) => level === "mandatory")).toBe(true);
});

test("any number of stars matches in linear time", () => {
    const long = "a".repeat(50_000);
    expect(matches(`${long}b`, [`${"*a".repeat(10_000)}*c`])).toBe(false);
    for (const [pattern, name, expected] of [
        ["shop/*", "shop/web", true],
        ["*", "", true],
        ["a*a", "a", false],
        ["a**a", "aa", true],
        ["*ab*b", "ab", false],
        ["*ab*b", "xabyb", true],
        ["shop/w.b", "shop/web", false],
        ["shop/web", "shop/web", true],
    ] as const)
        expect([pattern, name, matches(name, [pattern])]).toStrictEqual([pattern, name, expected]);
});

test("a rule that throws fails the request with its name and the cause", async () => {
    const broken: ResourceRule = {
        ...RULE,
        resources: {
            "test:index:Instance": () => {
                throw new TypeError("no such member");
            },
        },
    };
    const shown = {
        type: "test:index:Instance",
        urn: "urn:pulumi:dev::web::test:index:Instance::a",
        name: "a",
        props: {},
    };
    await expect(new Host([broken]).judge(shown)).rejects.toThrow(
        /rule naming-example failed: TypeError: no such member/,
    );
});
