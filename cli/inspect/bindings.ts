/** ServerGroupBindings of the cluster. */

import { z } from "zod";
import { ClusterError } from "../../provider/cluster";
import type { Client } from "../../provider/cluster/client";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../../provider/sync/binding/spec";
import { SYNCED } from "../../provider/sync/binding/status";

const GROUPS = z.looseObject({ groups: z.array(z.looseObject({ name: z.string() })) });

const BINDING = z.looseObject({
    metadata: z.looseObject({ name: z.string() }),
    spec: z.looseObject({ serviceName: z.string().optional() }).optional(),
    status: z
        .looseObject({
            conditions: z
                .array(z.looseObject({ type: z.string(), status: z.string(), reason: z.string(), message: z.string() }))
                .default([]),
        })
        .optional(),
});

/** Condition of a server group that the sync controller manages. */
export interface LiveBinding {
    readonly name: string;
    readonly synced: boolean;
    readonly reason: string;
    readonly message: string;
}

/** True if ServerGroupBindings are installed. The path of an unknown group answers no JSON, the list of groups does. */
export async function knowsBindings(client: Client): Promise<boolean> {
    const answer = await client.get("list the API groups", "/apis", GROUPS);
    return answer?.groups.some(({ name }) => name === API_GROUP) === true;
}

/** Returns the bindings of a Service; none if they are not installed, undefined if they may not be read. */
export async function readBindings(
    client: Client,
    namespace: string,
    service: string,
): Promise<LiveBinding[] | undefined> {
    const path = `/apis/${API_GROUP}/${API_VERSION}/namespaces/${encodeURIComponent(namespace)}/${BINDING_PLURAL}`;
    try {
        if (!(await knowsBindings(client))) return [];
        const found = await client.list(`list bindings of ${namespace}`, path, BINDING);
        return found
            .filter(({ spec }) => spec?.serviceName === service)
            .map(({ metadata, status }) => {
                const condition = status?.conditions.find(({ type }) => type === SYNCED);
                return {
                    name: metadata.name,
                    synced: condition?.status === "True",
                    reason: condition?.reason ?? "Unknown",
                    message: condition?.message ?? "the sync controller has not looked at it yet",
                };
            });
    } catch (error) {
        if (error instanceof ClusterError && error.kind === "forbidden") return undefined;
        throw error;
    }
}
