import { nodePortClaims } from "../../../provider/kubernetes/service/ports";
import { notesDocument } from "../../../provider/schema/documents";
import type { StackCheckResult, StackRule } from "../../rule";
import { type Settled, settledOf, Unknown } from "../../subjects";
import { defined } from "../../../provider/schema/defined";

/** The API server gives a node port to one Service and refuses the other, in the middle of the run. */
export const nodePortTwice: StackRule = {
    name: "backends-node-port-twice",
    title: "No two Services of a cluster name the same node port.",
    group: "backends",
    severity: "high",
    level: "mandatory",
    remedy: "Name another node port for one of the two, or let Kubernetes choose.",
    source: notesDocument("Backend server group"),
    stack: (stack) => {
        const claimed = new Map<string, string>();
        return stack.services.flatMap(({ service, urn }): Settled<StackCheckResult>[] => {
            const settled = settledOf(() => ({ name: service.name, ports: service.ports }));
            if (settled instanceof Unknown) return [settled];
            const { name, ports } = settled;
            return nodePortClaims(ports).flatMap((claim) => {
                const key = `${service.facts.clusterId} ${claim}`;
                const other = claimed.get(key) ?? name;
                claimed.set(key, other);
                if (other === name) return [];
                const { at } = service;
                return [
                    {
                        place: { subject: `Service ${name}`, ...defined({ position: at }) },
                        names: [name, other],
                        cause: `node port ${claim} is that of Service ${other} as well`,
                        ...defined({ urn }),
                    },
                ];
            });
        });
    },
};
