/** Edits of a Service that its stack has applied. */

import { isMapping } from "../../provider/diagnostics";
import { notesDocument } from "../../provider/schema/documents";
import { STACK_ANNOTATION } from "../../provider/service/controller";
import { managedGroups } from "../inspect/groups";
import { type InspectedService, loadBalancerManagerOf } from "../inspect/model";
import { drifted, type Examine, some } from "./explanation";

export interface Edit {
    readonly field: string;
    readonly by: string;
    /** ISO 8601, absent if unknown. */
    readonly time: string | undefined;
}

/** Returns fields that somebody else has set since the stack applied the Service, as the API server records them. */
export function editedFields(live: InspectedService): Edit[] {
    const { object } = live;
    if (loadBalancerManagerOf(object).kind !== "stack") return [];
    const entries = (object.metadata.managedFields ?? [])
        .filter(({ subresource }) => (subresource ?? "") === "")
        .map(({ manager: by = "?", time, fieldsV1 }) => ({ by, time, fields: pathsOf(fieldsV1) }));
    const isOfStack = ({ fields }: (typeof entries)[number]) =>
        fields.includes(`metadata.annotations.${STACK_ANNOTATION}`);
    const applied = new Set(entries.filter(isOfStack).flatMap(({ fields }) => fields));
    // Without its own record nothing tells an edit from what a stack has applied.
    if (applied.size === 0) return [];
    // A run follows a nodePort that its manifest leaves open: the groups are named after it.
    const isFollowed = managedGroups(live).every(({ group, name }) => group.name === name);
    return entries.flatMap(({ by, time, fields }) =>
        fields
            .filter((field) => EDITABLE.test(field) && !applied.has(field))
            .filter((field) => !(isFollowed && field.endsWith(".nodePort")))
            .map((field) => ({ field, by, time })),
    );
}

/** Reports edits of a Service by their authors. */
export const edits: Examine = (live) => {
    const manager = loadBalancerManagerOf(live.object);
    if (manager.kind !== "stack") return undefined;
    return [...Map.groupBy(editedFields(live), ({ by, time }) => `${by} ${time}`).values()].flatMap((all) => {
        const [first] = all;
        if (first === undefined) return [];
        const { by, time } = first;
        const fields = all.map(({ field }) => field);
        return drifted(
            "drift",
            `the Service was edited by ${by}: ${some(fields)}`,
            [`managedFields of the Service: ${by} set ${fields.join(", ")}${time === undefined ? "" : ` at ${time}`}`],
            `run pulumi up --refresh in ${manager.stack}: it sets back what the stack's manifest states. Remove what ` +
                "the manifest does not state, or state it there",
            notesDocument("Notes on CCM-managed load balancers"),
        );
    });
};

/** Fields that decide about traffic. */
const EDITABLE = new RegExp(
    String.raw`^spec\.(?:selector|ports|externalTrafficPolicy|loadBalancer)|` +
        String.raw`^metadata\.annotations\.(?:service\.|ack-loadbalancer\.io/settings)`,
);

/** Formats the keys of an item: `80/TCP` for `{"port":80,"protocol":"TCP"}`. */
const valuesOf = (keys: string): string => Object.values(JSON.parse(keys) as object).join("/");

/** Returns the paths of a set of fields: `f:` is a field, `k:` an item of a list by its keys, `.` the parent itself. */
function pathsOf(fields: unknown, parent = ""): string[] {
    if (!isMapping(fields)) return [];
    return Object.entries(fields).flatMap(([key, inner]) => {
        if (key === ".") return [];
        const name = key.startsWith("k:") ? valuesOf(key.slice(2)) : key.replace(/^[fv]:/, "");
        const path = key.startsWith("f:") ? `${parent === "" ? "" : `${parent}.`}${name}` : `${parent}[${name}]`;
        const within = pathsOf(inner, path);
        return within.length === 0 ? [path] : within;
    });
}
