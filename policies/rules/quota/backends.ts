import { faqDocument } from "../../../provider/annotations/sources";
import type { StackRule } from "../../rule";
import { limit, ofInstance, serversByInstance } from "./count";

/** All backends of all Services on an instance are summed up. The cloud refuses what is too many, and the Service is no longer followed from then on. */
export const backends: StackRule = {
    name: "quota-backends",
    title: "An instance has room for the backends of all Services that share it.",
    group: "quota",
    severity: "high",
    level: "advisory",
    remedy: "Give a Service an instance of its own; use externalTrafficPolicy Local, so that only nodes with pods count; or choose nodes with backend-label.",
    source: faqDocument("Service error messages and solutions"),
    options: limit(200, "Backends of one instance, over all its groups."),
    stack: (stack, config) => {
        const { servers, unknown } = serversByInstance(stack);
        const most = Number(config["limit"]);
        const full = [...servers].filter(([, members]) => members.length > most);
        return [...full.map(([instance, members]) => ofInstance(stack, instance, `${members.length} backends are more than the ${most} that an instance takes`)), ...unknown];
    },
};
