/** Keeps the members of server groups equal to what the cluster says. */
import { isEmpty } from "../backend/member";
import type { Clock } from "../net";
import { type BindingObject, bindingKeyOf } from "./binding/object";
import type { BindingSpec } from "./binding/spec";
import type { BindingFinding } from "./binding/status";
import { findingOf } from "./failure";
import { conflictWith, groupMissing, invalid, needsRetry, notOwned, synced, withoutInterface } from "./findings";
import { registrationOf } from "./gates";
import { applyToGroup, type ObservedGroup, planOf, urgencyOf } from "./group";
import { sameOwner } from "../model/names";
import { LeaseLost } from "./lease";
import { ObservedGroups } from "./observed-groups";
import { type Operator, readOwnSpec } from "./ownership";
import type { OpenGroups } from "./ports";
import { Publisher, type PublisherOptions } from "./publisher";
import { WorkQueue } from "./queue";
import { type Decision, type Draining, reconcile } from "./reconcile";
import { isChange, type Outcome } from "./report";
import { type Pause, SlotPools, type Slots } from "./slots";

/** What a controller works with. */
export interface ControllerOptions extends PublisherOptions {
    readonly groups: OpenGroups;
    /** Is asked once groups are enqueued. */
    readonly operator: () => Operator;
    readonly clock: Clock;
    /** Whether this replica may write. */
    readonly leads: () => boolean;
    /** Groups of one account, region and product that are changed at a time. Default 16. */
    readonly concurrency?: number;
}

/** Groups that are worked on at a time; most of them need no call. */
const WORKERS = 64;

/** The controller of one replica. Nothing happens before groups are enqueued. */
export class Controller {
    readonly queue: WorkQueue;
    readonly #options: ControllerOptions;
    readonly #publisher: Publisher;
    readonly #observed = new ObservedGroups();
    readonly #draining = new Map<string, Draining>();
    readonly #slots: SlotPools;
    /** When the oldest change was noticed that a group does not follow yet. */
    readonly #changedAt = new Map<string, number>();

    constructor(options: ControllerOptions) {
        this.#options = options;
        this.#publisher = new Publisher(options);
        this.#slots = new SlotPools(options.concurrency ?? 16);
        this.queue = new WorkQueue((group) => this.#work(group), options.clock, WORKERS);
    }

    /** Groups follow a change that was noticed now. */
    enqueue(groups: readonly string[]): void {
        if (!this.#options.leads()) return;
        const now = this.#options.clock.now();
        for (const group of groups) {
            if (!this.#changedAt.has(group)) this.#changedAt.set(group, now);
            this.queue.add(group);
        }
        this.#options.metrics.queueDepth.set(this.queue.depth);
    }

    /** Every group is read from the cloud again and brought to its desired members. */
    resync(): void {
        const { store, leads } = this.#options;
        if (!leads()) return;
        const groups = store.groups();
        const present = new Set(groups.flatMap((group) => store.bindings(group).map(bindingKeyOf)));
        this.#publisher.keepOnly(present);
        this.#observed.clear(present);
        for (const key of this.#draining.keys()) if (!present.has(key)) this.#draining.delete(key);
        for (const group of groups) this.queue.add(group);
    }

    /** Forgets what only a leader may rely on. */
    forget(): void {
        this.#observed.clear();
        this.#draining.clear();
        this.#changedAt.clear();
    }

    /** Findings of the bindings that are not synced. */
    problems(): ReturnType<Publisher["problems"]> {
        return this.#publisher.problems();
    }

    async #work(group: string): Promise<void> {
        const { store, leads, log, metrics } = this.#options;
        metrics.queueDepth.set(this.queue.depth);
        if (!leads()) return;
        const changedAt = this.#changedAt.get(group);
        this.#changedAt.delete(group);
        const bindings = store.bindings(group);
        const older: BindingSpec[] = [];
        let again = false;
        try {
            for (const binding of bindings) {
                const { spec, problem } = readOwnSpec(binding, this.#options.operator());
                this.#observed.noticeSpec(group, binding);
                const outcome: Outcome =
                    spec === undefined
                        ? { finding: invalid(problem) }
                        : (conflictWith(spec, older) ?? (await this.#sync(group, binding, spec)));
                if (spec !== undefined) older.push(spec);
                if (outcome.applied !== undefined && isChange(outcome.applied) && changedAt !== undefined)
                    metrics.latency.observe((this.#options.clock.now() - changedAt) / 1000);
                // The status of a former spec would hide that of the present one.
                if (store.isCurrent(binding)) await this.#publisher.publish(binding, spec, outcome);
                again ||= needsRetry(outcome.finding);
            }
            if (bindings.length === 0) this.#observed.forget(group);
        } catch (error) {
            this.#observed.forget(group);
            if (error instanceof LeaseLost || !leads()) return;
            log.error({ group, error: findingOf(error).cause }, "reconciliation failed");
            again = true;
        }
        if (again) {
            if (changedAt !== undefined) this.#changedAt.set(group, changedAt);
            this.queue.retry(group);
        } else this.queue.succeed(group);
    }

    /** Brings the members of one binding to what the cluster says; a failure of the cloud is an outcome. */
    async #sync(group: string, binding: BindingObject, spec: BindingSpec): Promise<Outcome> {
        try {
            const observed = await this.#observed.get(group, () => this.#api(spec).describe(spec.serverGroup.id));
            if (observed === undefined) return { finding: groupMissing(spec) };
            const first = this.#decide(binding, spec, observed);
            if (first.kind === "hold") return this.#outcome(group, spec, observed, first);
            const finding = await this.#foreign(group, spec);
            if (finding !== undefined) return { finding };
            const plan = planOf(spec, observed, first.members);
            if (isEmpty(plan)) return await this.#apply(group, binding, spec, observed, first);
            const urgency = urgencyOf(observed.own(spec.ownershipMark).members, plan);
            return await this.#slotsOf(spec).run(urgency, async (pause) => {
                // The cluster may have changed while the group waited for its slot.
                const decision = this.#decide(binding, spec, observed);
                return decision.kind === "hold"
                    ? this.#outcome(group, spec, observed, decision)
                    : this.#apply(group, binding, spec, observed, decision, pause);
            });
        } catch (error) {
            if (error instanceof LeaseLost) throw error;
            // What was written is not known for certain.
            this.#observed.forget(group);
            return { finding: findingOf(error) };
        }
    }

    /** Why the members of a group are not the binding's to change; undefined if they are. */
    async #foreign(group: string, spec: BindingSpec): Promise<BindingFinding | undefined> {
        const { id, userManaged } = spec.serverGroup;
        if (userManaged === true) return undefined;
        const name = await this.#observed.name(group, () => this.#api(spec).name(id));
        if (name === undefined) return groupMissing(spec);
        if (sameOwner(name, spec.ownershipMark)) return undefined;
        this.#observed.forget(group);
        return notOwned(spec, name);
    }

    #decide(binding: BindingObject, spec: BindingSpec, observed: ObservedGroup): Decision {
        const { store, clock } = this.#options;
        const observation = store.observe(binding.metadata.namespace ?? "default", spec.serviceName);
        const draining = this.#draining.get(bindingKeyOf(binding)) ?? new Map<string, number>();
        return reconcile(spec, observation, observed.own(spec.ownershipMark).members, draining, clock.now());
    }

    async #apply(
        group: string,
        binding: BindingObject,
        spec: BindingSpec,
        observed: ObservedGroup,
        decision: Extract<Decision, { kind: "apply" }>,
        pause?: Pause,
    ): Promise<Outcome> {
        const observation = this.#options.store.observe(binding.metadata.namespace ?? "default", spec.serviceName);
        const applied = await applyToGroup(this.#api(spec, pause), spec, observed, decision.members);
        // Part of it was written: the group is read before the next try.
        if (applied.missing.length > 0) this.#observed.forget(group);
        if (decision.recheckMs !== undefined) this.queue.addAfter(group, decision.recheckMs);
        this.#draining.set(bindingKeyOf(binding), decision.draining);
        return {
            ...this.#outcome(group, spec, observed, decision),
            finding: applied.missing.length > 0 ? withoutInterface(applied.missing) : synced(spec, decision.notes),
            applied,
            registration: registrationOf(spec, observation, applied.missing),
        };
    }

    #outcome(group: string, spec: BindingSpec, observed: ObservedGroup, decision: Decision): Outcome {
        const { store, operator } = this.#options;
        const marks = store.bindings(group).flatMap((one) => readOwnSpec(one, operator()).spec?.ownershipMark ?? []);
        return {
            finding: decision.kind === "hold" ? decision.finding : synced(spec, decision.notes),
            members: observed.own(spec.ownershipMark).members,
            userManaged: observed.userManaged(marks),
            ...(decision.kind === "hold" ? {} : { draining: decision.draining, empty: decision.empty }),
        };
    }

    #api(spec: BindingSpec, pause: Pause = (wait) => wait()): ReturnType<OpenGroups> {
        return this.#options.groups(spec, spec.serverGroup.type, pause);
    }

    #slotsOf({ region, assumeRole, serverGroup }: BindingSpec): Slots {
        return this.#slots.of(
            `${region} ${assumeRole?.roleArn ?? ""} ${serverGroup.type === "VServer" ? "slb" : "nlb"}`,
        );
    }
}
