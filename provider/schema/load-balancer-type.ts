/** The kinds of load balancer that a Service can get. */

/** Classic Load Balancer or Network Load Balancer. Neither can be made out of the other. */
export type LoadBalancerType = "clb" | "nlb";

/** The kinds, in the order of the documentation. */
export const LOAD_BALANCER_TYPES: readonly LoadBalancerType[] = ["clb", "nlb"];

/** The load balancer class of Services that this package serves, by kind. It keeps the Cloud Controller Manager away from them. */
export const LOAD_BALANCER_CLASSES: Readonly<Record<LoadBalancerType, string>> = {
    clb: "ack-loadbalancer.io/clb",
    nlb: "ack-loadbalancer.io/nlb",
};

/** Whether a load balancer class is one of {@link LOAD_BALANCER_CLASSES}. */
export const isOwnClass = (name: unknown): boolean =>
    LOAD_BALANCER_TYPES.some((type) => LOAD_BALANCER_CLASSES[type] === name);

/** The load balancer class by which the Cloud Controller Manager is asked for an NLB. Source: "Configure Network Load Balancer (NLB) Using Annotations", notes. */
export const NLB_CLASS = "alibabacloud.com/nlb";

/** The kind that `spec.loadBalancerClass` asks for: a CLB if it is absent, `undefined` if it names another controller. */
export function typeOfClass(name: string | undefined): LoadBalancerType | undefined {
    if (name === undefined) return "clb";
    return name === NLB_CLASS ? "nlb" : LOAD_BALANCER_TYPES.find((type) => LOAD_BALANCER_CLASSES[type] === name);
}

/** What the kinds are called, with their article. */
export const LOAD_BALANCER_NAMES: Readonly<Record<LoadBalancerType, string>> = { clb: "a CLB", nlb: "an NLB" };

/** The other kind. */
export const otherType = (type: LoadBalancerType): LoadBalancerType => (type === "clb" ? "nlb" : "clb");
