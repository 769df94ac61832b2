import type { Action } from "../actions";
import type { JsonObject } from "../core";
import type { World } from "../world";
import { findListener } from "./common";
import { nlbReads } from "./jobs";
import type { NlbServer } from "./state";

/** Names of this API for the states that a test gives to a server. */
const STATES: Readonly<Record<string, string>> = { abnormal: "Unhealthy", unavailable: "Unavailable" };

/** The server's state, or undefined if it is healthy: the API lists only servers that are not. */
function trouble(world: World, s: NlbServer): JsonObject | undefined {
    const state = STATES[world.slb.health.get(s.serverIp) ?? world.slb.health.get(s.serverId) ?? "normal"];
    return state === undefined
        ? undefined
        : {
              ServerId: s.serverId,
              ServerIp: s.serverIp,
              Port: s.port,
              Status: state,
              Reason: { ReasonCode: "CONNECT_TIMEOUT" },
          };
}

export const healthActions: readonly Action[] = [
    nlbReads("GetListenerHealthStatus", { ListenerId: { required: true } }, (p, world) => {
        const listener = findListener(world, p.need("ListenerId"));
        const group = world.nlb.serverGroups.get(listener.serverGroupId);
        const servers = (group?.servers ?? []).map((s) => trouble(world, s)).filter((s) => s !== undefined);
        const info = {
            ServerGroupId: listener.serverGroupId,
            // The API spells this key without the l.
            HeathCheckEnabled: group?.healthCheck.HealthCheckEnabled ?? false,
            NonNormalServers: group?.healthCheck.HealthCheckEnabled === true ? servers : [],
        };
        const row = {
            ListenerId: listener.id,
            ListenerPort: String(listener.port),
            ListenerProtocol: listener.protocol,
            ServerGroupInfos: [info],
        };
        return { ListenerHealthStatus: [row], TotalCount: 1, MaxResults: 20, NextToken: "" };
    }),
];
