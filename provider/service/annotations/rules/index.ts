import type { Diagnostic } from "../../../diagnostics";
import { clbRules } from "./clb";
import type { RuleContext } from "./context";
import { nlbRules } from "./nlb";
import { sharedRules } from "./shared";

const RULES = { clb: [...sharedRules, ...clbRules], nlb: [...sharedRules, ...nlbRules] };

export const applyRules = (context: RuleContext): Diagnostic[] => RULES[context.type].flatMap((rule) => rule(context));

export { SYSTEM_TAGS } from "./shared";
