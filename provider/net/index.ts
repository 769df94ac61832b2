/** HTTP exchange, waits, turns, and text without secrets: for the cloud client and the cluster reader. */
export * from "./clock";
export * from "./redact";
export * from "./request";
export * from "./turns";
