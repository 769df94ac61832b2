/** Exposes the Services of a folder of manifests, once everything is known of their cluster. */
import * as pulumi from "@pulumi/pulumi";
import { groupBackends } from "../../provider/backends";
import { openAccount } from "../../provider/cloud";
import { observeQuotas } from "../../provider/cloud/quotas";
import { collector, type Diagnostic, formatDiagnostics, inFileOrder, isError } from "../../provider/diagnostics";
import type { Adoption } from "../../provider/plan/adoption";
import { observeService, servingController } from "../../provider/plan/controller";
import { buildClb, buildNlb } from "../../provider/plan/desired";
import { type InstanceDemand, judgeQuotas } from "../../provider/plan/quotas";
import { defined } from "../../provider/schema/defined";
import type { ClusterFacts } from "../../provider/schema/facts";
import { LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import { closest } from "../../provider/service/annotations/closest";
import { managerOf } from "../../provider/service/controller";
import type { ServiceDocument } from "../../provider/service/manifests";
import type { NodeObject, ServiceObject } from "../../provider/service/objects";
import { type KubernetesObject, parseService } from "../../provider/service/service";
import { findAdoption } from "../adoption/find";
import { HandBackRecord } from "../../provider/resources";
import { ServiceLoadBalancer } from "../service-load-balancer";
import { resolveAccount } from "../cluster/account";
import type { Cluster } from "../cluster/cluster";
import { orRunError } from "../run/failures";
import { logWarnings } from "../service/service";
import { UnexposedService, type UnexposedServiceArgs, whyNotUnexposed } from "../unexposed";
import type { readConfig } from "./config";
import { placeOf, readFolder } from "./manifests";

/**
 * Reads and checks every manifest, then registers every Service.
 *
 * @returns what is known of each Service, by `namespace/name`
 * @throws RunError with everything that is wrong with the manifests
 */
export async function exposeFolder(config: Omit<ReturnType<typeof readConfig>, "cluster">, cluster: Cluster) {
    const folder = readFolder(config.manifests, cluster.facts, config.projectFolder);
    const refuse = (problems: readonly Diagnostic[]): never => {
        throw new pulumi.RunError(`the manifests have problems; nothing was changed.\n${formatDiagnostics(problems)}`);
    };
    if (folder.diagnostics.some(isError)) refuse(folder.diagnostics);
    logWarnings(folder.diagnostics);
    if (folder.others.length > 0)
        void pulumi.log.info(`not applied by this stack: ${folder.others.map((other) => other.subject).join(", ")}`);

    const { services, unexposed } = folder;
    const names = [...services.keys(), ...unexposed.keys()];
    const sourceOf = (key: string, document: ServiceDocument) => ({
        manifest: document,
        cluster,
        allowEmpty: config.allowEmpty.includes(key),
    });
    const liveOf = (key: string) => orRunError(cluster.reads.service(...namesOf(key)));

    /**
     * Finds the load balancers to adopt, and refuses Services of the Cloud Controller Manager, before the first
     * Service is registered.
     */
    async function findAdoptions(): Promise<ReadonlyMap<string, Adoption>> {
        const found = new Map<string, Adoption>();
        await forEach([...services.keys(), ...Object.keys(config.adopt)], async (key) => {
            const document = services.get(key);
            const adoptOptions = config.adopt[key];
            if (document === undefined)
                throw new pulumi.RunError(
                    `the folder of manifests has no Service ${key}, which adopt names. ` +
                        "Remedy: add its manifest, or take it off the list.",
                );
            if (adoptOptions === undefined) {
                const live = await liveOf(key);
                if (live !== undefined && managerOf(live).kind === "ccm")
                    throw new pulumi.RunError(`Service ${key}: ${servingController(observeService(live), true)}`);
            } else {
                found.set(key, await orRunError(findAdoption({ ...sourceOf(key, document), ...adoptOptions })));
            }
        });
        return found;
    }

    /**
     * Refuses names without a Service: `protect`, for example, would silently have no effect. Only advises if the
     * Service has left the folder, unless it is handed back.
     */
    async function refuseNamesOutside(): Promise<void> {
        const { protect, follow, allowEmpty, handBack } = config;
        const lists = { protect, follow, allowEmpty, allowReplacement: Object.keys(config.allowReplacement), handBack };
        const isMissing = (key: string) => !names.includes(key);
        const nowhere = new Set<string>();
        await forEach(Object.values(lists).flat().filter(isMissing), async (key) => {
            if ((await liveOf(key)) === undefined) nowhere.add(key);
        });
        const problems: string[] = [];
        for (const [list, keys] of Object.entries(lists)) {
            const missing = keys.filter(isMissing);
            const wrong = missing.filter((key) => nowhere.has(key));
            const left = missing.filter((key) => !nowhere.has(key));
            if (wrong.length > 0) problems.push(describeMissing(list, wrong, names));
            if (left.length > 0 && list !== "handBack") void pulumi.log.warn(describeMissing(list, left, names));
        }
        if (problems.length > 0) throw new pulumi.RunError(problems.join("\n"));
    }

    /** Refuses new Services whose namespace the cluster does not have: this stack creates none. */
    async function refuseMissingNamespaces(): Promise<void> {
        const report = collector("service-field");
        await forEach([...services.keys()], async (key) => {
            const [namespace] = namesOf(key);
            if (
                (await liveOf(key)) !== undefined ||
                (await orRunError(cluster.reads.hasNamespace(namespace))) !== false
            )
                return;
            report.error(
                placeOf(services.get(key) as ServiceDocument, ["metadata", "namespace"]),
                `the cluster has no namespace "${namespace}", and this stack creates none`,
                `create it first (kubectl create namespace ${namespace}), or correct metadata.namespace`,
            );
        });
        if (report.diagnostics.length > 0) refuse(inFileOrder(report.diagnostics));
    }

    /**
     * Finds the Services that this stack has applied and that lose their load balancer, and refuses those that cannot,
     * before the first Service is registered.
     */
    async function findUnexposed(): Promise<ReadonlyMap<string, UnexposedServiceArgs>> {
        const found = new Map<string, UnexposedServiceArgs>();
        await forEach([...unexposed.keys()], async (key) => {
            const [namespace, name] = namesOf(key);
            const object = unexposed.get(key)?.object as KubernetesObject;
            const live = await orRunError(UnexposedService.find(cluster, namespace, name));
            if (live === undefined) return;
            const refusal = whyNotUnexposed(key, object, live);
            if (refusal !== undefined) throw new pulumi.RunError(refusal);
            found.set(key, { cluster, namespace, name, object, live });
        });
        return found;
    }

    /** Registers a Service with its load balancer. */
    function expose(key: string, document: ServiceDocument, adopt: Adoption | undefined) {
        const component = new ServiceLoadBalancer(
            key,
            {
                ...sourceOf(key, document),
                follow: adopt !== undefined || config.follow.includes(key),
                handBack: config.handBack.includes(key),
                ...defined({ adopt, allowReplacement: config.allowReplacement[key] }),
            },
            {
                transformations: [omitUnset],
                ...defined({ protect: config.protect.includes(key) || undefined }),
            },
        );
        return component;
    }

    /** Records which Services are handed back, once their resources have it in the state. */
    function recordHandBack(components: readonly ServiceLoadBalancer[]): void {
        const { handBack } = config;
        if (handBack.length === 0) return;
        const left = handBack.filter((key) => !names.includes(key));
        new HandBackRecord(
            "hand-back",
            { service: "hand-back", services: handBack, left },
            { dependsOn: [...components] },
        );
    }

    await refuseNamesOutside();
    await refuseMissingNamespaces();
    const adoptions = await findAdoptions();
    const left = await findUnexposed();
    const found = [...services].map(async ([key, document]) => ({
        document,
        live: await liveOf(key),
        adopted: adoptions.has(key),
    }));
    await orRunError(checkQuotas(cluster, await Promise.all(found)));
    const exposed = [...services].map(([key, document]) => [key, expose(key, document, adoptions.get(key))] as const);
    recordHandBack(exposed.map(([, component]) => component));
    // Services that this stack has applied stay in it when their type changes: to leave it would delete them.
    for (const [key, args] of left) new UnexposedService(key, args);
    return Object.fromEntries(
        exposed.map(([key, { namespace, serviceName: name, address, addressType, clusterAddress }]) => [
            key,
            { namespace, name, address, addressType, clusterAddress },
        ]),
    );
}

function namesOf(key: string): [namespace: string, name: string] {
    const [namespace = "", name = ""] = key.split("/");
    return [namespace, name];
}

function describeMissing(list: string, missing: readonly string[], names: readonly string[]): string {
    const suggested = missing.map((key) => {
        const nearest = nearestService(key, names);
        return nearest === undefined ? key : `${key} (did you mean ${nearest}?)`;
    });
    const stays = list === "protect" ? "; a Service that leaves the folder stays protected until then" : "";
    return (
        `config ${list} names what the folder of manifests does not have: ${suggested.join(", ")}. ` +
        `Remedy: correct the name, or take it off the list${stays}.`
    );
}

/** Returns the Service that a misspelt key means: a part of the key is right, and the other is near. */
function nearestService(key: string, names: readonly string[]): string | undefined {
    const [namespace, name] = namesOf(key);
    const rest = (fits: string, part: number) =>
        names
            .map((other) => other.split("/"))
            .flatMap((parts) => (parts[1 - part] === fits ? (parts[part] ?? []) : []));
    const near = closest(name, rest(namespace, 1));
    if (near !== undefined) return `${namespace}/${near}`;
    const nearNamespace = closest(namespace, rest(name, 0));
    return nearNamespace === undefined ? undefined : `${nearNamespace}/${name}`;
}

/** Does something once for each Service, and reports all problems at once. */
async function forEach(keys: readonly string[], work: (key: string) => Promise<void>): Promise<void> {
    // A cluster that does not answer says the same of all of them.
    const problems = new Set<string>();
    const report = (error: unknown): void => {
        if (!pulumi.RunError.isInstance(error)) throw error;
        problems.add(error.message);
    };
    await Promise.all([...new Set(keys)].map((key) => work(key).catch(report)));
    if (problems.size > 0) throw new pulumi.RunError([...problems].sort().join("\n"));
}

/** Attributes that the cloud chooses and the components read: address of a CLB, DNS name of an NLB. */
const READ: readonly string[] = ["address", "dnsName"];

/**
 * Omits arguments of cloud resources that are not given. The SDK makes an Output with half a dozen promises for each of
 * them, sixty for a listener: most of a program's memory and much of its time. The engine gets the same either way.
 * Only for a program whose resources nobody else reads: the attributes are missing there.
 */
export function omitUnset({ type, props, opts }: pulumi.ResourceTransformationArgs) {
    if (!type.startsWith("alicloud:")) return undefined;
    const used = Object.entries(props as Record<string, unknown>).filter(
        ([key, value]) => value !== undefined || READ.includes(key),
    );
    return { props: Object.fromEntries(used), opts };
}

/** A Service of the folder, and what there is of it. */
interface FolderService {
    readonly document: ServiceDocument;
    /** As it is in the cluster. */
    readonly live: ServiceObject | undefined;
    /** True if its load balancer exists and is adopted. */
    readonly adopted: boolean;
}

/**
 * Compares the demand of the Services with the quotas of the account. Reads the cloud and the nodes only if a load
 * balancer is to be created: for a Service that the cluster does not have yet.
 *
 * @throws RunError with every quota that is too small
 */
async function checkQuotas(cluster: Cluster, services: readonly FolderService[]): Promise<void> {
    if (services.every(({ live, adopted }) => adopted || live !== undefined)) return;
    const nodes = await cluster.reads.nodes();
    const demands = services.flatMap((service) => demandOf(service, cluster.facts, nodes));
    const isExposed = ({ live }: FolderService) => (live?.status?.loadBalancer?.ingress ?? []).length > 0;
    const exposed = new Set(services.filter(isExposed).map(({ document }) => document.subject));
    const openCloud = () => openAccount(resolveAccount(cluster.account));
    const judged = await Promise.all(
        LOAD_BALANCER_TYPES.map(async (type) => {
            const ofType = demands.filter((demand) => demand.type === type);
            if (!ofType.some(({ created }) => created)) return [];
            const { clusterId } = cluster.facts;
            const count = ofType.filter(({ service }) => exposed.has(service)).length;
            return judgeQuotas(type, ofType, await observeQuotas(openCloud(), type, { clusterId, exposed: count }));
        }),
    );
    const found = judged.flat();
    if (found.some(isError))
        throw new pulumi.RunError(
            `the account has no room for these Services; nothing was changed.\n${formatDiagnostics(found)}`,
        );
    logWarnings(found);
}

/** Returns the demand of a Service, or nothing if it uses an existing instance. */
function demandOf(
    { document, live, adopted }: FolderService,
    facts: ClusterFacts,
    nodes: readonly NodeObject[],
): InstanceDemand[] {
    const { service } = parseService(document, facts);
    if (service === undefined || service.settings.id !== undefined) return [];
    const type = service.loadBalancerType;
    const { listeners, serverGroups } = type === "nlb" ? buildNlb(service, facts) : buildClb(service, facts);
    // With externalTrafficPolicy Local the backends are the nodes of pods, which may not run yet.
    const byNodes = service.externalTrafficPolicy === "Cluster" ? serverGroups : [];
    return [
        {
            service: document.subject,
            type,
            created: !adopted && live === undefined,
            listeners: listeners.length,
            groups: byNodes
                .filter(({ kind, joined }) => kind === "ecs" && joined === undefined)
                .map((group) =>
                    Object.keys(groupBackends(service, group, facts, { nodes, endpointSlices: [] }).backends),
                ),
        },
    ];
}
