/** Exposes the Services of a folder of manifests, once everything is known of their cluster. */
import * as pulumi from "@pulumi/pulumi";
import { closest } from "../../provider/service/annotations/closest";
import { formatDiagnostics, isError } from "../../provider/diagnostics";
import type { ServiceDocument } from "../../provider/service/manifests";
import type { Adoption } from "../../provider/plan/adoption";
import type { KubernetesObject } from "../../provider/service/service";
import { findAdoption } from "../adoption/find";
import { refuseManagedByCcm } from "../service/claim";
import type { Cluster } from "../service/cluster";
import { orRunError } from "../service/failures";
import { logWarnings } from "../service/warnings";
import { ServiceLoadBalancer } from "../service-load-balancer";
import { UnexposedService } from "../unexposed";
import type { StackConfig } from "./config";
import { readFolder } from "./manifests";
import { checkQuotas, type FolderService } from "./quotas";
import { defined } from "../../provider/schema/defined";
import { omitUnset } from "./unset-arguments";

/** Outputs of the stack for a Service. */
export interface StackService {
    readonly namespace: pulumi.Output<string>;
    readonly name: pulumi.Output<string>;
    readonly address: pulumi.Output<string>;
    readonly addressType: "internet" | "intranet";
    readonly clusterAddress: pulumi.Output<string>;
}

/**
 * Reads and checks every manifest, then registers every Service.
 *
 * @returns what is known of each Service, by `namespace/name`
 * @throws RunError with everything that is wrong with the manifests
 */
export function exposeFolder(
    config: Omit<StackConfig, "cluster">,
    cluster: Cluster,
): Promise<Readonly<Record<string, StackService>>> {
    const folder = readFolder(config.manifests, cluster.facts, config.projectFolder);
    if (folder.diagnostics.some(isError)) {
        throw new pulumi.RunError(
            `the manifests have problems; nothing was changed.\n${formatDiagnostics(folder.diagnostics)}`,
        );
    }
    logWarnings(folder.diagnostics);
    if (folder.others.length > 0) {
        void pulumi.log.info(`not applied by this stack: ${folder.others.map((other) => other.subject).join(", ")}`);
    }

    const { services, unexposed } = folder;
    const sourceOf = (key: string, document: ServiceDocument) => ({
        manifest: document,
        cluster,
        allowEmpty: config.allowEmpty.includes(key),
    });

    const namesOf = (key: string): { namespace: string; name: string } => {
        const [namespace = "", name = ""] = key.split("/");
        return { namespace, name };
    };

    /** The Service as the cluster has it. */
    const liveOf = (key: string) => {
        const { namespace, name } = namesOf(key);
        return orRunError(cluster.service(namespace, name));
    };

    /**
     * Finds the load balancers to adopt, and refuses Services of the Cloud Controller Manager, before the first
     * Service is registered.
     */
    async function findAdoptions(): Promise<ReadonlyMap<string, Adoption>> {
        const found = new Map<string, Adoption>();
        const keys = [...new Set([...services.keys(), ...Object.keys(config.adopt)])];
        await forEach(keys, async (key) => {
            const document = services.get(key);
            const adoptOptions = config.adopt[key];
            if (document === undefined) {
                throw new pulumi.RunError(
                    `the folder of manifests has no Service ${key}, which adopt names. ` +
                        "Remedy: add its manifest, or take it off the list.",
                );
            }
            if (adoptOptions === undefined) {
                refuseManagedByCcm(await liveOf(key));
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
        const names = [...services.keys(), ...unexposed.keys()];
        const { protect, follow, allowEmpty, handBack } = config;
        const lists = { protect, follow, allowEmpty, allowReplacement: Object.keys(config.allowReplacement), handBack };
        const missing = Object.values(lists)
            .flat()
            .filter((key) => !names.includes(key));
        const nowhere = new Set<string>();
        await forEach([...new Set(missing)], async (key) => {
            if ((await liveOf(key)) === undefined) nowhere.add(key);
        });
        const problems: string[] = [];
        for (const [list, keys] of Object.entries(lists)) {
            const wrong = keys.filter((key) => nowhere.has(key));
            const left = keys.filter((key) => missing.includes(key) && !nowhere.has(key));
            if (wrong.length > 0) problems.push(describeMissing(list, wrong, names));
            if (left.length > 0 && list !== "handBack") void pulumi.log.warn(describeMissing(list, left, names));
        }
        if (problems.length > 0) throw new pulumi.RunError(problems.join("\n"));
    }

    /** Every Service of the folder with what the cluster has of it. */
    function folderServices(adoptions: ReadonlyMap<string, Adoption>): Promise<FolderService[]> {
        return Promise.all(
            [...services].map(async ([key, document]) => ({
                document,
                live: await liveOf(key),
                adopted: adoptions.has(key),
            })),
        );
    }

    async function exposeAll() {
        await refuseNamesOutside();
        const adoptions = await findAdoptions();
        await orRunError(checkQuotas(cluster, await folderServices(adoptions)));
        const entries = [...services].map(([key, document]) => {
            const allowReplacement = config.allowReplacement[key];
            const adopt = adoptions.get(key);
            const component = new ServiceLoadBalancer(
                key,
                {
                    ...sourceOf(key, document),
                    follow: adopt !== undefined || config.follow.includes(key),
                    handBack: config.handBack.includes(key),
                    ...defined({ adopt, allowReplacement }),
                },
                {
                    transformations: [omitUnset],
                    ...defined({ protect: config.protect.includes(key) || undefined }),
                },
            );
            const { namespace, serviceName: name, address, addressType, clusterAddress } = component;
            return [key, { namespace, name, address, addressType, clusterAddress }] as const;
        });
        await keepUnexposed();
        return Object.fromEntries(entries);
    }

    /** Services that this stack has applied stay in it when their type changes: to leave it would delete them. */
    async function keepUnexposed(): Promise<void> {
        for (const [key, { object }] of unexposed) {
            const { namespace, name } = namesOf(key);
            const live = await orRunError(UnexposedService.find(cluster, namespace, name));
            if (live !== undefined) {
                new UnexposedService(key, { cluster, namespace, name, object: object as KubernetesObject, live });
            }
        }
    }

    return exposeAll();
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

/** The Service that a misspelt key means: one part is right, and the other is near. */
function nearestService(key: string, names: readonly string[]): string | undefined {
    const [namespace = "", name = ""] = key.split("/");
    const inside = names.filter((other) => other.startsWith(`${namespace}/`));
    const called = names.filter((other) => other.endsWith(`/${name}`));
    const [near, nearNamespace] = [
        closest(
            name,
            inside.map((other) => other.slice(namespace.length + 1)),
        ),
        closest(
            namespace,
            called.map((other) => other.slice(0, -name.length - 1)),
        ),
    ];
    if (near !== undefined) return `${namespace}/${near}`;
    return nearNamespace === undefined ? undefined : `${nearNamespace}/${name}`;
}

/** Does something for each Service, and reports all problems at once. */
async function forEach(keys: readonly string[], work: (key: string) => Promise<void>): Promise<void> {
    // A cluster that does not answer says the same of all of them.
    const problems = new Set<string>();
    const report = (error: unknown): void => {
        if (!pulumi.RunError.isInstance(error)) {
            throw error;
        }
        problems.add(error.message);
    };
    await Promise.all(keys.map((key) => work(key).catch(report)));
    if (problems.size > 0) {
        throw new pulumi.RunError([...problems].sort().join("\n"));
    }
}
