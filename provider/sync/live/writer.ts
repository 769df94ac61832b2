/** The cluster's writes: statuses, events, conditions of pods. */
import { randomBytes } from "node:crypto";
import type { Client } from "../../kubernetes/client";
import { ClusterError } from "../../kubernetes";
import { redact } from "../../net";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../binding/spec";
import type { ClusterWriter } from "../ports";

/** Who records events. */
export const COMPONENT = "ack-loadbalancer-sync";

/** Longest message of an event, in characters. Source: Kubernetes, Event.message. */
const LONGEST_MESSAGE = 1024;

/** Writes through a client. What is gone meanwhile is left alone; a failed event is passed on to `failed` and stops nothing. */
export function clusterWriter(client: Client, identity: string, failed: (error: unknown) => void): ClusterWriter {
    return {
        async writeStatus({ metadata }, status) {
            const { namespace = "default", name } = metadata;
            const path = `/apis/${API_GROUP}/${API_VERSION}/namespaces/${namespace}/${BINDING_PLURAL}/${name}/status`;
            await unlessGone(
                client.mergePatch(`patch status of servergroupbinding ${namespace}/${name}`, path, { status }),
            );
        },
        async record({ apiVersion, kind, metadata }, { type, reason, message }) {
            const { namespace = "default", name, uid } = metadata;
            const now = new Date().toISOString();
            const event = {
                metadata: { name: `${name}.${randomBytes(8).toString("hex")}`, namespace },
                involvedObject: { apiVersion, kind, namespace, name, uid },
                type,
                reason,
                message: redact(message).slice(0, LONGEST_MESSAGE),
                source: { component: COMPONENT },
                reportingComponent: COMPONENT,
                reportingInstance: identity,
                firstTimestamp: now,
                lastTimestamp: now,
                count: 1,
            };
            try {
                await client.create(
                    `create event of ${kind} ${namespace}/${name}`,
                    `/api/v1/namespaces/${namespace}/events`,
                    event,
                );
            } catch (error) {
                failed(error);
            }
        },
        async setCondition({ metadata }, condition) {
            const { namespace = "default", name, uid } = metadata;
            await unlessGone(
                client.strategicPatch(
                    `patch status of pod ${namespace}/${name}`,
                    `/api/v1/namespaces/${namespace}/pods/${name}/status`,
                    {
                        metadata: { uid },
                        status: { conditions: [{ ...condition, lastTransitionTime: new Date().toISOString() }] },
                    },
                ),
            );
        },
    };
}

/** An object that is gone, or that was made anew under its name, needs no write. */
async function unlessGone(write: Promise<unknown>): Promise<void> {
    try {
        await write;
    } catch (error) {
        if (!(error instanceof ClusterError && (error.kind === "not-found" || error.kind === "conflict"))) throw error;
    }
}
