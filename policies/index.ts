/** The rules, without side effects: compose them into packs of your own. One rule for each file; the path is the rule's name. */
import type { ResourceValidationPolicy } from "@pulumi/policy";
import { exposure } from "./rules/exposure";
import { immutability } from "./rules/immutability";

/** Every rule of this package. */
export const rules: readonly ResourceValidationPolicy[] = [immutability, exposure];

export { exposure, immutability };
