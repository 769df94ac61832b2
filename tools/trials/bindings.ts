/** ServerGroupBindings of a cluster of objects in memory, and a sync controller that carries them out. */
import { openAccount } from "../../provider/cloud";
import { systemClock } from "../../provider/net";
import { groupApi } from "../../provider/resources/handlers/group";
import { type BindingObject, readSpec } from "../../provider/sync/binding/object";
import { API_GROUP, API_VERSION, BINDING_KIND, BINDING_PLURAL } from "../../provider/sync/binding/spec";
import { Controller } from "../../provider/sync/controller";
import { silentWriter } from "../../provider/sync/live/writer";
import { Metrics } from "../../provider/sync/metrics";
import { Store } from "../../provider/sync/store";
import { type ClusterObjects, list } from "../parity/kubernetes";
import { CLUSTER } from "./service";

const GROUP = `/apis/${API_GROUP}/${API_VERSION}`;
const OBJECT = new RegExp(`^${GROUP}/namespaces/([^/]+)/${BINDING_PLURAL}(?:/([^/]+))?$`);

/** Milliseconds after which no pod drains any more, unless its Service shuts down gracefully. */
const DRAINED = 1_000_000;

/** The custom resource, as an API server serves it. */
export class Bindings {
    readonly #objects = new Map<string, BindingObject>();
    #made = 0;

    clear(): void {
        this.#objects.clear();
    }

    /** Answers a request for bindings. Returns undefined for an object that is not there, and for another resource. */
    readonly answer = (method: string, url: URL, body: string): object | undefined => {
        if (url.pathname === "/apis") return { kind: "APIGroupList", groups: [{ name: API_GROUP }] };
        if (url.pathname === "/version") return { major: "1", minor: "34" };
        if (url.pathname === GROUP)
            return { resources: [{ name: BINDING_PLURAL, kind: BINDING_KIND, namespaced: true }] };
        const [path, namespace = "", name] = OBJECT.exec(url.pathname) ?? [];
        if (path === undefined) return undefined;
        if (name === undefined && method === "GET") return list([...this.#objects.values()]);
        const key = `${namespace}/${name ?? ""}`;
        const found = this.#objects.get(key);
        if (method === "GET") return found;
        if (method === "DELETE") return this.#objects.delete(key) ? { kind: "Status", status: "Success" } : undefined;
        const written = JSON.parse(body) as BindingObject;
        const metadata = found?.metadata ?? { uid: `binding-${(this.#made += 1)}`, generation: 1 };
        const object = { ...found, ...written, metadata: { ...metadata, ...written.metadata } };
        if (url.searchParams.get("dryRun") === null) this.#objects.set(`${namespace}/${written.metadata.name}`, object);
        return object;
    };

    /** Makes the members of all groups what the bindings ask for, as a controller does between runs. */
    async carryOut({ services, endpointSlices, nodes }: ClusterObjects): Promise<void> {
        if (this.#objects.size === 0) return;
        const store = new Store();
        let later = 0;
        // Its operator allows every group that a Service joins.
        const userManagedGroups = [...this.#objects.values()].flatMap((binding) => {
            const { spec } = readSpec(binding);
            return spec === undefined ? [] : [`${binding.metadata.namespace}/${spec.serverGroup.id}`];
        });
        const controller = new Controller({
            store,
            clock: { ...systemClock, now: () => systemClock.now() + later },
            metrics: new Metrics(),
            log: { info: () => undefined, warn: () => undefined, error: () => undefined },
            leads: () => true,
            operator: () => ({ clusterId: CLUSTER.clusterId, userManagedGroups }),
            groups: ({ region }, type) => groupApi(openAccount({ region }), type),
            writer: {
                ...silentWriter,
                writeStatus: (binding, status) => {
                    const { namespace = "default", name } = binding.metadata;
                    this.#objects.set(`${namespace}/${name}`, { ...binding, status });
                    return Promise.resolve();
                },
            },
        });
        for (const node of nodes) store.put("node", node);
        for (const service of services.values()) store.put("service", service);
        for (const slice of [...endpointSlices.values()].flat()) store.put("slice", slice);
        for (const binding of this.#objects.values()) store.put("binding", binding);
        for (later of [0, DRAINED]) {
            controller.resync();
            await controller.queue.settled();
        }
        controller.queue.stop();
    }
}
