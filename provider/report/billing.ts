/** What becomes billable and what stops being so. */

import type { Bundle } from "./gather";
import type { BillingChange, LoadBalancerReport } from "./model";
import { recordsOf, type ResourceState, textOf } from "./step";

interface Item {
    readonly item: string;
    readonly what: string;
    readonly quantity: number;
}

/** Changes of what is paid for a Service's load balancer. A user-managed one is the user's, a shared one stands by itself. */
export function billingOf({ instance }: Bundle, loadBalancer: LoadBalancerReport | null): BillingChange[] {
    if (instance === undefined || loadBalancer === null || loadBalancer.change === "keep") return [];
    const before = itemsOf(loadBalancer.kind, instance.before, loadBalancer.before?.public ?? false);
    const after =
        loadBalancer.change === "delete"
            ? []
            : itemsOf(loadBalancer.kind, instance.after, loadBalancer.after?.public ?? false);
    const keys = new Set([...before, ...after].map(({ item }) => item));
    return [...keys].flatMap((key) => {
        const [was, is] = [before, after].map((items) => items.find(({ item }) => item === key));
        const difference = (is?.quantity ?? 0) - (was?.quantity ?? 0);
        if (difference === 0) return [];
        return [
            {
                what: (is ?? was)?.what ?? key,
                change: was === undefined ? "starts" : is === undefined ? "stops" : "changes",
            } as const,
        ];
    });
}

function itemsOf(kind: "clb" | "nlb", state: ResourceState | undefined, isPublic: boolean): Item[] {
    if (state === undefined) return [];
    const { inputs } = state;
    if (kind === "nlb") {
        const zones = recordsOf(inputs, "zoneMappings").length;
        return [
            { item: "nlb", what: "an NLB, by usage", quantity: 1 },
            ...(isPublic
                ? [{ item: "nlb:publicAddress", what: "a public address in each zone", quantity: zones }]
                : []),
        ];
    }
    const charge = textOf(inputs, "instanceChargeType") ?? "PayBySpec";
    const spec = charge === "PayBySpec" ? `:${textOf(inputs, "loadBalancerSpec") ?? "default"}` : "";
    const traffic = textOf(inputs, "internetChargeType") ?? "PayByTraffic";
    const bandwidth = Number(inputs["bandwidth"]);
    return [
        { item: `clb:${charge}${spec}`, what: `a CLB (${charge}${spec})`, quantity: 1 },
        ...(isPublic
            ? [
                  {
                      item: `clb:${traffic.toLowerCase() === "paybybandwidth" ? "PayByBandwidth" : "PayByTraffic"}`,
                      what:
                          traffic.toLowerCase() === "paybybandwidth"
                              ? "bandwidth in Mbit/s"
                              : "traffic to the Internet",
                      quantity:
                          traffic.toLowerCase() === "paybybandwidth" && Number.isFinite(bandwidth) ? bandwidth : 1,
                  },
              ]
            : []),
    ];
}
