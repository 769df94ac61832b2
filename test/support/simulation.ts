/** A controller with objects in memory, a simulated group, and time that passes only when it is told to. */
import { VirtualClock } from "./cloud-client";
import type { GroupApi } from "../../provider/backends/apply";
import type { EndpointSliceObject, NodeObject } from "../../provider/service/objects";
import { sortedByKey } from "../../provider/schema/defined";
import { type Backend, formatBackendKey, isAddress } from "../../provider/schema/backend";
import { sameOwner } from "../../provider/schema/names";
import type { BindingObject } from "../../provider/sync/binding/object";
import type { BindingSpec } from "../../provider/sync/binding/spec";
import type { BindingStatus } from "../../provider/sync/binding/status";
import { Controller } from "../../provider/sync/controller";
import { Metrics } from "../../provider/sync/metrics";
import type { ClusterEvent } from "../../provider/cluster/event";
import type { ClusterWriter } from "../../provider/sync/publisher";
import { Store, type Watched } from "../../provider/sync/store";
import { binding, MARK, service } from "./sync-world";

const sameMember = (a: Backend, b: Backend): boolean => a.address === b.address && a.port === b.port;

/** A controller's whole world. */
export class Simulation {
    readonly clock = new VirtualClock();
    readonly store = new Store();
    readonly metrics = new Metrics();
    readonly calls: string[] = [];
    readonly statuses: BindingStatus[] = [];
    readonly events: ClusterEvent[] = [];
    /** Conditions of pods that were set: name, status, reason. */
    readonly conditions: [string, string, string][] = [];
    readonly unreachable = new Set<string>();
    /** Name of the group. */
    name = MARK;
    readonly userManagedGroups: string[] = [];
    /** Members of the group. The first is user-managed from the beginning. */
    servers: Backend[] = [{ address: "i-user", port: 1, weight: 3 }];
    leads = true;
    gone = false;
    /** Makes a call wait. */
    wait: (call: string) => Promise<void> = () => Promise.resolve();
    /** Fails a call before it is carried out. */
    fault: (call: string) => Error | undefined = () => undefined;
    /** Fails a write after it was carried out. */
    afterwards: (call: string) => Error | undefined = () => undefined;
    readonly controller: Controller;

    constructor() {
        this.controller = new Controller({
            store: this.store,
            groups: () => this.#api(),
            operator: () => ({ clusterId: "c1", userManagedGroups: this.userManagedGroups }),
            writer: this.#writer(),
            clock: this.clock,
            metrics: this.metrics,
            log: { info: () => undefined, warn: () => undefined, error: () => undefined },
            leads: () => this.leads,
            wall: () => this.clock.now(),
        });
    }

    /** Sets a Service with one binding. */
    cluster(spec: BindingSpec, nodes: readonly NodeObject[], ...slices: readonly EndpointSliceObject[]): void {
        this.put("service", service());
        for (const one of nodes) this.put("node", one);
        for (const one of slices) this.put("slice", one);
        this.bind(spec);
    }

    bind(spec: BindingSpec, name?: string, creationTimestamp?: string): void {
        const made = binding(spec, name);
        this.put("binding", {
            ...made,
            metadata: { ...made.metadata, ...(creationTimestamp === undefined ? {} : { creationTimestamp }) },
        });
    }

    put<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind]): void {
        this.controller.enqueue(this.store.put(kind, object));
    }

    remove<Kind extends keyof Watched>(kind: Kind, object: Watched[Kind]): void {
        this.controller.enqueue(this.store.remove(kind, object));
    }

    /** Until nothing is worked on. */
    async settle(): Promise<void> {
        await this.controller.queue.settled();
    }

    /** Lets time pass. */
    async pass(ms: number): Promise<void> {
        await this.clock.run(this.clock.sleep(ms));
        await this.settle();
    }

    /** Weights of the managed members. */
    weights(mark = MARK): Record<string, number> {
        const own = this.servers.filter((server) => sameOwner(server.mark, mark));
        const keyOf = (server: Backend) => (isAddress(server) ? formatBackendKey(server) : server.address);
        return sortedByKey(Object.fromEntries(own.map((server) => [keyOf(server), server.weight])));
    }

    async #call(name: string): Promise<void> {
        this.calls.push(name);
        await this.wait(name);
        const fault = this.fault(name);
        if (fault !== undefined) throw fault;
    }

    #api(): GroupApi {
        const write = async (name: string, change: () => void): Promise<void> => {
            await this.#call(name);
            change();
            const fault = this.afterwards(name);
            if (fault !== undefined) throw fault;
        };
        return {
            describe: async () => {
                await this.#call("describe");
                return this.gone ? undefined : this.servers;
            },
            name: async () => {
                await this.#call("name");
                return this.gone ? undefined : this.name;
            },
            add: (_, added) => write("add", () => void (this.servers = [...this.servers, ...added])),
            setWeights: (_, changed) =>
                write("setWeights", () => {
                    this.servers = this.servers.map((one) => changed.find((other) => sameMember(one, other)) ?? one);
                }),
            remove: (_, removed) =>
                write("remove", () => {
                    this.servers = this.servers.filter((one) => !removed.some((other) => sameMember(one, other)));
                }),
            findEnis: async (ips) => {
                await this.#call("findEnis");
                return new Map(ips.filter((ip) => !this.unreachable.has(ip)).map((ip) => [ip, `eni-${ip}`]));
            },
            isQuotaError: () => false,
            isRefusal: () => false,
            refusalOfServer: () => undefined,
            perCall: 20,
        };
    }

    #writer(): ClusterWriter {
        return {
            writeStatus: (object: BindingObject, status) => {
                this.statuses.push(status);
                const [current = object] = this.store
                    .groups()
                    .flatMap((group) => this.store.bindings(group))
                    .filter(({ metadata }) => metadata.name === object.metadata.name);
                this.put("binding", { ...current, status });
                return Promise.resolve();
            },
            record: (_, event) => {
                this.events.push(event);
                return Promise.resolve();
            },
            setCondition: (pod, { type, status, reason }) => {
                this.conditions.push([pod.metadata.name, status, reason]);
                const conditions = [
                    ...(pod.status?.conditions ?? []).filter((one) => one.type !== type),
                    { type, status, reason },
                ];
                this.put("pod", { ...pod, status: { ...pod.status, conditions } });
                return Promise.resolve();
            },
        };
    }
}
