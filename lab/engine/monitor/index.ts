/** What programs talk to: the resource monitor and the engine service. */
export * from "./monitor";
export * from "./engine";
export * from "./server";
