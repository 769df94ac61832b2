import { z } from "zod";
import { notesDocument } from "../../../provider/schema/documents";
import type { StackCheckResult, StackRule } from "../../rule";
import { divide, tenantsOf } from "./tenants";
import { defined } from "../../../provider/schema/defined";

const OPTIONS = z.object({
    others: z
        .array(z.string())
        .default([])
        .describe(
            "Services of other stacks on shared instances, each as `<id of the instance> <id of the cluster> <namespace>/<name>`.",
        ),
});

/** Listeners and server groups are named after namespace and name; on a shared instance those of two clusters could not be distinguished. */
export const names: StackRule<typeof OPTIONS> = {
    name: "reuse-names",
    title: "Services of different clusters on one instance differ in namespace or name.",
    group: "reuse",
    severity: "high",
    level: "mandatory",
    remedy: "Give one of the Services another name or namespace.",
    source: notesDocument("Which load balancers can be reused?"),
    options: OPTIONS,
    stack: (stack, config) => {
        const { known, unknown } = divide(tenantsOf(stack));
        const elsewhere = config.others
            .map((text) => text.split(/\s+/))
            .map(([id = "", clusterId = "", service = ""]) => ({
                instance: stack.nameOfInstance(id),
                clusterId,
                service,
            }));
        const reports = known.flatMap((tenant, index): StackCheckResult[] => {
            const twin = [...elsewhere, ...known.slice(0, index)].find(
                (other) =>
                    other.instance === tenant.instance &&
                    other.service === tenant.service &&
                    other.clusterId !== tenant.clusterId,
            );
            if (twin === undefined) return [];
            const cause = `load balancer ${tenant.instance} serves a Service of this namespace and name in cluster ${twin.clusterId} as well as in ${tenant.clusterId}`;
            return [
                {
                    place: { subject: `Service ${tenant.service}` },
                    names: [tenant.service],
                    cause,
                    ...defined({ urn: tenant.urn }),
                },
            ];
        });
        return [...reports, ...unknown];
    },
};
