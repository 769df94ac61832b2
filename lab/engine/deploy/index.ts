/** The deployment engine proper: decides on steps, carries them out, keeps the record. */
export * from "./callbacks";
export * from "./context";
export * from "./deployment";
export * from "./diff";
export * from "./events";
export * from "./executor";
export * from "./goal";
export * from "./hooks";
export * from "./journal";
export * from "./steps";
export * from "./targets";
