import { z } from "zod";
import { clbDocument } from "../../../provider/schema/documents";
import type { StackCheckResult, Rule } from "../../rule";
import { stackRule } from "../../rule/make";
import { type ResourceSubject, type Settled, settledOf, type StackSubject, Unknown } from "../../subjects";

/** Requires entries in the ACLs of listeners: with an empty one, even a whitelist, the cloud forwards all traffic. */
export const emptyList: Rule = stackRule("exposure-empty-list", "high", "advisory", {
    title:
        "An access control list that listeners use has entries: an empty one allows all traffic, even as a " +
        "whitelist.",
    remedy:
        "Add entries to the list, and refresh the stack if the list is outside of it. Lists outside the stack are " +
        "looked at when a Service names them for the first time, and in a refresh.",
    source: clbDocument("Configure an access control list"),
    stack: (stack) => [...ofStack(stack), ...stack.checkedLists.flatMap(outsideStack)],
});

/** Returns the lists of the stack that listeners use and that have no entries. */
function ofStack(stack: StackSubject): Settled<StackCheckResult>[] {
    return stack.listeners.flatMap(({ resource: listener }): Settled<StackCheckResult>[] => {
        const list = settledOf(() => (listener.get("aclStatus") === "on" ? stack.listOf(listener) : undefined));
        if (list instanceof Unknown) return [list];
        if (list === undefined || list.entries > 0) return [];
        const type = settledOf(() => listener.get("aclType") ?? "of unknown type");
        const name = `${list.resource.name} (${type instanceof Unknown ? "of unknown type" : type})`;
        return [
            {
                place: { subject: `listener ${listener.name}` },
                names: [listener.name, list.resource.name],
                cause: `the listener uses the list ${name}, which has no entries and therefore allows all traffic`,
                urn: listener.urn,
            },
        ];
    });
}

const IDS = z.array(z.string());

/** Returns the empty ones of the lists that a Service names by id, as the stack saw them when it looked. */
function outsideStack(checked: ResourceSubject): Settled<StackCheckResult>[] {
    const empty = settledOf(() => checked.get("empty", IDS) ?? []);
    if (empty instanceof Unknown) return [empty];
    return empty.map((id) => ({
        place: { subject: `Service ${checked.name}` },
        names: [checked.name, id],
        cause:
            `the Service uses the list ${id}, which had no entries when the stack looked at it, and therefore ` +
            "allows all traffic",
        urn: checked.urn,
    }));
}
