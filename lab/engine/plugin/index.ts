/** Processes the engine starts and talks to: resource plugins, the program, and what they have in common. */
export * from "./types";
export * from "./grpc";
export * from "./process";
export * from "./attached";
export * from "./lookup";
export * from "./resource";
export * from "./gotext";
export * from "./registry";
export * from "./builtin";
export * from "./program";
