/** The SLB API, which is that of CLB instances, by noun. */
export * from "./acl";
export * from "./listener";
export * from "./load-balancer";
export * from "./server-group";
export * from "./tags";
