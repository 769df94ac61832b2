/** The SLB API, which is that of CLB instances, by noun. */
export * from "./acl";
export * from "./certificate";
export * from "./domain-extension";
export * from "./listener";
export * from "./load-balancer";
export * from "./load-balancer-attributes";
export * from "./server-group";
export { listTags, removeTags, setTags, type TaggedType, type Tags } from "./tags";
