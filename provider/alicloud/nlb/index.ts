/** The NLB API by noun. Its changes are carried out in the background; every function here returns when the change is made. */
export * from "./load-balancer-attributes";
export * from "./dry-run";
export * from "./job-watch";
export * from "./jobs";
export * from "./listener";
export * from "./load-balancer";
export * from "./server-group";
export * from "./tags";
