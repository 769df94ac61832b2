import { notesDocument } from "../../../provider/annotations/sources";
import type { StackRule } from "../../rule";
import { limit, serversByInstance } from "./count";

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
        const reports = [...instances]
            .filter(([, found]) => found.size > most)
            .map(([server, found]) => ({
                subject: `server ${server}`,
                names: [server],
                message: `it stands behind ${found.size} instances, more than the ${most} that a machine may`,
            }));
        return [...reports, ...unknown];
    },
};
