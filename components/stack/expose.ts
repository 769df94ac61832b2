/** Exposes the Services of a folder of manifests, once everything is known of their cluster. */
import * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, formatDiagnostics, isError } from "../../provider/diagnostics";
import type { Adoption } from "../../provider/plan/adoption";
import { HandBackRecord } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import type { KubernetesObject } from "../../provider/service/service";
import { findAdoption } from "../adoption/find";
import type { Cluster } from "../cluster/cluster";
import { orRunError } from "../run/failures";
import { ServiceLoadBalancer } from "../service-load-balancer";
import { logWarnings } from "../service/warnings";
import { isApplied, UnexposedService, type UnexposedServiceArgs, whyNotUnexposed } from "../unexposed";
import { namesOutside, servedByCcm, withoutNamespace } from "./checks";
import { readFolder } from "./manifests";
import { checkQuotas } from "./quotas";
import { type FolderConfig, type FolderService, type FolderView, forEach, namesOf, viewFolder } from "./view";

/**
 * Reads and checks every manifest, then registers every Service.
 *
 * @returns what is known of each Service, by `namespace/name`
 * @throws RunError with everything that is wrong with the manifests
 */
export async function exposeFolder(config: FolderConfig, cluster: Cluster) {
    const folder = readFolder(config.manifests, cluster.facts, config.projectFolder);
    if (folder.diagnostics.some(isError)) throw new pulumi.RunError(manifestProblems(folder.diagnostics));
    logWarnings(folder.diagnostics);
    if (folder.others.length > 0)
        void pulumi.log.info(`not applied by this stack: ${folder.others.map((other) => other.subject).join(", ")}`);

    const view = await viewFolder(folder, config, cluster);
    const left = losing(view, cluster);
    judge(config, view, left);
    const adoptions = await findAdoptions(config, view, cluster);
    await orRunError(checkQuotas(cluster, view));

    const exposed = [...view.services].map(
        ([key, service]) => [key, expose(key, service, config, cluster, adoptions.get(key))] as const,
    );
    recordHandBack(
        config,
        view,
        exposed.map(([, component]) => component),
    );
    // Services that this stack has applied stay in it when their type changes: to leave it would delete them.
    for (const [key, args] of left) new UnexposedService(key, args);
    return Object.fromEntries(
        exposed.map(([key, { namespace, serviceName: name, address, addressType, clusterAddress }]) => [
            key,
            { namespace, name, address, addressType, clusterAddress },
        ]),
    );
}

const manifestProblems = (problems: readonly Diagnostic[]): string =>
    `the manifests have problems; nothing was changed.\n${formatDiagnostics(problems)}`;

/** @throws RunError with all that the folder's Services, the configuration and the cluster contradict each other in */
function judge(config: FolderConfig, view: FolderView, left: ReadonlyMap<string, UnexposedServiceArgs>): void {
    const { problems, advice } = namesOutside(config, view);
    for (const text of advice) void pulumi.log.warn(text);
    const misplaced = withoutNamespace(view);
    const all = [
        ...problems,
        ...servedByCcm(config, view),
        ...(misplaced.length > 0 ? [manifestProblems(misplaced)] : []),
        ...[...left].flatMap(([key, { object, live }]) => whyNotUnexposed(key, object, live) ?? []),
    ];
    if (all.length > 0) throw new pulumi.RunError(all.join("\n"));
}

const sourceOf = (key: string, manifest: FolderService, { allowEmpty }: FolderConfig, cluster: Cluster) => ({
    manifest,
    cluster,
    allowEmpty: allowEmpty.includes(key),
});

/** Finds the load balancers to adopt. */
async function findAdoptions(
    config: FolderConfig,
    { services }: FolderView,
    cluster: Cluster,
): Promise<ReadonlyMap<string, Adoption>> {
    const found = new Map<string, Adoption>();
    await forEach(Object.keys(config.adopt), async (key) => {
        const source = sourceOf(key, services.get(key) as FolderService, config, cluster);
        found.set(key, await orRunError(findAdoption({ ...source, ...config.adopt[key] })));
    });
    return found;
}

/** Returns the Services that this stack has applied and that lose their load balancer. */
function losing({ unexposed, live }: FolderView, cluster: Cluster): ReadonlyMap<string, UnexposedServiceArgs> {
    const found = new Map<string, UnexposedServiceArgs>();
    for (const [key, { object }] of unexposed) {
        const [namespace, name] = namesOf(key);
        const present = live.get(key);
        if (present !== undefined && isApplied(present))
            found.set(key, { cluster, namespace, name, object: object as KubernetesObject, live: present });
    }
    return found;
}

const expose = (
    key: string,
    service: FolderService,
    config: FolderConfig,
    cluster: Cluster,
    adopt: Adoption | undefined,
): ServiceLoadBalancer =>
    new ServiceLoadBalancer(
        key,
        {
            ...sourceOf(key, service, config, cluster),
            follow: adopt !== undefined || config.follow.includes(key),
            handBack: config.handBack.includes(key),
            ...defined({ adopt, allowReplacement: config.allowReplacement[key] }),
        },
        defined({ protect: config.protect.includes(key) || undefined }),
    );

/** Records which Services are handed back, once their resources have it in the state. */
function recordHandBack(
    { handBack }: FolderConfig,
    { services, unexposed }: FolderView,
    components: readonly ServiceLoadBalancer[],
): void {
    if (handBack.length === 0) return;
    const left = handBack.filter((key) => !services.has(key) && !unexposed.has(key));
    new HandBackRecord("hand-back", { service: "hand-back", services: handBack, left }, { dependsOn: [...components] });
}
