import type { Fault } from "../../lab/cloud";
import { Cluster, ServiceLoadBalancer } from "../../components";
import { isError } from "../../provider/diagnostics";
import type { NodeObject, PodObject, ServiceObject } from "../../provider/service/objects";
import { documentOf } from "../../provider/service/manifests";
import { parseService } from "../../provider/service/service";
import type { ClusterFacts } from "../../provider/schema/facts";
import { type Case, type CaseNode, type CasePod, type CaseStep, clusterIdOf } from "./case";
import { annotation } from "./annotations";
import { type CloudConsole, type CloudState, interfacesOf, machinesOf } from "./cloud";
import type { Engine, Outcome, Program } from "./engine";
import type { ClusterServer } from "./kubernetes";

/** The result of a step. */
export interface StepResult {
    readonly outcome: Outcome;
    readonly before: CloudState;
    readonly after: CloudState;
    /** Services that the program exposes in this step, by `namespace/name`. */
    readonly services: ReadonlyMap<string, ServiceObject>;
    /** Status of each Service, by `namespace/name`. */
    readonly statuses: ReadonlyMap<string, readonly { readonly ip?: string; readonly hostname?: string }[]>;
    /** The Service that the step is about. */
    readonly subject: string;
}

export interface Environment {
    readonly engine: Engine;
    readonly cluster: ClusterServer;
    readonly cloud: CloudConsole;
}

/** Runs the steps of a case through the whole package. */
export async function runCase(recorded: Case, { engine, cluster, cloud }: Environment): Promise<StepResult[]> {
    cluster.reset();
    await cloud.reset(recorded);
    cluster.objects.nodes = recorded.cluster.nodes.map(nodeObject);
    cluster.objects.pods = (recorded.cluster.pods ?? []).map(podObject);
    const stack = await engine.stack();
    const facts = factsOf(recorded);
    const results: StepResult[] = [];
    let subject = "";
    for (const step of recorded.steps) {
        subject = step.service === undefined ? subject : keyOf(step.service);
        await prepare(recorded, step, cluster, cloud);
        const services = exposed(cluster.objects.services, step, facts);
        // After a Service is deleted, the next subject is a Service that exists.
        subject =
            step.service !== undefined || services.has(subject) ? subject : ([...services.keys()].at(-1) ?? subject);
        const before = await cloud.state();
        // A run without --refresh relies on the recorded state, and with it drift is corrected.
        const outcome = await stack.up(programOf(recorded, facts, services), step.cloudCalls !== undefined);
        await cloud.fail([]);
        if (step.op === "delete" && outcome.ok) cluster.objects.services.delete(subject);
        results.push({
            outcome,
            before,
            after: await cloud.state(),
            services,
            statuses: new Map(cluster.statuses),
            subject,
        });
    }
    return results;
}

/** Prepares cluster and cloud for the step. */
async function prepare(
    recorded: Pick<Case, "cluster">,
    step: CaseStep,
    cluster: ClusterServer,
    cloud: CloudConsole,
): Promise<void> {
    const { objects } = cluster;
    if (step.service !== undefined) objects.services.set(keyOf(step.service), step.service);
    if (step.endpointSlices !== undefined) {
        const slices = new Map<string, typeof step.endpointSlices>();
        for (const slice of step.endpointSlices) {
            const key = `${slice.metadata.namespace}/${slice.metadata.labels?.["kubernetes.io/service-name"]}`;
            slices.set(key, [...(slices.get(key) ?? []), slice]);
        }
        if (slices.size === 0 && step.service !== undefined) slices.set(keyOf(step.service), []);
        for (const [key, list] of slices) objects.endpointSlices.set(key, list);
        if (slices.size === 0) objects.endpointSlices.clear();
    }
    if (step.nodes !== undefined) {
        objects.nodes = step.nodes.map(nodeObject);
        await cloud.change({ instances: machinesOf(step.nodes) ?? [] });
    }
    if (step.enis !== undefined) {
        await cloud.change({ networkInterfaces: interfacesOf(step.enis, recorded.cluster) });
    }
    const ids = idsByRef(await cloud.state());
    for (const { action, version, params } of step.cloudCalls ?? []) {
        const given = Object.fromEntries(
            Object.entries(params).map(([name, value]) => [name, ids.get(value) ?? value]),
        );
        const type: Readonly<Record<string, string>> = /^(?:Tag|Untag)Resources$/.test(action)
            ? { ResourceType: "instance" }
            : {};
        await cloud.act(action, { ...type, ...given }, version === NLB_VERSION ? "Nlb" : "Slb");
    }
    await cloud.fail(
        Object.entries(step.fail ?? {}).map(([action, { code, message, times }]): Fault => ({
            action,
            code,
            message,
            ...(times === undefined ? {} : { times }),
        })),
    );
}

/** Version of the NLB API. */
const NLB_VERSION = "2022-04-30";

/** Ids of the simulated cloud by the recorder's references, which are numbered by name. */
function idsByRef({ loadBalancers, vServerGroups, network }: CloudState): Map<string, string> {
    const numbered = (
        prefix: string,
        list: readonly { readonly id: string; readonly name: string }[],
    ): [string, string][] =>
        [...list].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ id }, index) => [`${prefix}#${index + 1}`, id]);
    const listeners = [...network.listeners].sort((a, b) => a.port - b.port).map(({ id }) => ({ id, name: "" }));
    return new Map([
        ...numbered("lb", [...loadBalancers, ...network.loadBalancers]),
        ...numbered("sg", [...vServerGroups, ...network.serverGroups]),
        ...listeners.map(({ id }, index): [string, string] => [`lsn#${index + 1}`, id]),
        ...numbered("secg", network.securityGroups),
    ]);
}

/**
 * Returns the Services that a program exposes, as in the GitOps stack: those that are read as a Service or refused,
 * without the Service that this step removes.
 */
function exposed(
    all: ReadonlyMap<string, ServiceObject>,
    step: CaseStep,
    facts: ClusterFacts,
): Map<string, ServiceObject> {
    const removed = step.op === "delete" && step.service !== undefined ? keyOf(step.service) : undefined;
    return new Map(
        [...all].filter(([key, object]) => {
            const { service, diagnostics } = parseService(documentOf(object), facts);
            return (
                key !== removed &&
                object.spec?.type === "LoadBalancer" &&
                (service !== undefined || diagnostics.some(isError))
            );
        }),
    );
}

function programOf(recorded: Case, facts: ClusterFacts, services: ReadonlyMap<string, ServiceObject>): Program {
    return async () => {
        const cluster = new Cluster(facts);
        for (const [key, manifest] of services) {
            const resourceGroupId = recorded.cluster.cloudConfig?.["resourceGroupID"];
            const references =
                resourceGroupId !== undefined && annotation(manifest, "resource-group-id") === undefined
                    ? { resourceGroupId }
                    : {};
            new ServiceLoadBalancer(key, { manifest, cluster, follow: true, references });
        }
    };
}

/** Created before Terway clusters began to attach pods by default. */
const BEFORE_ENI_BY_DEFAULT = "2020-01-01";

/** The facts about the cluster of a case. */
function factsOf(recorded: Case): ClusterFacts {
    const { cluster } = recorded;
    const config = cluster.cloudConfig ?? {};
    const eniByDefault =
        config["serviceBackendType"] === "eni" || cluster.env?.["SERVICE_FORCE_BACKEND_ENI"] === "true";
    const vswitches = (config["vswitchid"] ?? "").split(",").map((entry) => entry.split(":").at(-1) ?? "");
    return {
        clusterId: clusterIdOf(recorded),
        networkPlugin: eniByDefault || cluster.networkPlugin === "terway" ? "terway" : "flannel",
        ...(eniByDefault ? {} : { createdAt: BEFORE_ENI_BY_DEFAULT }),
        vpcId: cluster.vpcId,
        vpcCidrs: ["10.0.0.0/8"],
        vswitches: vswitches.filter((id) => id !== ""),
    };
}

function nodeObject(node: CaseNode): NodeObject {
    const ready =
        node.ready === "none"
            ? []
            : node.ready === "missing"
              ? [{ type: "MemoryPressure", status: "False" }]
              : [{ type: "Ready", status: node.ready === true ? "True" : node.ready === false ? "False" : "Unknown" }];
    return {
        metadata: { name: node.name, labels: node.labels },
        spec: {
            providerID: node.providerID,
            ...(node.unschedulable === undefined ? {} : { unschedulable: node.unschedulable }),
            ...(node.taints === undefined ? {} : { taints: node.taints }),
        },
        status: {
            conditions: ready,
            addresses: node.internalIP === "" ? [] : [{ type: "InternalIP", address: node.internalIP }],
        },
    };
}

function podObject({ name, namespace, ip, node, conditions }: CasePod): PodObject {
    return {
        metadata: { name, namespace },
        spec: { nodeName: node },
        status: {
            podIP: ip,
            podIPs: [{ ip }],
            conditions: Object.entries(conditions).map(([type, status]) => ({ type, status })),
        },
    };
}

/** `namespace/name`. */
export function keyOf({ metadata }: ServiceObject): string {
    return `${metadata.namespace ?? "default"}/${metadata.name}`;
}
