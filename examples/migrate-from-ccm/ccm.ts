/**
 * Load balancers and Services as the Cloud Controller Manager (CCM) leaves them in a lab, from recorded calls: the
 * controller does not run.
 */
import * as path from "node:path";
import { readCase } from "../../tools/parity/case";
import { footprint, livingService, relocated } from "../../tools/parity/footprint";
import { type NlbState, nlbStateOf } from "../../tools/parity/nlb/state";
import { applyYaml, type Lab, REPOSITORY } from "../../lab";
import type { ServiceObject } from "../../provider/service/objects";

/** Cluster id that the recordings were made with. */
export const RECORDED_CLUSTER = "clusterid";

/** ECS instances of the recordings' nodes. */
export const RECORDED_NODES = ["node1", "node2", "node3"].map((name) => ({
    name: `node-${name.slice(-1)}`,
    instanceId: `i-${name}`,
}));

/** Objects that the traffic depends on, as the simulated cloud shows them. */
export interface DataPath {
    readonly loadBalancers: readonly Instance[];
    readonly listeners: readonly AdoptableListener[];
    readonly vServerGroups: readonly AdoptableServerGroup[];
    readonly domainExtensions: readonly object[];
    /** NLB, with the security groups of source ranges. */
    readonly nlb: NlbState;
}

/**
 * Ids in the recordings of NLBs, and those in a lab. Security groups of a recording have another cluster id than the
 * rest.
 */
const PLACES = {
    "vpc-1": "vpc-lab",
    "vsw-a": "vsw-lab-a",
    "vsw-b": "vsw-lab-b",
    "192.168.0.100": "10.1.0.100",
    "192.168.1.100": "10.0.0.100",
    c123: RECORDED_CLUSTER,
};

interface Instance {
    readonly id: string;
    readonly name: string;
    readonly address: string;
    readonly tags: Readonly<Record<string, string>>;
}

interface AdoptableListener {
    readonly loadBalancerId: string;
    readonly port: number;
    readonly protocol: string;
    readonly status: string;
    readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

interface AdoptableServerGroup {
    readonly id: string;
    readonly loadBalancerId: string;
    readonly name: string;
    readonly backends: readonly {
        readonly serverId: string;
        readonly port: number;
        readonly weight: number;
        readonly description: string;
    }[];
}

/** A Service that CCM has looked after so far. */
export interface Left {
    /** As it was applied, for a folder of manifests. */
    readonly manifest: object;
    readonly live: ServiceObject;
    readonly loadBalancerId: string;
}

/** The part of the simulated cloud that traffic depends on. */
export async function dataPath(lab: Lab): Promise<DataPath> {
    const state = (await ask(lab, "/_state")) as { slb: DataPath } & Parameters<typeof nlbStateOf>[0];
    const { loadBalancers, listeners, vServerGroups, domainExtensions } = state.slb;
    return { loadBalancers, listeners, vServerGroups, domainExtensions, nlb: nlbStateOf(state) };
}

const placeOf = (name: string): string => `/api/v1/namespaces/default/services/${name}`;

/** The Service as it stands in the cluster. */
export const liveService = (lab: Lab, name: string): Promise<ServiceObject> => lab.cluster.get(placeOf(name));

/**
 * Applies a recorded Service under another name, and creates in cloud and cluster what CCM made for it: the instance
 * with its listeners and groups, finalizer, labels, status.
 *
 * @param recording name of a recording in testdata/parity/clb, or in testdata/parity/nlb if it begins with `nlb-`.
 */
export async function leaveFootprint(lab: Lab, recording: string, name: string): Promise<Left> {
    const kind = recording.startsWith("nlb-") ? "nlb" : "clb";
    const file = readCase(path.join(REPOSITORY, "testdata/parity", kind, `${recording}.json`));
    const recorded = kind === "nlb" ? relocated(file, PLACES) : file;
    const manifest = livingService(recorded, name);
    await applyYaml(lab.cluster, JSON.stringify(manifest));
    const fresh = await liveService(lab, name);
    const left = footprint(recorded, {
        name,
        uid: fresh.metadata.uid ?? "",
        nodePorts: (fresh.spec?.ports ?? []).map(({ nodePort }) => nodePort ?? 0),
    });
    await ask(lab, "/_seed", left.seed);
    const { loadBalancers, nlb } = await dataPath(lab);
    const ip = loadBalancers.find(({ id }) => id === left.loadBalancerId)?.address;
    const hostname = nlb.loadBalancers.find(({ id }) => id === left.loadBalancerId)?.dnsName;
    await patch(lab, name, { metadata: { labels: left.labels, finalizers: left.finalizers } });
    const ingress = [hostname === undefined ? { ip } : { hostname }];
    await patch(lab, name, { status: { loadBalancer: { ingress } } }, "status");
    return { manifest, live: await liveService(lab, name), loadBalancerId: left.loadBalancerId };
}

/** Changes a Service as an operator or a controller would. */
export async function patch(lab: Lab, name: string, change: object, subresource?: string): Promise<void> {
    await lab.cluster.patch([placeOf(name), subresource ?? []].flat().join("/"), change);
}

/**
 * Returns the reasons why CCM would not manage a Service with its existing instance unchanged, none if it would. It
 * follows CCM's rules for Services, instances, groups and listeners (testdata/parity, the recordings named
 * `clb-class-…`, `clb-find-…`).
 */
export function ccmObjections(service: ServiceObject, cloud: DataPath): string[] {
    const { metadata, spec, status } = service;
    if (spec?.loadBalancerClass !== undefined) return nlbObjections(service, cloud.nlb);
    const mark = `a${(metadata.uid ?? "").replaceAll("-", "")}`.slice(0, 32);
    const tagged = cloud.loadBalancers.filter(({ tags }) => tags["kubernetes.do.not.delete"] === mark);
    const id = tagged[0]?.id;
    const key = (port: number | undefined) => `k8s/${port}/${metadata.name}/${metadata.namespace}/${RECORDED_CLUSTER}`;
    const groups = cloud.vServerGroups.filter(({ loadBalancerId }) => loadBalancerId === id);
    const ports = (spec?.ports ?? []).flatMap(({ port, nodePort }) => {
        const listener = cloud.listeners.find((one) => one.loadBalancerId === id && one.port === port);
        const group = groups.find(({ name }) => name === key(nodePort));
        return [
            ...objection(listener?.status !== "running", `listener ${port} does not run`),
            ...objection(
                listener?.attributes["Description"] !== key(port),
                `listener ${port} is described as ${listener?.attributes["Description"]}, not ${key(port)}`,
            ),
            ...objection(group === undefined, `there is no group ${key(nodePort)}`),
            ...objection(
                listener?.attributes["VServerGroupId"] !== group?.id,
                `listener ${port} does not lead to group ${key(nodePort)}`,
            ),
            ...(group?.backends ?? []).flatMap((one) =>
                objection(
                    one.description !== key(nodePort),
                    `backend ${one.serverId} is described as ${one.description}`,
                ),
            ),
        ];
    });
    return [
        ...objection(spec?.type !== "LoadBalancer", `the Service is of type ${spec?.type}`),
        ...objection(spec?.loadBalancerClass !== undefined, `the Service is of class ${spec?.loadBalancerClass}`),
        ...objection(
            (metadata.annotations?.["service.beta.kubernetes.io/class"] ?? "") !== "",
            "the Service is annotated as another controller's",
        ),
        ...objection(tagged.length !== 1, `${tagged.length} instances bear the tag ${mark}`),
        ...objection(
            tagged[0]?.tags["ack.aliyun.com"] !== RECORDED_CLUSTER,
            "the instance does not bear the cluster's tag",
        ),
        ...objection(
            status?.loadBalancer?.ingress?.[0]?.ip !== tagged[0]?.address,
            "the Service's status does not name the instance's address",
        ),
        ...ports,
    ];
}

/** The same of an NLB (the recordings named `nlb-class-…`, `nlb-find-…`). */
function nlbObjections({ metadata, spec, status }: ServiceObject, nlb: NlbState): string[] {
    const mark = `a${(metadata.uid ?? "").replaceAll("-", "")}`.slice(0, 32);
    const reused = metadata.annotations?.["service.beta.kubernetes.io/alibaba-cloud-loadbalancer-id"];
    const found = nlb.loadBalancers.filter(({ id, tags }) =>
        reused === undefined ? tags["kubernetes.do.not.delete"] === mark : id === reused,
    );
    const id = found[0]?.id;
    const key = (port: number | undefined, protocol: string) =>
        `k8s.${port}.${protocol}.${metadata.name}.${metadata.namespace}.${RECORDED_CLUSTER}`;
    const ports = (spec?.ports ?? []).flatMap(({ port, nodePort, protocol = "TCP" }) => {
        const listener = nlb.listeners.find(
            (one) =>
                one.loadBalancerId === id && one.port === port && (one.protocol === "UDP") === (protocol === "UDP"),
        );
        const speaks = listener?.protocol ?? protocol;
        const group = nlb.serverGroups.find(
            ({ name, tags }) => name === key(nodePort, speaks) && tags["kubernetes.do.not.delete"] === mark,
        );
        return [
            ...objection(
                listener?.description !== key(port, speaks),
                `listener ${port} is described as ${listener?.description}, not ${key(port, speaks)}`,
            ),
            ...objection(group === undefined, `there is no group ${key(nodePort, speaks)}`),
            ...objection(
                listener?.serverGroupId !== group?.id,
                `listener ${port} does not lead to group ${key(nodePort, speaks)}`,
            ),
            ...(group?.servers ?? []).flatMap((one) =>
                objection(
                    one.description !== key(nodePort, speaks),
                    `server ${one.serverId} is described as ${one.description}`,
                ),
            ),
        ];
    });
    return [
        ...objection(spec?.type !== "LoadBalancer", `the Service is of type ${spec?.type}`),
        ...objection(
            spec?.loadBalancerClass !== "alibabacloud.com/nlb",
            `the Service is of class ${spec?.loadBalancerClass}`,
        ),
        ...objection(found.length !== 1, `${found.length} instances are the Service's`),
        ...objection(
            status?.loadBalancer?.ingress?.[0]?.hostname !== found[0]?.dnsName,
            "the Service's status does not name the instance's domain name",
        ),
        ...ports,
    ];
}

function objection(holds: boolean, text: string): string[] {
    return holds ? [text] : [];
}

async function ask(lab: Lab, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(
        lab.cloudUrl + path,
        body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
    );
    if (!answer.ok) {
        throw new Error(`the simulated cloud refused ${path}: ${await answer.text()}`);
    }
    return answer.json().catch(() => undefined);
}
