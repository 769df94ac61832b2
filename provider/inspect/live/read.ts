/** Reads one Service from cluster and cloud. */

import { z } from "zod";
import { groupBackends } from "../../backend";
import { buildClb, buildNlb } from "../../builder";
import { type ClusterReader, ClusterError, type ServiceObject } from "../../kubernetes";
import type { Client } from "../../kubernetes/client";
import { documentOf } from "../../kubernetes/manifests";
import { CCM_FINALIZERS, CCM_LABELS } from "../../kubernetes/service/controller";
import { type ParsedService, parseService, type Service } from "../../kubernetes/service/service";
import { knowsBindings } from "./installed";
import { chosenTypeOf } from "./kind";
import type { ClusterFacts } from "../../schema/facts";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../../sync/binding/spec";
import { SYNCED } from "../../sync/binding/status";
import type { CloudAccess } from "../doctor/cloud";
import { readCloud } from "./cloud";
import type { InspectedGroup, LiveBinding, LiveEvent, InspectedService } from "./model";

/** How cluster and cloud are reached. */
export interface LiveReader {
    readonly cluster: ClusterReader;
    readonly client: Client;
    readonly access: CloudAccess;
}

/** Nothing is known of the cluster but what the API server says; a vSwitch is taken to be there, as rules do. */
const FACTS: ClusterFacts = { clusterId: "(unknown)", vswitches: ["(of the cluster)"] };

const EVENT = z.looseObject({
    type: z.string().default("Normal"),
    reason: z.string().default(""),
    message: z.string().default(""),
    count: z.number().nullish(),
    lastTimestamp: z.string().nullish(),
    eventTime: z.string().nullish(),
});

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

/** The Service with everything that explains it; undefined if the cluster has none of this name. */
export async function inspectService(
    reader: LiveReader,
    namespace: string,
    name: string,
): Promise<InspectedService | undefined> {
    const { cluster, client, access } = reader;
    const object = await cluster.getService(namespace, name);
    if (object === undefined) return undefined;
    const { service, diagnostics } = read(object);
    const type = service?.loadBalancerType ?? chosenTypeOf(object);
    const [nodes, slices, pods, events, bindings, cloud] = await Promise.all([
        cluster.listNodes(),
        cluster.listEndpointSlices(namespace, name),
        cluster.listPods(namespace, object.spec?.selector ?? {}),
        readEvents(client, namespace, name),
        readBindings(client, namespace, name),
        readCloud(access, { object, type, settings: service?.settings ?? {} }),
    ]);
    const desired = service === undefined ? [] : desiredOf(service, { nodes, endpointSlices: slices });
    return { object, service, diagnostics, type, nodes, slices, pods, events, bindings, desired, cloud };
}

/** What another controller leaves on a Service says who manages it, and not that something is wrong. */
function read(object: ServiceObject): ParsedService {
    const { finalizers = [], labels = {}, ...metadata } = object.metadata;
    const own = {
        ...metadata,
        finalizers: finalizers.filter((finalizer) => !CCM_FINALIZERS.includes(finalizer)),
        labels: Object.fromEntries(Object.entries(labels).filter(([label]) => !CCM_LABELS.includes(label))),
    };
    return parseService(
        documentOf({ ...object, kind: "Service", apiVersion: "v1", metadata: own }, { observed: true }),
        FACTS,
    );
}

function desiredOf(service: Service, view: Parameters<typeof groupBackends>[3]): InspectedGroup[] {
    const groups =
        service.loadBalancerType === "nlb"
            ? buildNlb(service, FACTS).serverGroups
            : buildClb(service, FACTS).serverGroups;
    return groups.map((group) => {
        const { backends, notes } = groupBackends(service, group, FACTS, view);
        return {
            key: group.key,
            ports: group.ports.map(({ protocol, port }) => `${protocol.toLowerCase()}:${port}`),
            backends,
            notes: notes.map(({ cause }) => cause),
        };
    });
}

async function readEvents(client: Client, namespace: string, name: string): Promise<LiveEvent[]> {
    const events = await client.list(
        `list events of ${namespace}/${name}`,
        `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`,
        EVENT,
        { fieldSelector: `involvedObject.kind=Service,involvedObject.name=${name}` },
    );
    return events
        .map((event) => ({ ...event, at: event.lastTimestamp ?? event.eventTime ?? "" }))
        .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
        .map(({ type, reason, message, count }) => ({
            warning: type === "Warning",
            reason,
            message,
            count: count ?? 1,
        }));
}

/** None where the sync controller is not installed, or this user may not look. */
async function readBindings(client: Client, namespace: string, service: string): Promise<LiveBinding[]> {
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
        if (error instanceof ClusterError && error.kind === "forbidden") return [];
        throw error;
    }
}
