/**
 * Requirements: A18, B34, C06, C18, C19, C33, D05, D25, E11, F14, F23, G01, G02, G03, G04, G10, H04, H09, H10, H11,
 * H12, H13, H23, H24, I06, I08, I17, I34, I35, I37, I51, I52, I53, I54, I60, X03, X09, X20, X21.
 */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ADDRESS } from "../test/support/policies/address";
import { ANNOTATIONS } from "../test/support/policies/annotations";
import type { Case, Expected } from "../test/support/policies/case";
import { LIFECYCLE } from "../test/support/policies/lifecycle";
import { RESOURCES } from "../test/support/policies/resources";
import { REUSE } from "../test/support/policies/reuse";
import { ANNOTATIONS as NLB_ANNOTATIONS } from "../test/support/policies/nlb/annotations";
import { CHANGES as NLB_CHANGES } from "../test/support/policies/nlb/changes";
import { RESOURCES as NLB_RESOURCES } from "../test/support/policies/nlb/resources";
import { SERVICE as NLB_SERVICE } from "../test/support/policies/nlb/service";
import { Host } from "../test/support/policies/host";
import { SERVICE } from "../test/support/policies/service";
import { RULES } from "./index";
import type { Level, Rule } from "./rule";
import { aboutOf } from "./rule/policy";
import { configOf } from "./rule/config";
import { evaluateResource, formatViolation } from "./rule/evaluate";
import type { PreviewResource } from "./subjects";
import { isUnknownError } from "./subjects";
import { asSecret } from "../provider/schema/secrets";
import { found } from "../test/support/found";

/**
 * Services behind an NLB, and NLB resources that a program makes itself: where they are judged otherwise than those
 * of a CLB.
 */
const NLB: readonly Case[] = [...NLB_ANNOTATIONS, ...NLB_SERVICE, ...NLB_CHANGES, ...NLB_RESOURCES];

const CASES: readonly Case[] = [...ANNOTATIONS, ...ADDRESS, ...LIFECYCLE, ...SERVICE, ...RESOURCES, ...REUSE, ...NLB];

/** The pack with one rule. A joined advisory rule is about the stack: it is judged where it is about a resource. */
async function hostOf(rule: Rule, config: Case["config"] = {}): Promise<Host> {
    const host = new Host([rule]);
    await host.configure({ [rule.name]: config }, { [rule.name]: levelOf(rule) });
    return host;
}

const levelOf = (rule: Rule): Level => (rule.stack === undefined && rule.joined === true ? "mandatory" : rule.level);

const ruleOf = (name: string): Rule =>
    found(
        RULES.find((one) => one.name === name),
        name,
    );

/** Returns the messages of a rule, without the rule's title above each. */
async function judge({ rule: name, given, config }: Case, disguise = plainly): Promise<Judgement> {
    const rule = ruleOf(name);
    const host = await hostOf(rule, config);
    const { said, notApplicable } =
        rule.stack === undefined
            ? await host.judge(disguise(given as PreviewResource))
            : await host.judgeStack((given as readonly PreviewResource[]).map(disguise));
    if (notApplicable.length > 0) return "not applicable";
    const [cannot, other] = [said.filter(({ message }) => CANNOT_RUN.test(message)), said.filter(isJudgement)];
    for (const { level } of other) expect(level).toBe(levelOf(rule));
    for (const { level } of cannot) expect(level).toBe("advisory");
    if (cannot.length > 0) return "not known";
    return other.map(({ message }) => {
        const [title, ...lines] = message.split("\n");
        expect(title).toBe(` ${rule.title}`);
        for (const line of lines) expect(line).toMatch(/^ {6}/);
        return lines.map((line) => line.slice(6)).join("\n");
    });
}

type Judgement = readonly string[] | "not applicable" | "not known";

const CANNOT_RUN = /^can't run policy '[a-z-]+' from policy pack 'ack-loadbalancer@v0\.0\.0' during preview: /;
const isJudgement = ({ message }: { readonly message: string }): boolean => !CANNOT_RUN.test(message);

const plainly = (shown: PreviewResource): PreviewResource => shown;

/** The same resource with secrets in place of its properties. */
const secretly = (shown: PreviewResource): PreviewResource => {
    const props = Object.entries(shown.props ?? {});
    return { ...shown, props: Object.fromEntries(props.map(([key, value]) => [key, asSecret(value)])) };
};

/** Judges a resource with its former state, which only a saved preview has. */
function judgeChange({ rule: name, given, config = {} }: Case): Judgement {
    const rule = ruleOf(name);
    if (rule.stack !== undefined) throw new Error(`${name} is a rule about a stack`);
    try {
        const configured = { rule, level: rule.level, config: configOf(rule, config) };
        return (evaluateResource(configured, given as PreviewResource) ?? []).map(formatViolation);
    } catch (error) {
        if (isUnknownError(error)) return "not known";
        throw error;
    }
}

const isChange = ({ given }: Case): boolean => "before" in given && given.before !== undefined;

for (const one of CASES) {
    test(`${one.rule}: ${one.what}`, async () => {
        const reported = isChange(one) ? judgeChange(one) : await judge(one);
        if (typeof one.expect === "string" || typeof reported === "string") {
            expect(reported).toStrictEqual(one.expect);
            return;
        }
        expect(reported.length).toBe(one.expect.length);
        one.expect.forEach((pattern, index) => expect(reported[index] ?? "").toMatch(pattern));
    });
}

for (const one of CASES.filter((each) => !isChange(each)))
    test(`${one.rule}: ${one.what}, of secrets`, async () => {
        const [reported, secret] = [await judge(one), await judge(one, secretly)];
        expect(typeof secret === "string" ? secret : secret.length).toBe(
            typeof reported === "string" ? reported : reported.length,
        );
    });

const KINDS: Readonly<Record<string, (expect: Expected) => boolean>> = {
    passes: (expect) => isDeepStrictEqual(expect, []),
    fails: (expect) => typeof expect !== "string" && expect.length > 0,
    "is not applicable": (expect) => expect === "not applicable",
    "is not known": (expect) => expect === "not known",
};

for (const rule of RULES) {
    test(`cases of ${rule.name}: compliant, violated, not applicable, unknown`, () => {
        const cases = CASES.filter((one) => one.rule === rule.name);
        const counted = rule.name === "quota-listeners";
        for (const [kind, is] of Object.entries(KINDS)) {
            // A rule about a stack always applies. Listeners can always be counted: they refer to their instance.
            const exempt =
                (rule.stack !== undefined && kind === "is not applicable") || (counted && kind === "is not known");
            expect([kind, exempt || cases.some((one) => is(one.expect))]).toStrictEqual([kind, true]);
        }
    });
}

test("the path of a rule begins with its group", () => {
    const files = fs.readdirSync("policies/rules", { recursive: true, encoding: "utf8" });
    const placed = files
        .filter((file) => file.endsWith(".ts"))
        .flatMap((file) => {
            const text = fs.readFileSync(path.join("policies/rules", file), "utf8");
            const group = file.replace(/[^a-z].*$/, "");
            return [...text.matchAll(/\w+Rule\(\s*"([a-z-]+)"/g)].map(([, name = ""]) => ({ group, name }));
        });
    const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
        one.name.localeCompare(other.name);
    expect(placed.sort(byName)).toStrictEqual(RULES.map(({ group, name }) => ({ group, name })).sort(byName));
});

test("rules about Services apply to CLB and NLB, except those about calls that nodes intercept", () => {
    const restricted = RULES.filter(({ loadBalancerTypes }) => loadBalancerTypes !== undefined);
    expect(restricted.map(({ name, loadBalancerTypes }) => `${name}: ${loadBalancerTypes?.join(", ")}`)).toStrictEqual(
        RULES.filter(({ group }) => group === "access").map(({ name }) => `${name}: clb`),
    );
});

test("every rule has a title, a severity, a level, a remedy and a source", () => {
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
    for (const rule of RULES) {
        const policy = aboutOf(rule);
        expect(rule.name).toMatch(new RegExp(`^${rule.group}-[a-z-]+$`));
        expect(rule.title).toMatch(/^[A-Z].{30,}\.$/s);
        expect(policy.remediationSteps ?? "").toMatch(/^.{20,}\. Source: .{10,}\.$/s);
        expect(policy).toMatchObject({ severity: expect.any(String), enforcementLevel: expect.any(String) });
        expect(policy.tags).not.toHaveLength(0);
        for (const [name, option] of Object.entries(policy.configSchema?.properties ?? {}))
            expect([name, option]).toStrictEqual([
                name,
                expect.objectContaining({ default: option.default, description: expect.stringMatching(/./) }),
            ]);
    }
});
