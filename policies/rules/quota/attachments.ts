import { QUOTAS } from "../../../provider/quotas";
import { notesDocument } from "../../../provider/schema/documents";
import { LOAD_BALANCER_TYPES, type LoadBalancerType } from "../../../provider/schema/load-balancer-type";
import { matches } from "../../rule/evaluate";
import type { Config, StackCheckResult, StackRule } from "../../rule";
import type { Settled, StackSubject } from "../../subjects";
import { type Limits, limitOf, limits, serversByInstance } from "./count";

/** How many servers a message lists. */
const SHOWN = 5;

/** Pods are attached by their own address and do not count for the quota of an ECS instance. */
const isMachine = (server: string): boolean => server.startsWith("i-");

const OPTIONS = limits({
    clb: [QUOTAS.clb.attachments.limit, "CLB instances of which one ECS instance may be a backend."],
    nlb: [QUOTAS.nlb.attachments.limit, "NLB server groups in which one ECS instance may be."],
});

/** With externalTrafficPolicy Cluster every node is a backend of every load balancer; a node that is attached too often makes the next Service fail. */
export const attachments: StackRule<Limits> = {
    name: "quota-attachments",
    title: "No ECS instance is a backend of more CLB instances, or in more NLB server groups, than the quota allows.",
    group: "quota",
    severity: "high",
    level: "advisory",
    remedy: "Use externalTrafficPolicy Local, so that only nodes with pods are attached; choose nodes with backend-label; or attach pods directly with backend-type eni.",
    source: `${notesDocument("externalTrafficPolicy")}; SLB quotas and NLB quotas, how often a server can be added`,
    options: OPTIONS,
    stack: (stack, config) => LOAD_BALANCER_TYPES.flatMap((type) => check(stack, type, config)),
};

function check(stack: StackSubject, type: LoadBalancerType, config: Config<Limits>): Settled<StackCheckResult>[] {
    const { servers, unknown } = serversByInstance(stack, type);
    const most = limitOf(config, type);
    const counts = new Map<string, number>();
    for (const members of servers.values()) {
        const machines = members.filter(isMachine);
        // The quota of CLB counts instances, that of NLB server groups.
        for (const server of type === "clb" ? new Set(machines) : machines)
            counts.set(server, (counts.get(server) ?? 0) + 1);
    }
    const full = [...counts].filter(([server, count]) => count > most && !matches(server, config.except));
    return [...(full.length === 0 ? [] : [report(full, `${most} ${ATTACHED[type]}`)]), ...unknown];
}

/** What a server is attached to. */
const ATTACHED = { clb: "instances", nlb: "server groups of NLB instances" } as const;

/** All nodes of a cluster usually reach the quota together: one message lists them, the most attached first. */
function report(full: readonly (readonly [string, number])[], most: string): StackCheckResult {
    const fullest = [...full].sort(([, one], [, other]) => other - one);
    const shown = fullest.slice(0, SHOWN).map(([server, count]) => `${server} behind ${count}`);
    const rest = full.length > SHOWN ? `, and ${full.length - SHOWN} more` : "";
    return {
        place: { subject: "servers" },
        names: [],
        cause: `${full.length} of them stand behind more than the ${most} that a machine may: ${shown.join(", ")}${rest}`,
    };
}
