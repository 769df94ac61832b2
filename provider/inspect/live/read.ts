/** Reads one Service from cluster and cloud. */

import { z } from "zod";
import { groupBackends } from "../../backends";
import { buildClb, buildNlb } from "../../plan/desired";
import type { ClusterReader, ServiceObject } from "../../cluster";
import type { Client } from "../../cluster/client";
import { documentOf } from "../../service/manifests";
import { CCM_FINALIZERS, CCM_LABELS } from "../../service/controller";
import { type ParsedService, parseService, type Service } from "../../service/service";
import type { ClusterFacts } from "../../schema/facts";
import type { CloudAccess } from "../doctor/cloud";
import { readBindings } from "./bindings";
import { readCloud } from "./cloud";
import { chosenTypeOf, type InspectedGroup, type InspectedService, type LiveEvent } from "./model";

/** Clients of cluster and cloud. */
interface LiveReader {
    readonly cluster: ClusterReader;
    readonly client: Client;
    readonly access: CloudAccess;
}

/** Facts of an unknown cluster; like the rules, it assumes a vSwitch. */
const FACTS: ClusterFacts = { clusterId: "(unknown)", vswitches: ["(of the cluster)"] };

const EVENT = z.looseObject({
    type: z.string().default("Normal"),
    reason: z.string().default(""),
    message: z.string().default(""),
    count: z.number().nullish(),
    lastTimestamp: z.string().nullish(),
    eventTime: z.string().nullish(),
});

/** Reads a Service with its endpoints, events, bindings and load balancer; undefined if it does not exist. */
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

/** Parses a Service without the marks of another controller, which are no mistakes. */
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
    const build = service.loadBalancerType === "nlb" ? buildNlb : buildClb;
    return build(service, FACTS).serverGroups.map((group) => {
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
