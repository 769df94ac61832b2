/** What is remembered of a stack: resources, URNs, checkpoint format, integrity, dependencies. */
export * from "./resource";
export * from "./urn";
export * from "./serialize";
export * from "./snapshot";
export * from "./aliases";
export * from "./edit";
export * from "./integrity";
export * from "./graph";
export * from "./move";
