import { QUOTAS } from "../../../provider/quotas";
import { LOAD_BALANCER_TYPES, type LoadBalancerType } from "../../../provider/schema/load-balancer-type";
import type { StackCheckResult, StackRule } from "../../rule";
import type { StackSubject } from "../../subjects";
import { type Limits, limitOf, limits, ofInstance } from "./count";

const OPTIONS = limits({
    clb: [QUOTAS.clb.listeners.limit, "Listeners of one CLB."],
    nlb: [QUOTAS.nlb.listeners.limit, "Listeners of one NLB."],
});

/** Listeners of an instance, managed or user-managed. */
export const listeners: StackRule<Limits> = {
    name: "quota-listeners",
    title: "An instance does not have more listeners than the quota allows.",
    group: "quota",
    severity: "medium",
    level: "advisory",
    remedy: "Use a separate instance for a Service, or have the quota raised.",
    source: "SLB quotas and NLB quotas, listeners of one instance",
    options: OPTIONS,
    stack: (stack, config) => LOAD_BALANCER_TYPES.flatMap((type) => check(stack, type, limitOf(config, type))),
};

function check(stack: StackSubject, type: LoadBalancerType, most: number): StackCheckResult[] {
    const counts = new Map<string, number>();
    for (const { instance } of stack.listeners.filter(({ kind }) => kind === type))
        counts.set(instance, (counts.get(instance) ?? 0) + 1);
    return [...counts]
        .filter(([, count]) => count > most)
        .map(([instance, count]) =>
            ofInstance(stack, type, instance, `${count} listeners are more than the ${most} that an instance has`),
        );
}
