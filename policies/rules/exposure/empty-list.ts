import { z } from "zod";
import { clbDocument } from "../../../provider/schema/documents";
import type { StackCheckResult, StackRule } from "../../rule";
import { type ResourceSubject, type Settled, settledOf, type StackSubject, Unknown } from "../../subjects";

/** The cloud forwards all traffic where an ACL has no entries, even where the ACL is a whitelist. */
export const emptyList: StackRule = {
    name: "exposure-empty-list",
    title: "An access control list that listeners use has entries: an empty one allows all traffic, even as a whitelist.",
    group: "exposure",
    severity: "high",
    level: "advisory",
    remedy: "Add entries to the list, and refresh the stack if the list is outside of it. Lists outside the stack are looked at when a Service names them for the first time, and in a refresh.",
    source: clbDocument("Configure an access control list"),
    stack: (stack) => [...ofStack(stack), ...stack.checkedLists.flatMap(outsideStack)],
};

function ofStack(stack: StackSubject): Settled<StackCheckResult>[] {
    return stack.listeners.flatMap(({ resource: listener }): Settled<StackCheckResult>[] => {
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
    });
}

const IDS = z.array(z.string());

/** Lists that a Service names by id, as they were when the stack looked at them. */
function outsideStack(checked: ResourceSubject): Settled<StackCheckResult>[] {
    const empty = settledOf(() => checked.get("empty", IDS) ?? []);
    if (empty instanceof Unknown) return [empty];
    return empty.map((id) => ({
        place: { subject: `Service ${checked.name}` },
        names: [checked.name, id],
        cause: `the Service uses the list ${id}, which had no entries when the stack looked at it, and therefore allows all traffic`,
        urn: checked.urn,
    }));
}

const settledText = (ask: () => string | undefined): string => {
    const value = settledOf(ask);
    return value instanceof Unknown || value === undefined ? "of unknown type" : value;
};
