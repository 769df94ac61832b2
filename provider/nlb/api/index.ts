/**
 * The NLB API by noun. It carries out changes in the background; every function here waits until the change is made.
 */
export * from "./job-watch";
export * from "./jobs";
export * from "./listener";
export * from "./load-balancer";
export * from "./server-group";
