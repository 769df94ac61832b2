/** The events of a run, and their public form. */
export * from "./events";
export * from "./json";
export * from "./log";
export * from "./mask";
