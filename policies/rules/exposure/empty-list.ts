import { clbDocument } from "../../../provider/schema/documents";
import type { StackCheckResult, StackRule } from "../../rule";
import { type Settled, settledOf, Unknown } from "../../subjects";

/** The cloud forwards all traffic where an ACL has no entries, even where the ACL is a whitelist. */
export const emptyList: StackRule = {
    name: "exposure-empty-list",
    title: "An access control list that listeners use has entries: an empty one allows all traffic, even as a whitelist.",
    group: "exposure",
    severity: "high",
    level: "advisory",
    remedy: "Add entries to the list. Lists outside the stack are not checked.",
    source: clbDocument("Configure an access control list"),
    stack: (stack) =>
        stack.listeners.flatMap(({ resource: listener }): Settled<StackCheckResult>[] => {
            const list = settledOf(() => (listener.get("aclStatus") === "on" ? stack.listOf(listener) : undefined));
            if (list instanceof Unknown) return [list];
            if (list === undefined || list.entries > 0) return [];
            const cause = `the listener uses the list ${list.resource.name} (${String(settledText(() => listener.get("aclType")))}), which has no entries and therefore allows all traffic`;
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
