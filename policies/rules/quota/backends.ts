import { QUOTAS } from "../../../provider/quotas";
import { faqDocument } from "../../../provider/schema/documents";
import { LOAD_BALANCER_TYPES } from "../../../provider/schema/load-balancer-type";
import type { StackRule } from "../../rule";
import { type Limits, limitOf, limits, ofInstance, serversByInstance } from "./count";

const OPTIONS = limits({
    clb: [QUOTAS.clb.backends.limit, "Backends of one CLB, over all its groups."],
    nlb: [QUOTAS.nlb.backends.limit, "Servers and addresses behind one NLB, over all its groups."],
});

/** The backends of all Services on an instance count together. The cloud refuses more than the quota, and the backends of the Service are not updated from then on. */
export const backends: StackRule<Limits> = {
    name: "quota-backends",
    title: "An instance does not have more backends than the quota allows, over all Services that share it.",
    group: "quota",
    severity: "high",
    level: "advisory",
    remedy: "Use a separate instance for a Service; use externalTrafficPolicy Local, so that only nodes with pods count; or choose nodes with backend-label.",
    source: `${faqDocument("Service error messages and solutions")}; NLB quotas, nlb_quota_loadbalancer_noeci_servers_num`,
    options: OPTIONS,
    stack: (stack, config) =>
        LOAD_BALANCER_TYPES.flatMap((type) => {
            const { servers, unknown } = serversByInstance(stack, type);
            const most = limitOf(config, type);
            const full = [...servers].filter(([, members]) => members.length > most);
            return [
                ...full.map(([instance, members]) =>
                    ofInstance(
                        stack,
                        type,
                        instance,
                        `${members.length} backends are more than the ${most} that an instance takes`,
                    ),
                ),
                ...unknown,
            ];
        }),
};
