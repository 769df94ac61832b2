/** Services of a folder, with what the cluster has of them. All of it is read before anything is registered. */
import * as pulumi from "@pulumi/pulumi";
import type { ServiceDocument } from "../../provider/service/manifests";
import type { ServiceObject } from "../../provider/service/objects";
import type { ParsedDocument } from "../../provider/service/service";
import type { Cluster } from "../cluster/cluster";
import { orRunError } from "../run/failures";
import type { readConfig } from "./config";

/** Configuration of the stack, without its cluster. */
export type FolderConfig = Omit<ReturnType<typeof readConfig>, "cluster">;

/** Service of type LoadBalancer in the folder, without errors. */
export type FolderService = ParsedDocument;

export interface FolderServices {
    /** Services that get a load balancer, by `namespace/name`. */
    readonly services: ReadonlyMap<string, FolderService>;
    /** Services that get no load balancer of this package, by `namespace/name`. */
    readonly unexposed: ReadonlyMap<string, ServiceDocument>;
}

export interface FolderView extends FolderServices {
    /** Services of folder and configuration that the cluster has, by `namespace/name`. */
    readonly live: ReadonlyMap<string, ServiceObject>;
    /** Namespaces of new Services that the cluster does not have. */
    readonly missingNamespaces: ReadonlySet<string>;
}

export const serviceLists = ({ protect, follow, allowEmpty, allowReplacement, handBack }: FolderConfig) => ({
    protect,
    follow,
    allowEmpty,
    allowReplacement: Object.keys(allowReplacement),
    handBack,
});

/** @throws RunError if the cluster cannot be read */
export async function viewFolder(folder: FolderServices, config: FolderConfig, cluster: Cluster): Promise<FolderView> {
    const { services, unexposed } = folder;
    const live = new Map<string, ServiceObject>();
    await forEach(
        [...services.keys(), ...unexposed.keys(), ...Object.values(serviceLists(config)).flat()],
        async (key) => {
            const found = await orRunError(cluster.reads.service(...namesOf(key)));
            if (found !== undefined) live.set(key, found);
        },
    );
    const missingNamespaces = new Set<string>();
    const fresh = [...services.keys()].filter((key) => !live.has(key));
    await forEach(
        fresh.map((key) => namesOf(key)[0]),
        async (namespace) => {
            if ((await orRunError(cluster.reads.hasNamespace(namespace))) === false) missingNamespaces.add(namespace);
        },
    );
    return { services, unexposed, live, missingNamespaces };
}

export function namesOf(key: string): [namespace: string, name: string] {
    const [namespace = "", name = ""] = key.split("/");
    return [namespace, name];
}

/** Does something once for each key, and reports all problems at once. */
export async function forEach(keys: readonly string[], work: (key: string) => Promise<void>): Promise<void> {
    // A cluster that does not answer says the same of all of them.
    const problems = new Set<string>();
    const report = (error: unknown): void => {
        if (!pulumi.RunError.isInstance(error)) throw error;
        problems.add(error.message);
    };
    await Promise.all([...new Set(keys)].map((key) => work(key).catch(report)));
    if (problems.size > 0) throw new pulumi.RunError([...problems].sort().join("\n"));
}
