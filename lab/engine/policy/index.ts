/** Policy packs: starting them, their settings, asking them. */
export * from "./pack";
export * from "./results";
export * from "./config";
export * from "./audit";
