/** The members given inline with a server group: which calls follow from a change of them. */
import type { Client } from "../../sdk/client";
import { failed } from "../../sdk/errors";
import type { ResourceData } from "../../terraform/data";
import type { TfSet, Value, ValueMap } from "../../terraform/value";

/** Members per call. */
const step = 20;

interface Member {
    readonly key: string;
    readonly text: string;
}

/** Returns an entry for each server id, in the text that the API takes for JSON. */
function members(entries: Value[]): Member[] {
    return (entries as ValueMap[]).flatMap((entry) =>
        (entry["server_ids"] as string[]).map((id): Member => ({
            key: `${id}:${String(entry["port"])}`,
            text:
                `{'ServerId':'${id.trim()}','Port':'${String(entry["port"])}','Weight':'${String(entry["weight"])}', ` +
                `'Type': '${String(entry["type"]).trim()}'}`,
        })),
    );
}

/**
 * Returns slices of 20. A whole number of slices is followed by an empty slice. Its call goes out without the parameter
 * and repeats the slice before it, because the real plugin reuses its request.
 */
function slices(list: Member[]): string[] {
    const result: string[] = [];
    for (let i = 0; i < Math.floor(list.length / step) + 1; i++) {
        const part = list.slice(i * step, (i + 1) * step);
        result.push(part.length === 0 ? (result.at(-1) ?? "") : `[${part.map((member) => member.text).join(",")}]`);
    }
    return result;
}

/** Removes, adds and sets members, and sets the name. */
export async function updateServers(data: ResourceData, client: Client, file: string): Promise<void> {
    const call = async (action: string, line: number, parameters: Record<string, string>): Promise<void> => {
        try {
            await client.typed(action, { VServerGroupId: data.id, ...parameters });
        } catch (error) {
            throw failed(error, `${file}:${line}`, data.id, action);
        }
    };
    let kept = new Set<string>();
    const changed = data.hasChange("servers");
    if (changed) {
        const [before, after] = data.change("servers") as [TfSet, TfSet];
        const gone = members(before.difference(after).list());
        const come = members(after.difference(before).list());
        const [oldKeys, newKeys] = [new Set(gone.map((m) => m.key)), new Set(come.map((m) => m.key))];
        kept = new Set([...oldKeys].filter((key) => newKeys.has(key)));
        const removed = gone.filter((member) => !newKeys.has(member.key));
        const added = come.filter((member) => !oldKeys.has(member.key));
        if (removed.length > 0) await sendSlices("RemoveVServerGroupBackendServers", 247, removed);
        if (added.length > 0) await sendSlices("AddVServerGroupBackendServers", 289, added);
    }
    async function sendSlices(action: string, line: number, list: Member[]): Promise<void> {
        for (const BackendServers of slices(list)) {
            await call(action, line, { BackendServers });
            data.done("servers");
        }
    }
    const VServerGroupName = data.text("name");
    if (changed) {
        const stay = members((data.get("servers") as TfSet).list()).filter((member) => kept.has(member.key));
        for (const BackendServers of slices(stay)) {
            await call("SetVServerGroupAttribute", 345, { VServerGroupName, BackendServers });
            data.done("servers", "name");
        }
    } else if (data.hasChange("name")) {
        await call("SetVServerGroupAttribute", 358, { VServerGroupName });
        data.done("name");
    }
}
