import type { Diagnostic } from "../../../diagnostics";
import { clbRules } from "./clb";
import type { RuleContext } from "./context";
import { ineffective, managedSettings } from "./effect";
import { nlbRules } from "./nlb";
import { sharedRules } from "./shared";

const RULES = {
    clb: [...Object.values(sharedRules), ...Object.values(clbRules)],
    nlb: [...Object.values(sharedRules), ...Object.values(nlbRules)],
};

/** Returns what is wrong with the settings of a Service. No rule regards those of user-managed listeners. */
export function applyRules(context: RuleContext): Diagnostic[] {
    const managed = { ...context, settings: managedSettings(context) };
    const found = RULES[context.type].flatMap((rule) => rule(managed));
    const excluded = new Set(found.filter(({ code }) => code === "annotation-exclusion").map(({ setting }) => setting));
    return [
        // What has to go needs no companion.
        ...found.filter(({ code, setting }) => code !== "annotation-companion" || !setting || !excluded.has(setting)),
        ...ineffective(context),
    ];
}

export { effectiveSettings } from "./effect";
export { SYSTEM_TAGS } from "./shared";
