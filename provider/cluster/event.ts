import { randomBytes } from "node:crypto";
import { shortLine } from "../net";
import type { ObjectMeta } from "../service/objects";
import type { Client } from "./client";

export interface ClusterEvent {
    readonly type: "Normal" | "Warning";
    /** One of the Cloud Controller Manager's reasons, if it has one of the kind. Source: CCM, events on the Service. */
    readonly reason: string;
    readonly message: string;
}

export interface EventObject {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: Pick<ObjectMeta, "namespace" | "name" | "uid">;
}

/** Records an event. @param instance process of the component. Default: the component. */
export async function recordEvent(
    client: Client,
    { apiVersion, kind, metadata }: EventObject,
    { type, reason, message }: ClusterEvent,
    component: string,
    instance = component,
): Promise<void> {
    const { namespace = "default", name, uid } = metadata;
    const now = new Date().toISOString();
    await client.create(
        `create event of ${kind} ${namespace}/${name}`,
        ["api", "v1", "namespaces", namespace, "events"],
        {
            metadata: { name: `${name}.${randomBytes(8).toString("hex")}`, namespace },
            involvedObject: { apiVersion, kind, namespace, name, uid },
            type,
            reason,
            message: shortLine(message),
            source: { component },
            reportingComponent: component,
            reportingInstance: instance,
            firstTimestamp: now,
            lastTimestamp: now,
            count: 1,
        },
    );
}
