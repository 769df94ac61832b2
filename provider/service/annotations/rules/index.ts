import type { Diagnostic } from "../../../diagnostics";
import { clbRules } from "./clb";
import type { RuleContext } from "./context";
import { nlbRules } from "./nlb";
import { sharedRules } from "./shared";

const RULES = {
    clb: [...Object.values(sharedRules), ...Object.values(clbRules)],
    nlb: [...Object.values(sharedRules), ...Object.values(nlbRules)],
};

export const applyRules = (context: RuleContext): Diagnostic[] => RULES[context.type].flatMap((rule) => rule(context));

export { SYSTEM_TAGS } from "./shared";
