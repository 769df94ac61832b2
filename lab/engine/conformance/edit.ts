import type { Edit, Json, JsonMap } from "./case";

/** Changes an exported state as a recording did by hand. */
export function applyEdit(d: { resources: JsonMap[] }, e: Edit): void {
    const at = d.resources.findIndex((r) => r["urn"] === e.urn);
    if (e.op === "remove") d.resources = d.resources.filter((r) => r["urn"] !== e.urn);
    else if (e.op === "copy")
        d.resources.push({ ...(JSON.parse(JSON.stringify(d.resources[at])) as JsonMap), ...e.changes });
    else if (e.op === "move-first") d.resources.unshift(...d.resources.splice(at, 1));
    else {
        let o = (e.urn === undefined ? d : d.resources[at]) as unknown as Record<string | number, Json>;
        const path = e.path ?? [];
        for (const k of path.slice(0, -1)) o = o[k] as unknown as Record<string | number, Json>;
        const last = path[path.length - 1] as string | number;
        if (e.value === null || e.value === undefined) delete o[last];
        else o[last] = e.value;
    }
}
