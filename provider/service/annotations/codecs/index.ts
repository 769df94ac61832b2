/** Types of annotation values. */
export * from "./list";
export * from "./pairs";
export * from "./text";
export * from "./type";
