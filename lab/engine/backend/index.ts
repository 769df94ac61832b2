/** Where state lives: files in the layout of the real CLI's file backend, locks, history. */
export * from "./backend";
export * from "./files";
