import { printableJson } from "../../provider/diagnostics";

/** Formats a command's answer for programs. `version` changes when a member is removed or changes its meaning, not when one is added. */
export const renderJson = (answer: object): string => printableJson({ version: 1, ...answer });
