/** CLB by noun: one file for each, with its type, and how it is built, read and written. */
export * from "./acl";
export * from "./certificate";
export * from "./listener";
export * from "./load-balancer";
export * from "./server-group";
