/** Changes in the simulated cloud that Pulumi does not know of. */
import assert from "node:assert/strict";
import type { Session } from "../../lab";
import { type CloudBackend, stateOf } from "./world";

/** Sets the weight of the first backend of a Service's vServer group to 77; returns the group's id and the backend as it was. */
export async function changeWeight(
    session: Session,
    service: string,
): Promise<{ readonly groupId: string; readonly backend: CloudBackend }> {
    const group = (await stateOf(session)).slb.vServerGroups.find(({ name }) => name.includes(`/${service}/`));
    const backend = group?.backends[0];
    assert.ok(group && backend);
    const servers = [
        {
            ServerId: backend.serverId,
            Port: String(backend.port),
            Weight: "77",
            Type: backend.type,
            Description: backend.description,
        },
    ];
    await session.cloud("/_console", {
        action: "SetVServerGroupAttribute",
        params: { VServerGroupId: group.id, BackendServers: JSON.stringify(servers) },
        as: "other",
    });
    return { groupId: group.id, backend };
}
