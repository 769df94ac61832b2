/** Diagnostics: what they are, how they are collected, located and formatted. */
export type * from "./code";
export * from "./diagnostic";
export * from "./format";
export { isMapping } from "../schema/defined";
