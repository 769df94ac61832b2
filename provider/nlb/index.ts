/**
 * NLB by noun: a file for each, with its type, and how it is built, read and written. The API carries changes out in
 * the background, so every function here waits until the change is made.
 */
export * from "./jobs";
export * from "./listener";
export * from "./load-balancer";
export * from "./server-group";
export * from "./zones";
