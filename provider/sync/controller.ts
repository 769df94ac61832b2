/** Controller: keeps the members of server groups equal to the backends in the cluster. */
import { type GroupDifference, isEmpty } from "../backends/diff";
import { once } from "../schema/defined";
import { sameOwner } from "../schema/names";
import type { Clock } from "../net";
import { type BindingObject, bindingKeyOf, type Operator, readOwnSpec, readSpec, serviceKeyOf } from "./binding/object";
import type { BindingSpec } from "./binding/spec";
import type { BindingFinding } from "./binding/status";
import { type Observation, registrationOf } from "./observation";
import * as findings from "./findings";
import { applyToGroup, type ObservedGroup, ObservedGroups, planOf, urgencyOf } from "./group";
import { LeaseLost } from "./lease";
import type { OpenGroups } from "./cloud";
import { Publisher, type PublisherOptions } from "./publisher";
import { type Pause, Slots, URGENCY, WorkQueue } from "./queue";
import type { Draining } from "./drain";
import { type Decision, reconcile } from "./reconcile";
import { isChange, namesOf, type Outcome } from "./report";

export interface ControllerOptions extends PublisherOptions {
    readonly groups: OpenGroups;
    /** Is called once groups are enqueued. */
    readonly operator: () => Operator;
    readonly clock: Clock;
    readonly leads: () => boolean;
}

/** Groups of an account, region and product that are changed at a time by calls of the same action. */
const CONCURRENCY = 16;

/** Groups that are read and compared at a time. */
const WORKERS = 64;

interface Task {
    readonly group: string;
    readonly binding: BindingObject;
    readonly spec: BindingSpec;
}

/** Decision with what it was made from: the cluster may change before it is carried out. */
type Decided = Decision & { readonly observation: Observation };

/** Controller of a replica. It is idle until groups are enqueued. */
export class Controller {
    readonly queue: WorkQueue;
    readonly publisher: Publisher;
    readonly #observed = new ObservedGroups();
    readonly #draining = new Map<string, Draining>();
    readonly #slots = new Map<string, Slots>();
    readonly #working = new Set<string>();
    /** Time of the oldest change that a group does not follow yet. */
    readonly #changedAt = new Map<string, number>();

    constructor(private readonly options: ControllerOptions) {
        this.publisher = new Publisher(options);
        this.queue = new WorkQueue((group) => this.#work(group), options.clock, WORKERS);
    }

    enqueue(groups: readonly string[]): void {
        if (!this.options.leads()) return;
        const now = this.options.clock.now();
        for (const group of groups) {
            if (!this.#changedAt.has(group)) this.#changedAt.set(group, now);
            this.queue.add(group);
        }
        this.options.metrics.queueDepth.set(this.queue.depth);
    }

    /** Reads every group from the cloud again and reconciles it. */
    resync(): void {
        const { store, leads } = this.options;
        if (!leads()) return;
        const groups = store.groups();
        const present = new Set(groups.flatMap((group) => store.bindings(group).map(bindingKeyOf)));
        this.publisher.keepOnly(present);
        this.#observed.clear(present);
        for (const key of this.#draining.keys()) if (!present.has(key)) this.#draining.delete(key);
        for (const group of groups) this.queue.add(group);
    }

    /** Forgets everything that only a leader may rely on. */
    forget(): void {
        this.#observed.clear();
        this.#draining.clear();
        this.#changedAt.clear();
        this.publisher.forget();
    }

    async #work(group: string): Promise<void> {
        const { store, leads, log, metrics, clock, operator } = this.options;
        metrics.queueDepth.set(this.queue.depth);
        if (!leads()) return;
        const changedAt = this.#changedAt.get(group);
        this.#changedAt.delete(group);
        const bindings = store.bindings(group);
        const older: BindingSpec[] = [];
        let again = false;
        let refused = false;
        this.#working.add(group);
        try {
            for (const binding of bindings) {
                const { spec, problem } = readOwnSpec(binding, operator());
                this.#observed.noticeSpec(group, binding);
                const outcome: Outcome =
                    spec === undefined
                        ? { finding: findings.invalid(problem) }
                        : await this.#sync({ group, binding, spec }, older);
                if (spec !== undefined) older.push(spec);
                if (isChange(outcome.applied) && changedAt !== undefined)
                    metrics.latency.observe((clock.now() - changedAt) / 1000);
                // The status of a former spec would hide that of the present spec.
                if (store.isCurrent(binding)) await this.publisher.publish(binding, spec, outcome);
                again ||= findings.needsRetry(outcome.finding);
                refused ||= findings.isRefusal(outcome.finding);
            }
            if (bindings.length === 0) this.#observed.forget(group);
            this.#working.delete(group);
            await this.#recordChanges(bindings);
        } catch (error) {
            this.#observed.forget(group);
            if (error instanceof LeaseLost || !leads()) return;
            log.error({ group, error: findings.ofError(error).cause }, "reconciliation failed");
            again = true;
        } finally {
            this.#working.delete(group);
            metrics.queueDepth.set(this.queue.depth);
        }
        if (!again) return this.queue.succeed(group);
        if (changedAt !== undefined) this.#changedAt.set(group, changedAt);
        this.queue.retry(group, refused);
    }

    /** Records the changes of Services whose other groups have followed the same change of the cluster. */
    async #recordChanges(bindings: readonly BindingObject[]): Promise<void> {
        for (const binding of bindings) {
            const { spec } = readSpec(binding);
            if (spec === undefined) continue;
            const service = serviceKeyOf(binding, spec);
            const groups = this.options.store.groupsOfService(service);
            const busy = groups.some((group) => this.queue.isWaiting(group) || this.#working.has(group));
            if (!busy) await this.publisher.recordChanges(service);
        }
    }

    /** Reconciles a binding. A failure of the cloud is an outcome. */
    async #sync(task: Task, older: readonly BindingSpec[]): Promise<Outcome> {
        const { group, spec } = task;
        const conflict = findings.conflictWith(spec, older);
        if (conflict !== undefined) return { finding: conflict };
        try {
            const observed = await this.#observed.get(group, () => this.#api(spec).describe(spec.serverGroup.id));
            if (observed === undefined) return { finding: findings.groupMissing(spec) };
            const first = this.#decide(task, observed);
            if (first.kind === "hold") return this.#outcome(task, observed, first);
            const finding = await this.#checkOwner(task);
            if (finding !== undefined) return { finding };
            const plan = planOf(spec, observed, first.members);
            if (isEmpty(plan)) return await this.#apply(task, observed, first);
            const urgency = this.queue.isRefused(group)
                ? URGENCY.refused
                : urgencyOf(observed.own(spec.ownershipMark), plan);
            const changed = this.#slotsOf(spec, plan).run(urgency, async (pause) => {
                // Cluster and binding may have changed during the wait for the slot.
                const decision = this.#decide(task, observed);
                return decision.kind === "hold" || !this.options.store.isCurrent(task.binding)
                    ? this.#outcome(task, observed, decision)
                    : this.#apply(task, observed, decision, pause);
            });
            return await this.queue.unbounded(changed);
        } catch (error) {
            if (error instanceof LeaseLost) throw error;
            // Parts may have been written.
            this.#observed.forget(group);
            return { finding: findings.ofError(error) };
        }
    }

    async #checkOwner({ group, spec }: Task): Promise<BindingFinding | undefined> {
        const { id, userManaged } = spec.serverGroup;
        if (userManaged === true) return undefined;
        const name = await this.#observed.name(group, () => this.#api(spec).name(id));
        if (name === undefined) return findings.groupMissing(spec);
        if (sameOwner(name, spec.ownershipMark)) return undefined;
        this.#observed.forget(group);
        return findings.notOwned(spec, name);
    }

    #decide({ binding, spec }: Task, observed: ObservedGroup): Decided {
        const { store, clock } = this.options;
        const observation = store.observe(serviceKeyOf(binding, spec));
        const own = observed.own(spec.ownershipMark);
        const draining = this.#draining.get(bindingKeyOf(binding)) ?? new Map<string, number>();
        return { ...reconcile(spec, observation, own, draining, clock.now()), observation };
    }

    async #apply(
        task: Task,
        observed: ObservedGroup,
        decision: Extract<Decided, { kind: "apply" }>,
        pause?: Pause,
    ): Promise<Outcome> {
        const { group, binding, spec } = task;
        const applied = await applyToGroup(this.#api(spec, pause), spec, observed, decision.members);
        const { rejected } = applied;
        const isTaken = rejected.length === 0;
        // Parts were written: the group is read before the next try.
        if (!isTaken) this.#observed.forget(group);
        if (decision.recheckMs !== undefined) this.queue.addAfter(group, decision.recheckMs);
        this.#draining.set(bindingKeyOf(binding), decision.draining);
        return {
            ...this.#outcome(task, observed, decision),
            ...(isTaken ? {} : { finding: findings.ofRejected(rejected, namesOf(decision.observation)) }),
            applied,
            registration: registrationOf(
                spec,
                decision.observation,
                rejected.map(({ backend }) => backend.address),
            ),
        };
    }

    #outcome({ group, spec }: Task, observed: ObservedGroup, decision: Decision): Outcome {
        const { store, operator } = this.options;
        const marks = store.bindings(group).flatMap((one) => readOwnSpec(one, operator()).spec?.ownershipMark ?? []);
        const common = { members: observed.own(spec.ownershipMark), userManaged: observed.userManaged(marks) };
        if (decision.kind === "hold") return { finding: decision.finding, ...common };
        const { draining, empty, notes } = decision;
        return { finding: findings.synced(spec, notes), ...common, draining, empty };
    }

    #api(spec: BindingSpec, pause: Pause = (wait) => wait()): ReturnType<OpenGroups> {
        return this.options.groups(spec, spec.serverGroup.type, pause);
    }

    /** The cloud limits the rate of each action: groups whose action must wait hold up no others. */
    #slotsOf({ region, assumeRole, serverGroup }: BindingSpec, { add, update }: GroupDifference): Slots {
        const product = serverGroup.type === "VServer" ? "slb" : "nlb";
        const action = add.length > 0 ? "add" : update.length > 0 ? "update" : "remove";
        const key = `${region} ${assumeRole?.roleArn ?? ""} ${product} ${action}`;
        return once(this.#slots, key, () => new Slots(CONCURRENCY));
    }
}
