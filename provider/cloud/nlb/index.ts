/** The NLB API by noun. Its changes are carried out in the background; every function here returns when the change is made. */
export * from "./attributes";
export * from "./dry-run";
export * from "./jobs";
export * from "./listener";
export * from "./loadbalancer";
export * from "./servergroup";
export * from "./tags";
