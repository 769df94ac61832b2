/** Classic Load Balancer or Network Load Balancer. Neither can become the other. */
export type LoadBalancerType = "clb" | "nlb";

export const LOAD_BALANCER_TYPES: readonly LoadBalancerType[] = ["clb", "nlb"];

/** Prefix of this package's load balancer classes. */
export const OWN_CLASS_PREFIX = "ack-loadbalancer.io/";

/** Load balancer classes of managed Services. The Cloud Controller Manager ignores them. */
export const LOAD_BALANCER_CLASSES: Readonly<Record<LoadBalancerType, string>> = {
    clb: `${OWN_CLASS_PREFIX}clb`,
    nlb: `${OWN_CLASS_PREFIX}nlb`,
};

export const isOwnClass = (name: unknown): boolean =>
    LOAD_BALANCER_TYPES.some((type) => LOAD_BALANCER_CLASSES[type] === name);

/** Class of the Cloud Controller Manager's NLB. Source: "Configure Network Load Balancer (NLB) Using Annotations". */
export const NLB_CLASS = "alibabacloud.com/nlb";

/** Returns the type for `spec.loadBalancerClass`: a CLB if absent, `undefined` for another controller's. */
export function typeOfClass(name: string | undefined): LoadBalancerType | undefined {
    if (name === undefined) return "clb";
    return name === NLB_CLASS ? "nlb" : LOAD_BALANCER_TYPES.find((type) => LOAD_BALANCER_CLASSES[type] === name);
}

export const LOAD_BALANCER_NAMES: Readonly<Record<LoadBalancerType, string>> = { clb: "a CLB", nlb: "an NLB" };

export const otherType = (type: LoadBalancerType): LoadBalancerType => (type === "clb" ? "nlb" : "clb");
