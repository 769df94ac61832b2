/** Publication of outcomes: status, events, readiness gates, metrics, log. */
import { isDeepStrictEqual } from "node:util";
import { type BindingObject, bindingKeyOf, readStatus, serviceKeyOf } from "./binding/object";
import { API_GROUP, API_VERSION, BINDING_KIND, type BindingSpec } from "./binding/spec";
import type { BindingFinding, BindingStatus } from "./binding/status";
import { type GateCondition, gateConditions } from "./observation";
import type { Applied } from "./group";
import type { Metrics } from "./metrics";
import { describeRejected } from "../backends/apply";
import type { ClusterEvent, EventObject } from "../cluster/event";
import { once } from "../schema/defined";
import type { PodObject } from "../service/objects";
import type { Log } from "./log";
import { changeEvent, describeChanges, eventAfter, isChange, type Outcome, statusAfter } from "./report";
import type { Store } from "./store";

/** Writes to the cluster. Objects that are gone or were created again are left alone. */
export interface ClusterWriter {
    writeStatus(binding: BindingObject, status: BindingStatus): Promise<void>;
    record(subject: EventObject, event: ClusterEvent): Promise<void>;
    setCondition(pod: PodObject, condition: GateCondition): Promise<void>;
}

export interface PublisherOptions {
    readonly store: Store;
    readonly writer: ClusterWriter;
    readonly metrics: Metrics;
    readonly log: Log;
    /** Wall clock in milliseconds. Default the machine's. */
    readonly wall?: () => number;
}

/** Publisher of outcomes, which remembers the last outcome of each binding. */
export class Publisher {
    readonly #last = new Map<string, Outcome>();
    readonly #written = new WrittenStatuses();
    /** Changes that no event names yet, by Service and address: ports of a Service share their backends. */
    readonly #changes = new Map<string, Map<string, string>>();

    constructor(private readonly options: PublisherOptions) {}

    /** Returns the findings of the bindings that are not synced. */
    problems(): { readonly binding: string; readonly finding: BindingFinding }[] {
        return [...this.#last].flatMap(([binding, { finding }]) => (finding.synced ? [] : [{ binding, finding }]));
    }

    forget(): void {
        this.#changes.clear();
    }

    keepOnly(bindings: ReadonlySet<string>): void {
        for (const key of this.#last.keys()) if (!bindings.has(key)) this.#last.delete(key);
        this.#written.keepOnly(bindings);
        this.#count();
    }

    /** Publishes an outcome. An equal status is not written again. */
    async publish(observed: BindingObject, spec: BindingSpec | undefined, outcome: Outcome): Promise<void> {
        const { writer, metrics, wall = Date.now } = this.options;
        const binding = this.#written.latest(observed);
        const key = bindingKeyOf(binding);
        metrics.reconciliations.inc({ reason: outcome.finding.reason });
        this.#last.set(key, { ...outcome, registration: outcome.registration ?? this.#last.get(key)?.registration });
        this.#count();
        if (spec !== undefined && isChange(outcome.applied)) this.#noteChange(binding, spec, outcome.applied);
        const event = eventAfter(binding, spec, outcome);
        if (event !== undefined) await this.#record(binding, spec, event);
        const status = statusAfter(binding, outcome, new Date(wall()).toISOString().replace(/\.\d+Z$/, "Z"));
        if (status !== undefined) {
            await writer.writeStatus(binding, status);
            this.#written.note(binding, status);
        }
        if (spec !== undefined) await this.#setGates(binding, spec);
    }

    /** Records the changes of a Service's groups as one event of the Service. @param service `namespace/name` */
    async recordChanges(service: string): Promise<void> {
        const changes = this.#changes.get(service);
        this.#changes.delete(service);
        if (changes !== undefined) await this.#recordOfService(service, changeEvent([...changes.values()]));
    }

    #noteChange(binding: BindingObject, spec: BindingSpec, applied: Applied): void {
        const service = serviceKeyOf(binding, spec);
        const changes = once(this.#changes, service, () => new Map());
        const described = describeChanges(applied, this.options.store.observe(service));
        for (const [address, change] of described) changes.set(address, change);
        const counts = { added: applied.add.length, updated: applied.update.length, removed: applied.remove.length };
        this.options.log.info(
            {
                binding: bindingKeyOf(binding),
                group: spec.serverGroup.id,
                ...counts,
                rejected: describeRejected(applied.rejected),
            },
            "backends changed",
        );
    }

    async #record(binding: BindingObject, spec: BindingSpec | undefined, event: ClusterEvent): Promise<void> {
        const { writer, log } = this.options;
        const { metadata } = binding;
        if (event.type === "Warning") log.warn({ binding: bindingKeyOf(binding), reason: event.reason }, event.message);
        await writer.record({ apiVersion: `${API_GROUP}/${API_VERSION}`, kind: BINDING_KIND, metadata }, event);
        if (spec !== undefined) await this.#recordOfService(serviceKeyOf(binding, spec), event);
    }

    async #recordOfService(key: string, event: ClusterEvent): Promise<void> {
        const { writer, store } = this.options;
        const { service } = store.observe(key);
        if (service !== undefined)
            await writer.record({ apiVersion: "v1", kind: "Service", metadata: service.metadata }, event);
    }

    async #setGates(binding: BindingObject, spec: BindingSpec): Promise<void> {
        const { store, writer } = this.options;
        const service = serviceKeyOf(binding, spec);
        const pods = [...store.observe(service).gatedPods.values()];
        if (pods.length === 0) return;
        const registrations = store
            .bindingsOfService(service)
            .map((one) => this.#last.get(bindingKeyOf(one)))
            // The older binding takes the pods of both.
            .filter((last) => last?.finding.reason !== "Conflict")
            .map((last) => last?.registration);
        for (const { pod, condition } of gateConditions(spec.serviceName, pods, registrations))
            await writer.setCondition(pod, condition);
    }

    #count(): void {
        const { metrics } = this.options;
        const all = [...this.#last.values()];
        const synced = all.filter(({ finding }) => finding.synced).length;
        metrics.bindings.set({ synced: "true" }, synced);
        metrics.bindings.set({ synced: "false" }, all.length - synced);
        const draining = all.reduce((sum, one) => sum + (one.draining?.size ?? 0), 0);
        const members = all.reduce((sum, one) => sum + (one.members?.length ?? 0), 0);
        metrics.members.set({ state: "draining" }, draining);
        metrics.members.set({ state: "serving" }, members - draining);
    }
}

interface Written {
    readonly uid: string | undefined;
    /** Resource versions of the copies from which this process wrote: they are outdated. */
    readonly versions: Set<string | undefined>;
    /** Own writes in their order, whose versions are unknown. */
    readonly statuses: BindingStatus[];
}

/**
 * Last statuses that this process wrote. The watch lags behind its writes: a status made from an outdated status would
 * reset the time of the last change, and record events twice.
 */
class WrittenStatuses {
    readonly #written = new Map<string, Written>();

    /** Returns the binding with the status that it has in the cluster. */
    latest(binding: BindingObject): BindingObject {
        const key = bindingKeyOf(binding);
        const written = this.#written.get(key);
        if (written === undefined) return binding;
        if (written.uid === binding.metadata.uid && isOutdated(binding, written))
            return { ...binding, status: written.statuses.at(-1) };
        this.#written.delete(key);
        return binding;
    }

    /** Records a write. @param latest result of {@link latest} */
    note(latest: BindingObject, status: BindingStatus): void {
        const key = bindingKeyOf(latest);
        const { uid, resourceVersion } = latest.metadata;
        const written: Written = this.#written.get(key) ?? { uid, versions: new Set(), statuses: [] };
        written.versions.add(resourceVersion);
        written.statuses.push(status);
        this.#written.set(key, written);
    }

    keepOnly(bindings: ReadonlySet<string>): void {
        for (const key of this.#written.keys()) if (!bindings.has(key)) this.#written.delete(key);
    }
}

function isOutdated(copy: BindingObject, { versions, statuses }: Written): boolean {
    const { resourceVersion } = copy.metadata;
    if (resourceVersion !== undefined && versions.has(resourceVersion)) return true;
    const status = readStatus(copy);
    return statuses.slice(0, -1).some((one) => isDeepStrictEqual(one, status));
}
