import type { JsonObject } from "../core";
import type { Backend } from "./state";

/** A backend as the API answers it. */
export function backendView(backend: Backend): JsonObject {
    return {
        ServerId: backend.serverId,
        Port: backend.port,
        Weight: backend.weight,
        Type: backend.type,
        ServerIp: backend.serverIp,
        Description: backend.description,
    };
}
