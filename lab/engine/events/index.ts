/** What happens in a run, told as events, and their public form. */
export * from "./events";
export * from "./json";
export * from "./log";
export * from "./mask";
