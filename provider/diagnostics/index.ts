/** Diagnostics: what they are, how they are collected, located and formatted. */
export type * from "./code";
export { type About, type Collector, collector, type Details, diagnostic, type Parts } from "./collector";
export * from "./diagnostic";
export { alignColumns, printable, printableJson } from "./printable";
export * from "./format";
export { inFileOrder, locate, type Origin, TYPED_SETTINGS } from "./locate";
export { type EntryPart, type FieldPath, formatPath, isMapping, valueAt } from "./path";
