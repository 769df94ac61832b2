/** User-managed objects, and those of other Services, on the instance that a Service uses. */

import { isOwnershipKey, sameOwner } from "../model/names";
import type { Bundle } from "./gather";
import { numberOf, recordOf, recordsOf, textOf } from "./step";

/** Listeners and server groups of the instance that are not the Service's own, as the contract recorded them; only a reused instance has any. */
export function userManagedOf({ contract, reused }: Bundle): string[] {
    const reuse = recordOf((contract?.after ?? contract?.before)?.inputs, "reuse");
    const found = recordOf(reuse, "found");
    const owner = textOf((reused?.after ?? reused?.before)?.inputs, "owner");
    if (found === undefined || owner === undefined) return [];
    const listeners = recordsOf(found, "listeners").flatMap((listener) => {
        const description = textOf(listener, "description");
        const [protocol, port] = [textOf(listener, "protocol"), numberOf(listener, "port")];
        if (protocol === undefined || port === undefined || sameOwner(description, owner)) return [];
        return [`listener ${protocol}:${port}${aboutOf(description)}`];
    });
    const groups = recordsOf(found, "serverGroups").flatMap((group) => {
        const [id, name] = [textOf(group, "id"), textOf(group, "name")];
        return id === undefined || sameOwner(name, owner) ? [] : [`server group ${id}${aboutOf(name)}`];
    });
    return [...listeners, ...groups];
}

const aboutOf = (text: string | undefined): string =>
    text === undefined ? "" : isOwnershipKey(text) ? ` (of another Service: ${text})` : ` (${text})`;
