import type { AnalyzedResource, PolicySummary } from "../policy";
import { providerUrn, urnName, type ResourceState, rootStackUrn } from "../state";
import type { Deployment } from "./deployment";
import type { Goal } from "./goal";

function describe(
    s: ResourceState,
    goal: Goal | undefined,
    properties: ResourceState["inputs"],
    provider: ResourceState | undefined,
): AnalyzedResource {
    return {
        urn: s.urn,
        type: s.type,
        name: urnName(s.urn),
        properties,
        protect: s.protect,
        ignoreChanges: goal?.ignoreChanges ?? s.ignoreChanges,
        deleteBeforeReplace: goal?.deleteBeforeReplace,
        additionalSecretOutputs: s.additionalSecretOutputs,
        aliases: s.aliases,
        customTimeouts: s.customTimeouts,
        parent: s.parent,
        provider: provider && {
            urn: provider.urn,
            type: provider.type,
            name: urnName(provider.urn),
            properties: provider.inputs,
        },
        dependencies: s.dependencies,
        propertyDependencies: s.propertyDependencies,
    };
}

/** Which of a pack's policies of one type passed, given those that failed and those that did not apply. */
function summary(
    pack: { name: string; version: string },
    all: readonly string[],
    failed: ReadonlySet<string>,
    notApplicable: ReadonlySet<string>,
): PolicySummary {
    return {
        pack: pack.name,
        packVersion: pack.version,
        passed: all.filter((n) => !failed.has(n) && !notApplicable.has(n)).sort(),
        failed: [...failed].sort(),
    };
}

/**
 * Lets all packs change, then judge, the inputs of a resource. The inputs in `now` are replaced by the changed ones.
 * @returns whether a mandatory policy was violated
 */
export async function applyPolicies(
    d: Deployment,
    now: ResourceState,
    goal: Goal,
    provider: ResourceState | undefined,
): Promise<{ mandatory: boolean }> {
    let mandatory = false;
    for (const pack of d.packs) {
        let answer;
        try {
            answer = await pack.remediate(describe(now, goal, now.inputs, provider));
        } catch (e) {
            throw new Error(`failed to run remediation: ${(e as Error).message}`, { cause: e });
        }
        const failed = new Set<string>();
        for (const r of answer.remediations) {
            failed.add(r.policy);
            if (r.diagnostic !== "") {
                d.events.violation(now.urn, {
                    ...r,
                    pack: r.pack,
                    message: r.diagnostic,
                    level: "advisory",
                    severity: "",
                    urn: now.urn,
                });
            } else if (r.properties) {
                d.events.remediation(now.urn, r, now.inputs, r.properties);
                now.inputs = r.properties;
            }
        }
        d.events.remediated(now.urn, summary(pack, pack.policies("resource"), failed, answer.notApplicable));
    }
    const answers = await Promise.all(
        d.packs.map(async (pack) => {
            try {
                return { pack, answer: await pack.analyze(describe(now, goal, now.inputs, provider)) };
            } catch (e) {
                throw new Error(`failed to run policy: ${(e as Error).message}`, { cause: e });
            }
        }),
    );
    for (const { pack, answer } of answers) {
        for (const v of answer.violations) {
            const level = v.level === "remediate" ? "mandatory" : v.level;
            if (level === "mandatory") mandatory = true;
            d.events.violation(now.urn, { ...v, level });
        }
        d.events.analyzed(
            now.urn,
            summary(
                pack,
                pack.policies("resource"),
                new Set(answer.violations.map((v) => v.policy)),
                answer.notApplicable,
            ),
        );
    }
    return { mandatory };
}

/**
 * Lets all packs judge the stack as a whole.
 * @returns whether a mandatory policy was violated
 */
export async function analyzeStack(
    d: Deployment,
    providerState: (reference: string) => ResourceState | undefined,
): Promise<boolean> {
    if (d.packs.length === 0) return false;
    let mandatory = false;
    const resources = [...d.news.values()].map((s) =>
        describe(
            s,
            d.goals.get(s.urn),
            s.outputs,
            s.provider === "" ? undefined : (providerState(s.provider) ?? d.olds.get(providerUrn(s.provider))),
        ),
    );
    for (const pack of d.packs) {
        const answer = await pack.analyzeStack(resources);
        for (const v of answer.violations) {
            const level = v.level === "remediate" ? "mandatory" : v.level;
            if (level === "mandatory") mandatory = true;
            const urn = v.urn !== "" && d.news.has(v.urn) ? v.urn : rootStackUrn(d.target.stack, d.target.project);
            d.events.violation(urn, { ...v, level });
        }
        d.events.stackAnalyzed(
            summary(
                pack,
                pack.policies("stack"),
                new Set(answer.violations.map((v) => v.policy)),
                answer.notApplicable,
            ),
        );
    }
    return mandatory;
}
