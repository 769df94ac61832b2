/** Diagnostics: what they are, how they are collected, located and formatted. */
export type * from "./code";
export { type About, type Collector, collector, type Details, diagnostic, type Parts } from "./diagnostic";
export * from "./diagnostic";
export { alignColumns, printable, printableJson } from "./format";
export * from "./format";
export { inFileOrder, locate, type Origin, TYPED_SETTINGS } from "./diagnostic";
export { type EntryPart, type FieldPath, formatPath, isMapping, valueAt } from "./diagnostic";
