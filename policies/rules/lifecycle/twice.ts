import { settledOf, type Settled, Unknown } from "../../subjects";
import type { StackCheckResult, StackRule } from "../../rule";
import { defined } from "../../../provider/schema/defined";

/** Of two manifests of one Service the one that is applied last wins, and the order is not defined. */
export const twice: StackRule = {
    name: "lifecycle-twice",
    title: "A Service is defined once in a program or in a folder of manifests.",
    group: "lifecycle",
    severity: "high",
    level: "mandatory",
    remedy: "Remove one of the two definitions.",
    source: "Kubernetes names are unique in their namespace",
    stack: (stack) => {
        const seen = new Set<string>();
        return stack.services.flatMap(({ service, urn }): Settled<StackCheckResult>[] => {
            const name = settledOf(() => service.name);
            if (name instanceof Unknown) return [name];
            const key = `${service.facts.clusterId} ${name}`;
            if (!seen.has(key)) {
                seen.add(key);
                return [];
            }
            const { at } = service;
            return [
                {
                    place: { subject: `Service ${name}`, ...defined({ position: at }) },
                    names: [name],
                    cause: "the Service is defined twice",
                    ...defined({ urn }),
                },
            ];
        });
    },
};
