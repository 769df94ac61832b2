import { notesDocument } from "../../../provider/annotations/sources";
import { matches } from "../../judge";
import type { Report, StackRule } from "../../rule";
import { limit, serversByInstance } from "./count";

/** How many machines are told by name. */
const SHOWN = 5;

/** Pods are attached by their own address and do not use up the quota of a machine. */
const isMachine = (server: string): boolean => server.startsWith("i-");

/** In Cluster mode every node stands behind every load balancer; a machine that is attached too often makes the next Service fail to reconcile. */
export const attachments: StackRule = {
    name: "quota-attachments",
    title: "No machine stands behind more instances than the cloud allows.",
    group: "quota",
    severity: "high",
    level: "advisory",
    remedy: "Use externalTrafficPolicy Local, so that only nodes with pods are attached; choose nodes with backend-label; or attach pods directly with backend-type eni.",
    source: notesDocument("externalTrafficPolicy"),
    options: limit(50, "Times that one machine may be attached to instances."),
    stack: (stack, config) => {
        const { servers, unknown } = serversByInstance(stack);
        const most = Number(config["limit"]);
        const instances = new Map<string, Set<string>>();
        for (const [instance, members] of servers) for (const server of members.filter(isMachine)) instances.set(server, (instances.get(server) ?? new Set()).add(instance));
        const full = [...instances].filter(([server, found]) => found.size > most && !matches(server, config["except"] as string[]));
        return [...(full.length === 0 ? [] : [report(full, most)]), ...unknown];
    },
};

/** All nodes of a cluster are full at once, as a rule: they are told together, the fullest first. */
function report(full: readonly (readonly [string, ReadonlySet<string>])[], most: number): Report {
    const fullest = [...full].sort(([, one], [, other]) => other.size - one.size);
    const shown = fullest.slice(0, SHOWN).map(([server, { size }]) => `${server} behind ${size}`);
    const rest = full.length > SHOWN ? `, and ${full.length - SHOWN} more` : "";
    return { subject: "servers", names: [], message: `${full.length} of them stand behind more than the ${most} instances that a machine may: ${shown.join(", ")}${rest}` };
}
