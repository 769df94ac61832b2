import type { StackRule } from "../../rule";
import { limit, ofInstance } from "./count";

/** Listeners of an instance, whoever made them. */
export const listeners: StackRule = {
    name: "quota-listeners",
    title: "An instance has room for all its listeners.",
    group: "quota",
    severity: "medium",
    level: "advisory",
    remedy: "Give a Service an instance of its own, or have the quota raised.",
    source: "SLB quotas, listeners of one instance",
    options: limit(50, "Listeners of one instance."),
    stack: (stack, config) => {
        const most = Number(config["limit"]);
        const counts = new Map<string, number>();
        stack.listeners.forEach(({ instance }) => counts.set(instance, (counts.get(instance) ?? 0) + 1));
        return [...counts]
            .filter(([, count]) => count > most)
            .map(([instance, count]) => ofInstance(stack, instance, `${count} listeners are more than the ${most} that an instance has`));
    },
};
