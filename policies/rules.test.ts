/**
 * Requirements: A18, B34, C06, C18, C19, C33, D05, D25, E11, F14, F23, G01, G02, G03, G04, G10, H04, H09, H10, H11,
 * H12, H13, H23, H24, I06, I08, I17, I34, I35, I37, I51, I52, I53, I54, I60, X03, X09, X20, X21.
 */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
    type ResourceValidationArgs,
    type StackValidationArgs,
    unknownCheckingProxy,
    UnknownValueError,
} from "@pulumi/policy";
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
import { SERVICE } from "../test/support/policies/service";
import { policyOf, RULES } from "./index";
import { configOf } from "./rule/config";
import { evaluateResource, formatViolation } from "./rule/evaluate";
import type { PreviewResource } from "./subjects";
import { isUnknownError } from "./subjects";
import { found } from "../test/support/found";

/**
 * Services behind an NLB, and NLB resources that a program makes itself: where they are judged otherwise than those
 * of a CLB.
 */
const NLB: readonly Case[] = [...NLB_ANNOTATIONS, ...NLB_SERVICE, ...NLB_CHANGES, ...NLB_RESOURCES];

const CASES: readonly Case[] = [...ANNOTATIONS, ...ADDRESS, ...LIFECYCLE, ...SERVICE, ...RESOURCES, ...REUSE, ...NLB];

class NotApplicable extends Error {}

const shared = (config: object) => ({
    stackTags: new Map(),
    getConfig: () => config,
    notApplicable: (): never => {
        throw new NotApplicable();
    },
});

const ofEngine = ({ type, urn, name, props, protect, provider }: PreviewResource) => ({
    type,
    urn,
    name,
    props: unknownCheckingProxy(props),
    opts: { protect },
    ...(provider !== undefined && { provider: { urn: provider } }),
});

/** Returns the SDK's result of a policy's answer. */
async function answer(
    said: () => unknown,
    reports: readonly string[],
): Promise<readonly string[] | "not applicable" | "not known"> {
    try {
        await said();
        return reports;
    } catch (error) {
        if (error instanceof NotApplicable) return "not applicable";
        // The SDK knows its own error alone.
        if (error instanceof UnknownValueError || isUnknownError(error)) return "not known";
        throw error;
    }
}

async function judge({
    rule: name,
    given,
    config = {},
}: Case): Promise<readonly string[] | "not applicable" | "not known"> {
    const rule = found(
        RULES.find((one) => one.name === name),
        name,
    );
    const reports: string[] = [];
    const report = (message: string) => void reports.push(message.replaceAll(/^ {6}/gm, ""));
    const policy = policyOf(rule);
    if ("validateStack" in policy) {
        const shown = given as readonly PreviewResource[];
        const resources = shown.map((one) => ({
            ...ofEngine(one),
            propertyDependencies: Object.fromEntries(
                Object.entries(one.origins ?? {}).map(([property, urns]) => [
                    property,
                    shown.filter(({ urn }) => urns.includes(urn)),
                ]),
            ),
        }));
        return answer(
            () => policy.validateStack({ resources, ...shared(config) } as unknown as StackValidationArgs, report),
            reports,
        );
    }
    const one = given as PreviewResource;
    if (one.before !== undefined) {
        // Only a saved preview knows what was there before.
        if (rule.stack !== undefined) throw new Error(`${name} is a rule about a stack`);
        return answer(() => {
            const configured = { rule, level: rule.level, config: configOf(rule, config) };
            reports.push(...(evaluateResource(configured, one) ?? []).map(formatViolation));
        }, reports);
    }
    const [validate] = [policy.validateResource].flat();
    return answer(
        () => validate?.({ ...ofEngine(one), ...shared(config) } as unknown as ResourceValidationArgs, report),
        reports,
    );
}

for (const one of CASES) {
    test(`${one.rule}: ${one.what}`, async () => {
        const reported = await judge(one);
        if (typeof one.expect === "string" || typeof reported === "string") {
            expect(reported).toStrictEqual(one.expect);
            return;
        }
        expect(reported.length).toBe(one.expect.length);
        one.expect.forEach((pattern, index) => expect(reported[index] ?? "").toMatch(pattern));
    });
}

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
        const policy = policyOf(rule);
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
