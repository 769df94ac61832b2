import { z } from "zod";
import { API_GROUP, API_VERSION, BINDING_PLURAL } from "../../provider/sync/binding/spec";
import { SYNCED } from "../../provider/sync/binding/status";
import { groupBackends, isVirtualNode } from "../../provider/backends";
import { buildClb, buildNlb, groupName } from "../../provider/plan/desired";
import { isAddress } from "../../provider/schema/backend";
import { sameService } from "../../provider/schema/names";
import type { ClusterReader } from "../../provider/cluster";
import { type Client, unlessForbidden } from "../../provider/cluster/client";
import type { Discovery } from "../../provider/cluster/discovery";
import { byText, defined } from "../../provider/schema/defined";
import { documentOf } from "../../provider/service/manifests";
import { managerOf, settingsInCode, withoutCcmMarks } from "../../provider/service/controller";
import type { ServiceObject } from "../../provider/service/objects";
import { nodePortIn } from "../../provider/service/ports";
import { parseService } from "../../provider/service/service";
import { type CloudAccess, readCloud } from "./cloud";
import type { StackConfiguration } from "./configuration";
import type { Leader } from "./lease";
import { type BackendKind, factsOf, type SeenFacts, UNKNOWN_CLUSTER } from "./facts";
import { markOf, ownerOf } from "./groups";
import { chosenTypeOf, type InspectedGroup, type InspectedService, type LiveBinding, type LiveEvent } from "./model";

export interface LiveReader {
    readonly cluster: ClusterReader;
    readonly client: Client;
    readonly access: CloudAccess;
    readonly discovery: () => Promise<Discovery>;
    readonly leader: () => Promise<Leader | undefined>;
    /** Returns the configuration of a stack, `project/stack`, or undefined if it was not found. */
    readonly configurationOf: (stack: string) => StackConfiguration | undefined;
}

const EVENT = z.object({
    type: z.string().default("Normal"),
    reason: z.string().default(""),
    message: z.string().default(""),
    count: z.number().nullish(),
    lastTimestamp: z.string().nullish(),
    eventTime: z.string().nullish(),
    reportingComponent: z.string().nullish(),
    source: z.object({ component: z.string().nullish() }).nullish(),
    involvedObject: z.object({ uid: z.string().optional() }).optional(),
});

/** Reads a Service with its endpoints, events, bindings and load balancer, or undefined if it does not exist. */
export async function inspectService(reader: LiveReader, namespace: string, name: string) {
    const { cluster, client, access } = reader;
    const [object, discovery] = await Promise.all([cluster.getService(namespace, name), reader.discovery()]);
    if (object === undefined) return undefined;
    const manager = managerOf(object);
    const configuration = manager.kind === "stack" ? reader.configurationOf(manager.stack) : undefined;
    const sources = { discovery, configuration, settings: {}, named: [], members: [] };
    // Neither type nor what is read of the cloud depends on the facts that are not known yet.
    const { service: asked, model: about, type } = readModel(object, factsOf(sources));
    const selector = object.spec?.selector ?? {};
    const [nodes, slices, pods, events, bindings, leader, cloud] = await Promise.all([
        cluster.listNodes(),
        cluster.listEndpointSlices(namespace, name),
        cluster.listPods(namespace, selector),
        readEvents(client, object),
        readBindings(client, namespace, name),
        reader.leader(),
        readCloud(access, { object, type, settings: asked?.settings ?? {}, model: about }),
    ]);
    const kinds = backendKindsOf({ object, service: asked, type, cloud, nodes });
    const seen = factsOf({ ...sources, settings: asked?.settings ?? {}, binding: bindings?.[0]?.facts, ...kinds });
    const judged = readModel(object, seen);
    const deployments = pods.length > 0 ? [] : await readDeployments(client, namespace, selector);
    const found = { nodes, slices, pods, events, bindings, leader, deployments, cloud, seen };
    const desired = backendsOf(judged, found);
    const clusterId = configuration?.ofManifests === true ? discovery.clusterId : undefined;
    return { object, ...judged, ...found, desired, clusterId, now: Date.now() } satisfies InspectedService;
}

/** Returns the server groups of a valid Service with the backends that the cluster gives them. */
const backendsOf = (
    { service, model }: Pick<InspectedService, "service" | "model">,
    { nodes, slices, seen }: Pick<InspectedService, "nodes" | "slices" | "seen">,
): InspectedGroup[] =>
    (model?.serverGroups ?? []).flatMap((group) => {
        if (service === undefined) return [];
        const { notes, ...found } = groupBackends(service, group, seen.facts, { nodes, endpointSlices: slices });
        return { model: group, ...found, notes: notes.map(({ cause }) => cause) };
    });

/** Reads a Service of the cluster by these facts, and builds its model. */
function readModel(object: ServiceObject, { facts }: Pick<SeenFacts, "facts">) {
    // The marks of another controller are no mistakes.
    const own = { ...withoutCcmMarks(object), kind: "Service", apiVersion: "v1" };
    const { service, diagnostics } = parseService(documentOf(own, { observed: true }), facts, settingsInCode(object));
    const type = service?.loadBalancerType ?? chosenTypeOf(object);
    const model = service && (type === "nlb" ? buildNlb : buildClb)(service, facts);
    return { service, diagnostics, type, model };
}

const LABELLED = z.object({ labels: z.record(z.string(), z.string()).default({}) });
const DEPLOYMENT = z.object({
    metadata: z.object({ name: z.string() }),
    spec: z.object({ replicas: z.number().default(1), template: z.object({ metadata: LABELLED.optional() }) }),
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

/** Reads the events of a Service. Those of a former Service of this name are about another load balancer. */
async function readEvents(client: Client, { metadata }: ServiceObject): Promise<LiveEvent[]> {
    const { namespace = "default", name, uid = "" } = metadata;
    const events = await client.list(
        `list events of ${namespace}/${name}`,
        ["api", "v1", "namespaces", namespace, "events"],
        EVENT,
        { fieldSelector: { "involvedObject.kind": "Service", "involvedObject.name": name } },
    );
    return events
        .filter(({ involvedObject }) => [undefined, "", uid].includes(involvedObject?.uid))
        .map(({ type, reason, message, count, lastTimestamp, eventTime, reportingComponent, source }) => ({
            warning: type === "Warning",
            reason,
            message,
            count: count ?? 1,
            at: lastTimestamp ?? eventTime ?? "",
            component: (reportingComponent || source?.component) ?? "",
        }))
        .sort((a, b) => byText(b.at, a.at));
}

const GROUPS = z.object({ groups: z.array(z.object({ name: z.string() })) });

const CONDITION = z.object({ type: z.string(), status: z.string(), reason: z.string(), message: z.string() });
const BINDING = z.object({
    metadata: z.object({ name: z.string() }),
    spec: z
        .object({
            serviceName: z.string().optional(),
            serverGroup: z.object({ id: z.string() }).optional().catch(undefined),
            backendType: z.enum(["ecs", "eni"]).optional().catch(undefined),
            compatibility: z.string().optional().catch(undefined),
            vpcCidrs: z.array(z.string()).optional().catch(undefined),
        })
        .optional(),
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
        .map(({ metadata, spec: { serverGroup, backendType, compatibility, vpcCidrs } = {}, status }) => {
            const groupId = serverGroup?.id;
            const facts = defined({ backendType, compatibility, vpcCidrs });
            const condition = status?.conditions.find(({ type }) => type === SYNCED);
            const { reason = "Unknown", message = "the sync controller has not looked at it yet" } = condition ?? {};
            const synced = condition?.status === "True";
            return { name: metadata.name, ...defined({ groupId }), synced, reason, message, facts };
        });
}

type Made = Pick<InspectedService, "object" | "service" | "type" | "cloud" | "nodes">;

const KINDS: readonly BackendKind[] = ["ecs", "eni"];

/** Returns the kinds by the names of the Service's server groups, and by its members. */
function backendKindsOf(made: Made): Readonly<Record<"named" | "members", readonly BackendKind[]>> {
    const { object, service, type, cloud, nodes } = made;
    const owner = ownerOf(made);
    if (service === undefined || cloud.kind !== "found") return { named: [], members: [] };
    const { serverGroups } = cloud.instance;
    const namesFor = (backendType: BackendKind): string[] => {
        const one = { ...service, settings: { ...service.settings, backendType } };
        const { serverGroups: groups } =
            type === "nlb" ? buildNlb(one, UNKNOWN_CLUSTER) : buildClb(one, UNKNOWN_CLUSTER);
        return groups.flatMap((group) => {
            const nodePort = group.ports[0] && nodePortIn(object.spec?.ports, group.ports[0]);
            return owner === undefined || group.joined !== undefined ? [] : groupName(group, nodePort, owner);
        });
    };
    const [ofNodes, ofPods] = [namesFor("ecs"), namesFor("eni")];
    const mark = markOf(made);
    const addresses = new Set(nodes.flatMap(({ status }) => (status?.addresses ?? []).map((one) => one.address)));
    // Pods on virtual nodes are members with either kind.
    const isAnyKind = nodes.some(isVirtualNode);
    return {
        named: KINDS.filter((kind) => {
            const [own, others] = kind === "ecs" ? [ofNodes, ofPods] : [ofPods, ofNodes];
            return serverGroups.some(({ name }) => own.includes(name) && !others.includes(name));
        }),
        members: serverGroups
            .flatMap(({ backends = [] }) => backends)
            .filter((member) => sameService(member.mark, mark))
            .flatMap((member): BackendKind[] => {
                if (!isAddress(member) || addresses.has(member.address)) return ["ecs"];
                return isAnyKind ? [] : ["eni"];
            }),
    };
}
