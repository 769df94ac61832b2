import { isProviderType, providerUrn, urnName, type ResourceState } from "../state";
import type { ValueMap } from "../value";
import type { AnalyzedResource, PolicyPack } from "./pack";
import type { PolicyRemediation, PolicyViolation } from "./results";

/** What an audit reports. */
export interface AuditEvents {
    violation(urn: string, v: PolicyViolation): void;
    remediation(urn: string, r: PolicyRemediation, before: ValueMap, after: ValueMap): void;
}

/**
 * Lets packs judge the record of a stack, without its program and without changing anything: remediations are reported,
 * not applied.
 * @returns whether a mandatory policy was violated
 */
export async function auditState(
    resources: readonly ResourceState[],
    packs: readonly PolicyPack[],
    events: AuditEvents,
): Promise<boolean> {
    const live = resources.filter((r) => !r.delete);
    const providers = new Map(live.filter((r) => isProviderType(r.type)).map((r) => [r.urn, r]));
    const describe = (r: ResourceState, properties: ValueMap): AnalyzedResource => {
        const p = r.provider === "" ? undefined : providers.get(providerUrn(r.provider));
        return {
            urn: r.urn,
            type: r.type,
            name: urnName(r.urn),
            properties,
            protect: r.protect,
            ignoreChanges: r.ignoreChanges,
            deleteBeforeReplace: undefined,
            additionalSecretOutputs: r.additionalSecretOutputs,
            aliases: [],
            customTimeouts: r.customTimeouts,
            parent: r.parent,
            provider: p && { urn: p.urn, type: p.type, name: urnName(p.urn), properties: p.inputs },
            dependencies: r.dependencies,
            propertyDependencies: r.propertyDependencies,
        };
    };
    let mandatory = false;
    const report = (urn: string, v: PolicyViolation): void => {
        const level = v.level === "remediate" ? "mandatory" : v.level;
        if (level === "mandatory") mandatory = true;
        events.violation(urn, { ...v, level });
    };
    const asked = async <T>(what: string, answer: Promise<T>): Promise<T> => {
        try {
            return await answer;
        } catch (e) {
            throw new Error(`failed to run ${what}: ${(e as Error).message}`, { cause: e });
        }
    };
    for (const r of live) {
        const subject = describe(r, r.inputs);
        for (const pack of packs) {
            for (const m of (await asked("remediation", pack.remediate(subject))).remediations) {
                if (m.diagnostic !== "")
                    report(r.urn, { ...m, message: m.diagnostic, level: "advisory", severity: "", urn: r.urn });
                else if (m.properties) events.remediation(r.urn, m, r.inputs, m.properties);
            }
        }
        for (const pack of packs)
            for (const v of (await asked("policy", pack.analyze(subject))).violations) report(r.urn, v);
    }
    const all = live.map((r) => describe(r, r.outputs));
    for (const pack of packs)
        for (const v of (await asked("stack policy", pack.analyzeStack(all))).violations) report(v.urn, v);
    return mandatory;
}
