/** What programs talk to: the resource monitor and the engine service. */
export * from "./monitor";
export type { RunFacts } from "./facts";
export * from "./engine";
export * from "./server";
