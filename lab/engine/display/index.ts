/** What users get to see of a run: rows, property diffs, JSON. */
export * from "./display";
export * from "./progress";
export * from "./diffview";
export * from "./digest";
export * from "./masked";
