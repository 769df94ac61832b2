/** Types of annotation values. */
export * from "./list";
export * from "./text";
