import { clbDocument } from "../../../provider/schema/documents";
import type { StackCheckResult, StackRule } from "../../rule";
import { type Settled, settledOf, Unknown } from "../../subjects";

/** The cloud forwards everything where a list has no entries, also where the list names those who may pass. */
export const emptyList: StackRule = {
    name: "exposure-empty-list",
    title: "An access control list that listeners use has entries: an empty one lets everybody in, also as a whitelist.",
    group: "exposure",
    severity: "high",
    level: "advisory",
    remedy: "Add entries to the list. Lists that the stack does not have cannot be looked into.",
    source: clbDocument("Configure an access control list"),
    stack: (stack) =>
        stack.listeners.flatMap(({ resource: listener }): Settled<StackCheckResult>[] => {
            const list = settledOf(() => (listener.get("aclStatus") === "on" ? stack.listOf(listener) : undefined));
            if (list instanceof Unknown) return [list];
            if (list === undefined || list.entries > 0) return [];
            const cause = `the listener uses the list ${list.resource.name} (${String(settledText(() => listener.get("aclType")))}), which has no entries, so that everybody is let in`;
            return [
                {
                    place: { subject: `listener ${listener.name}` },
                    names: [listener.name, list.resource.name],
                    cause,
                    urn: listener.urn,
                },
            ];
        }),
};

const settledText = (ask: () => string | undefined): string => {
    const value = settledOf(ask);
    return value instanceof Unknown || value === undefined ? "of unknown type" : value;
};
