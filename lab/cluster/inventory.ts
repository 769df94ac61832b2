import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Client } from "./client";

/** Data that identifies an object again, and deletes it. */
interface Item {
    readonly path: string;
    /** Path of its collection, all namespaces. */
    readonly resource: string;
    readonly version: string;
    readonly isEnding: boolean;
    readonly hasFinalizers: boolean;
}

/** All objects of a cluster by path, without events. */
export type Inventory = ReadonlyMap<string, Item>;

interface Discovery {
    readonly items: readonly {
        readonly metadata: { readonly name?: string };
        readonly versions: readonly {
            readonly version: string;
            readonly resources: readonly {
                readonly resource: string;
                readonly scope: "Namespaced" | "Cluster";
                readonly verbs: readonly string[];
            }[];
        }[];
    }[];
}

interface List {
    readonly items:
        | readonly {
              readonly metadata: {
                  readonly name: string;
                  readonly namespace?: string;
                  readonly resourceVersion: string;
                  readonly deletionTimestamp?: string;
                  readonly finalizers?: readonly string[];
              };
          }[]
        | null;
}

const DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const METADATA = "application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadataList";

/** Events are records of the past, which go when they are old. */
const EVENTS = /\/events$/;
/** Renewed all the time by the programs of the cluster. */
const LEASES = "/apis/coordination.k8s.io/v1/leases";
const NODES = "/api/v1/nodes";
const PODS = "/api/v1/pods";

/** Milliseconds that deletions may take. */
const LIMIT = 30_000;
const POLL = 100;

/** Paths of all collections whose objects can be listed and deleted, each in the version that its group prefers. */
async function collections(client: Client): Promise<string[]> {
    const answers = await Promise.all(["/api", "/apis"].map((path) => client.get<Discovery>(path, DISCOVERY)));
    return answers.flatMap(({ items }) =>
        items.flatMap(({ metadata: { name = "" }, versions }) =>
            versions
                .slice(0, 1)
                .flatMap(({ version, resources }) =>
                    resources
                        .filter(({ verbs }) => verbs.includes("list") && verbs.includes("delete"))
                        .map(({ resource }) => `${name === "" ? "/api" : `/apis/${name}`}/${version}/${resource}`),
                ),
        ),
    );
}

async function itemsOf(client: Client, resource: string): Promise<Item[]> {
    const { items } = await client.get<List>(resource, METADATA);
    return (items ?? []).map(({ metadata }) => {
        const { name, namespace, resourceVersion, deletionTimestamp, finalizers = [] } = metadata;
        const at = resource.lastIndexOf("/");
        const folder =
            namespace === undefined
                ? resource
                : `${resource.slice(0, at)}/namespaces/${namespace}${resource.slice(at)}`;
        return {
            path: `${folder}/${encodeURIComponent(name)}`,
            resource,
            version: resourceVersion,
            isEnding: deletionTimestamp !== undefined,
            hasFinalizers: finalizers.length > 0,
        };
    });
}

/** Returns the present objects of a cluster. */
export async function takeInventory(client: Client): Promise<Inventory> {
    const resources = (await collections(client)).filter((path) => !EVENTS.test(path));
    const items = await Promise.all(resources.map((resource) => itemsOf(client, resource)));
    return new Map(items.flat().map((item) => [item.path, item]));
}

/**
 * Deletes the objects that a cluster did not have before, with events. Finalizers are ignored. Events about the
 * deletion may follow.
 *
 * @throws Error if something is still there after half a minute, or if something else has been changed or deleted
 */
export async function restoreInventory(client: Client, before: Inventory): Promise<void> {
    const end = Date.now() + LIMIT;
    for (;;) {
        const left = await leftIn(client, before);
        if (left?.length === 0) return client.delete("/api/v1/namespaces/default/events");
        if (Date.now() > end) throw new Error(`still there: ${pathsOf(left ?? [])}`);
        // A pod without its node would wait for somebody to end it.
        const hasPods = left?.some(({ resource }) => resource === PODS) ?? false;
        const next = left?.filter(({ resource }) => !hasPods || resource !== NODES) ?? [];
        await Promise.all(next.map((item) => remove(client, item)));
        await sleep(POLL);
    }
}

/**
 * Returns the objects that were not there before, or `undefined` while a collection under deletion cannot be listed.
 */
async function leftIn(client: Client, before: Inventory): Promise<Item[] | undefined> {
    const now = await takeInventory(client).catch(ignoreEnding);
    if (now === undefined) return undefined;
    const changed = [...before.values()].filter(
        ({ path, resource, version }) => resource !== LEASES && now.get(path)?.version !== version,
    );
    if (changed.length > 0) throw new Error(`no longer as it was: ${pathsOf(changed)}`);
    return [...now.values()].filter(({ path }) => !before.has(path));
}

const pathsOf = (items: readonly Item[]): string => items.map(({ path }) => path).join(", ");

async function remove(client: Client, { path, resource, isEnding, hasFinalizers }: Item): Promise<void> {
    // A pod that its ReplicaSet made while that was deleted has half a minute to end, unless it is asked again.
    if (!isEnding || (resource === PODS && !hasFinalizers)) await client.deleteNow(path);
    else if (hasFinalizers) await client.patch(path, { metadata: { finalizers: null } }).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): void {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** Collections of a custom resource that is being deleted answer 404 or 429. */
function ignoreEnding(error: unknown): undefined {
    if (!(error instanceof ApiError && (error.status === 404 || error.status === 429))) throw error;
}
