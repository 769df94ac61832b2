/** Property values: their model, wire form, comparison and paths. */
export * from "./value";
export * from "./wire";
export * from "./diff";
export * from "./path";
export * from "./gonumber";
