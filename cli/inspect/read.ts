import { z } from "zod";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../../provider/sync/binding/spec";
import { SYNCED } from "../../provider/sync/binding/status";
import { groupBackends } from "../../provider/backends";
import { buildClb, buildNlb } from "../../provider/plan/desired";
import type { ClusterReader } from "../../provider/cluster";
import { type Client, unlessForbidden } from "../../provider/cluster/client";
import { documentOf } from "../../provider/service/manifests";
import { settingsInCode, withoutCcmMarks } from "../../provider/service/controller";
import { parseService } from "../../provider/service/service";
import { type CloudAccess, readCloud } from "./cloud";
import {
    chosenTypeOf,
    FACTS,
    type InspectedGroup,
    type InspectedService,
    type LiveBinding,
    type LiveEvent,
} from "./model";

export interface LiveReader {
    readonly cluster: ClusterReader;
    readonly client: Client;
    readonly access: CloudAccess;
}

const EVENT = z.object({
    type: z.string().default("Normal"),
    reason: z.string().default(""),
    message: z.string().default(""),
    count: z.number().nullish(),
    lastTimestamp: z.string().nullish(),
    eventTime: z.string().nullish(),
});

/** Reads a Service with its endpoints, events, bindings and load balancer, or undefined if it does not exist. */
export async function inspectService({ cluster, client, access }: LiveReader, namespace: string, name: string) {
    const object = await cluster.getService(namespace, name);
    if (object === undefined) return undefined;
    // The marks of another controller are no mistakes.
    const own = { ...withoutCcmMarks(object), kind: "Service", apiVersion: "v1" };
    const { service, diagnostics } = parseService(documentOf(own, { observed: true }), FACTS, settingsInCode(object));
    const type = service?.loadBalancerType ?? chosenTypeOf(object);
    const build = type === "nlb" ? buildNlb : buildClb;
    const model = service === undefined ? undefined : build(service, FACTS);
    const selector = object.spec?.selector ?? {};
    const [nodes, slices, pods, events, bindings, cloud] = await Promise.all([
        cluster.listNodes(),
        cluster.listEndpointSlices(namespace, name),
        cluster.listPods(namespace, selector),
        readEvents(client, namespace, name),
        readBindings(client, namespace, name),
        readCloud(access, { object, type, settings: service?.settings ?? {}, model }),
    ]);
    const view = { nodes, endpointSlices: slices };
    const desired =
        service === undefined
            ? []
            : (model?.serverGroups ?? []).map((group): InspectedGroup => {
                  const { notes, ...found } = groupBackends(service, group, FACTS, view);
                  return { model: group, ...found, notes: notes.map(({ cause }) => cause) };
              });
    const deployments = pods.length > 0 ? [] : await readDeployments(client, namespace, selector);
    const found = { nodes, slices, pods, events, bindings, deployments };
    return { object, service, diagnostics, model, type, ...found, desired, cloud } satisfies InspectedService;
}

const LABELLED = z.object({ labels: z.record(z.string(), z.string()).default({}) });
const DEPLOYMENT = z.object({
    metadata: z.object({ name: z.string() }),
    spec: z.object({
        replicas: z.number().default(1),
        template: z.object({ metadata: LABELLED.optional() }),
    }),
});

/** Returns the Deployments whose pods a selector finds, none if they may not be read. */
async function readDeployments(client: Client, namespace: string, selector: Readonly<Record<string, string>>) {
    const path = ["apis", "apps", "v1", "namespaces", namespace, "deployments"];
    const all = await unlessForbidden(client.list(`list deployments of ${namespace}`, path, DEPLOYMENT));
    const selected = Object.entries(selector);
    const isSelected = ({ labels }: z.output<typeof LABELLED> = { labels: {} }): boolean =>
        selected.length > 0 && selected.every(([key, value]) => labels[key] === value);
    return (all ?? [])
        .filter(({ spec }) => isSelected(spec.template.metadata))
        .map(({ metadata, spec }) => ({ name: metadata.name, replicas: spec.replicas }));
}

async function readEvents(client: Client, namespace: string, name: string): Promise<LiveEvent[]> {
    const events = await client.list(
        `list events of ${namespace}/${name}`,
        ["api", "v1", "namespaces", namespace, "events"],
        EVENT,
        { fieldSelector: { "involvedObject.kind": "Service", "involvedObject.name": name } },
    );
    return events
        .map(({ lastTimestamp, eventTime, ...event }) => ({ ...event, at: lastTimestamp ?? eventTime ?? "" }))
        .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
        .map(({ type, count, ...event }) => ({ ...event, warning: type === "Warning", count: count ?? 1 }));
}

const GROUPS = z.object({ groups: z.array(z.object({ name: z.string() })) });

const CONDITION = z.object({ type: z.string(), status: z.string(), reason: z.string(), message: z.string() });
const BINDING = z.object({
    metadata: z.object({ name: z.string() }),
    spec: z.object({ serviceName: z.string().optional() }).optional(),
    status: z.object({ conditions: z.array(CONDITION).default([]) }).optional(),
});

/** True if ServerGroupBindings are installed. The path of an unknown group answers no JSON, the list of groups does. */
export async function knowsBindings(client: Client): Promise<boolean> {
    const answer = await client.get("list the API groups", ["apis"], GROUPS);
    return answer?.groups.some(({ name }) => name === API_GROUP) === true;
}

/** Returns the bindings of a Service, none if they are not installed, or undefined if they may not be read. */
async function readBindings(client: Client, namespace: string, service: string): Promise<LiveBinding[] | undefined> {
    const path = ["apis", API_GROUP, API_VERSION, "namespaces", namespace, BINDING_PLURAL];
    const known = await unlessForbidden(knowsBindings(client));
    if (known !== true) return known === false ? [] : undefined;
    const found = await unlessForbidden(client.list(`list bindings of ${namespace}`, path, BINDING));
    return found
        ?.filter(({ spec }) => spec?.serviceName === service)
        .map(({ metadata, status }) => {
            const condition = status?.conditions.find(({ type }) => type === SYNCED);
            const { reason = "Unknown", message = "the sync controller has not looked at it yet" } = condition ?? {};
            return { name: metadata.name, synced: condition?.status === "True", reason, message };
        });
}
