import type { Diagnostic } from "../../../diagnostics";
import { defined } from "../../../schema/defined";
import { keyOfSetting } from "../keys";
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
    const idle = ineffective(context);
    // A companion would have no effect either, unless it is the listener that is missing.
    const removing = (one: Diagnostic): Diagnostic => {
        if (one.code !== "annotation-companion" || one.remedy?.includes(keyOfSetting("protocolPort"))) return one;
        const { remedy } = idle.find(({ setting }) => setting !== undefined && setting === one.setting) ?? one;
        return { ...one, ...defined({ remedy }) };
    };
    return [
        // What has to go needs no companion.
        ...found
            .filter(({ code, setting }) => code !== "annotation-companion" || !setting || !excluded.has(setting))
            .map(removing),
        ...idle,
    ];
}

export { effectiveSettings } from "./effect";
export { SYSTEM_TAGS } from "./shared";
