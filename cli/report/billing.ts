/** Changes of what is paid for. */

import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { Bundle } from "./gather";
import type { BillingChange, LoadBalancerReport } from "./model";
import { recordsOf, type ResourceState, textOf } from "./step";

interface Item {
    readonly key: string;
    readonly what: string;
    readonly quantity: number;
}

/** Changes of who manages a load balancer, which go on being paid for. */
const STAYS: ReadonlySet<string> = new Set(["keep", "import"]);

/** Returns the billing changes of the Service's own load balancer; none for a user-managed or shared one. */
export function billingOf({ instance }: Bundle, loadBalancer: LoadBalancerReport | null): BillingChange[] {
    if (instance === undefined || loadBalancer === null || STAYS.has(loadBalancer.change)) return [];
    const { kind, change, before, after } = loadBalancer;
    const formerItems = itemsOf(kind, instance.before, before?.public ?? false);
    const nextItems = change === "delete" ? [] : itemsOf(kind, instance.after, after?.public ?? false);
    const keys = new Set([...formerItems, ...nextItems].map(({ key }) => key));
    return [...keys].flatMap((key): BillingChange[] => {
        const [former, next] = [formerItems, nextItems].map((items) => items.find((item) => item.key === key));
        if ((former?.quantity ?? 0) === (next?.quantity ?? 0)) return [];
        const what = (next ?? former)?.what ?? key;
        return [{ what, change: former === undefined ? "starts" : next === undefined ? "stops" : "changes" }];
    });
}

function itemsOf(kind: LoadBalancerType, state: ResourceState | undefined, isPublic: boolean): Item[] {
    if (state === undefined) return [];
    const [instance, address] = kind === "nlb" ? nlbItems(state) : clbItems(state);
    return isPublic ? [instance, address] : [instance];
}

const nlbItems = ({ inputs }: ResourceState): [Item, Item] => [
    { key: "nlb", what: "an NLB, by usage", quantity: 1 },
    {
        key: "nlb:publicAddress",
        what: "a public address in each zone",
        quantity: recordsOf(inputs, "zoneMappings").length,
    },
];

function clbItems({ inputs }: ResourceState): [Item, Item] {
    const charge = textOf(inputs, "instanceChargeType") ?? "PayBySpec";
    const spec = charge === "PayBySpec" ? `:${textOf(inputs, "loadBalancerSpec") ?? "default"}` : "";
    const bandwidth = Number(inputs["bandwidth"]);
    const byBandwidth = textOf(inputs, "internetChargeType")?.toLowerCase() === "paybybandwidth";
    return [
        { key: `clb:${charge}${spec}`, what: `a CLB (${charge}${spec})`, quantity: 1 },
        byBandwidth
            ? {
                  key: "clb:PayByBandwidth",
                  what: "bandwidth in Mbit/s",
                  quantity: Number.isFinite(bandwidth) ? bandwidth : 1,
              }
            : { key: "clb:PayByTraffic", what: "traffic to the Internet", quantity: 1 },
    ];
}
