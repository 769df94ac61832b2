import type { RunFacts } from "../monitor";
import { loadPolicyConfig, PolicyPack, type PolicySettings } from "../policy";
import type { Messages } from "./messages";
import type { RunRequestOptions } from "./request";

/**
 * Starts and configures the policy packs of a run.
 * @param packs takes every pack that has started, so that it can be ended even if others have not
 * @throws Error if one does not start or refuses its configuration
 */
export async function startPacks(
    r: RunRequestOptions,
    packs: PolicyPack[],
    engineAddress: string,
    facts: RunFacts,
    messages: Messages,
): Promise<void> {
    if (r.packs.length === 0) return;
    r.events({ kind: "policyLoad", packs: r.packs.length, done: false });
    const results = await Promise.allSettled(
        r.packs.map((p) => PolicyPack.start(p.path, { ...facts, engineAddress }, messages.processLines())),
    );
    for (const p of results) if (p.status === "fulfilled") packs.push(p.value);
    for (const p of results) if (p.status === "rejected") throw p.reason as Error;
    r.events({ kind: "policyLoad", packs: packs.length, done: true });
    const errors: string[] = [];
    const settings = r.packs.map((p) =>
        p.settings === undefined ? new Map<string, PolicySettings>() : loadPolicyConfig(p.settings),
    );
    for (const [i, pack] of packs.entries())
        errors.push(...(await pack.configure(settings[i] ?? new Map<string, PolicySettings>())));
    if (errors.length > 0) {
        for (const e of errors.sort()) messages.diag.error("", `validating policy config: ${e}`);
        throw new Error("validating policy config");
    }
}
