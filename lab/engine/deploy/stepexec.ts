import { touched, type ResourceState } from "../state";
import { Secret, type ValueMap } from "../value";
import type { Deployment } from "./deployment";
import type { OutputsEvent } from "./goal";
import { afterHooks } from "./hooks";
import { CreateStep, DeleteStep, ProtectedError, RefreshStep, SameStep, UpdateStep, type Step } from "./steps";
import { ROOT_STACK_TYPE, urnQualifiedType } from "../state";

/** Carries out steps: chains side by side, the steps of one chain one after the other. */
export class StepExecutor {
    /** Steps that failed without ending the run (`--continue-on-error`, protected resources). */
    readonly failedSteps: Step[] = [];
    errored = false;
    stackOutputs: OutputsEvent | undefined;
    private readonly pending = new Map<string, Step>();
    private readonly running = new Set<Promise<void>>();
    /** The chain of each step. */
    private readonly chains = new WeakMap<Step, Promise<void>>();
    private readonly done = new WeakSet<Step>();
    private readonly queue: (() => void)[] = [];
    private active = 0;

    /**
     * @param stop called when the run has to end: nothing new is started
     * @param stopped whether that has happened
     * @param ignoreErrors failures do not stop the others (refresh)
     */
    constructor(
        private readonly d: Deployment,
        private readonly stop: () => void,
        private readonly stopped: () => boolean,
        private readonly ignoreErrors = false,
    ) {}

    /** Starts a chain; the promise resolves when it has ended, whatever happened. */
    chain(steps: readonly Step[]): Promise<void> {
        const before = steps.flatMap(({ after }) => (after && this.chains.get(after)) ?? []);
        const p: Promise<void> = (before.length > 0 ? Promise.all(before).then(() => this.slot()) : this.slot())
            .then(() => this.runChain(steps))
            .finally(() => {
                this.active--;
                this.queue.shift()?.();
                this.running.delete(p);
            });
        this.running.add(p);
        for (const s of steps) this.chains.set(s, p);
        return p;
    }

    private slot(): Promise<void> {
        if (this.active < this.d.options.parallel) {
            this.active++;
            return Promise.resolve();
        }
        return new Promise((r) =>
            this.queue.push(() => {
                this.active++;
                r();
            }),
        );
    }

    /** Waits for everything that has been started. */
    async settled(): Promise<void> {
        while (this.running.size > 0) await Promise.all(this.running);
    }

    private async runChain(steps: readonly Step[]): Promise<void> {
        for (const [i, s] of steps.entries()) {
            if (this.stopped()) return;
            const isPossible = !s.after || this.done.has(s.after);
            if (isPossible && (await this.execute(s))) {
                this.done.add(s);
                continue;
            }
            // The program waits for the last step of a replacement, which does not begin any more.
            if (!this.ignoreErrors && !this.stopped())
                for (const left of steps.slice(isPossible ? i + 1 : i)) this.giveUp(left);
            return;
        }
    }

    private async execute(step: Step): Promise<boolean> {
        try {
            await this.d.events.before(step);
        } catch (e) {
            this.d.diag.error(step.urn, `pre-step event returned an error: ${(e as Error).message}`);
            this.failed(step, e as Error);
            return false;
        }
        const { status, error, complete } = await step.apply();
        if (!error && step.now && step.logical) this.pending.set(step.urn, step);
        if (!error || status === "partial") {
            await this.runAfterHooks(step, error !== undefined);
            this.track(step);
        }
        this.d.events.after(step, status, error);
        complete?.();
        if (error) {
            this.failed(step, error);
            return false;
        }
        if (this.d.postStepError && !this.d.options.continueOnError) this.stop();
        return true;
    }

    private async runAfterHooks(step: Step, failed: boolean): Promise<void> {
        if (failed) return;
        const [old, now] = [step.old, step.now];
        if (step instanceof DeleteStep && old) {
            await afterHooks(this.d, old, "AfterDelete", {
                oldInputs: old.inputs,
                oldOutputs: old.outputs,
                oldState: old,
            });
        } else if (now?.custom && step instanceof CreateStep) {
            await afterHooks(this.d, now, "AfterCreate", {
                newInputs: now.inputs,
                newOutputs: now.outputs,
                newState: now,
            });
        } else if (now?.custom && old && step instanceof UpdateStep) await this.afterUpdate(old, now);
    }
    private afterUpdate(old: ResourceState, now: ResourceState): Promise<void> {
        return afterHooks(this.d, now, "AfterUpdate", {
            newInputs: now.inputs,
            oldInputs: old.inputs,
            newOutputs: now.outputs,
            oldOutputs: old.outputs,
            newState: now,
            oldState: old,
        });
    }

    /** Marks outputs secret and remembers the resource. */
    private track(step: Step): void {
        const s = step.now;
        if (!s || step.op === "replace") return;
        s.outputs = secretOutputs(s);
        if (step.op === "read" || step.op === "read-replacement") this.d.reads.set(s.urn, s);
        else if (!(step instanceof RefreshStep)) this.d.news.set(s.urn, s);
    }

    private failed(step: Step, error: Error): void {
        this.errored = true;
        if (this.ignoreErrors) return;
        if (this.d.options.continueOnError || error instanceof ProtectedError) this.giveUp(step);
        else this.stop();
    }

    private giveUp(step: Step): void {
        step.fail();
        this.failedSteps.push(step);
    }

    /** Takes outputs of a component; those of the stack are kept until the end of the run. */
    async outputs(e: OutputsEvent): Promise<void> {
        if (urnQualifiedType(e.urn) === ROOT_STACK_TYPE) this.stackOutputs = e;
        else await this.setOutputs(e.urn, e.outputs);
        e.done();
    }

    /** Sets the outputs of the stack. After a failure, old ones that are not set again stay. */
    async finishStackOutputs(failed: boolean): Promise<void> {
        const e = this.stackOutputs;
        if (!e) return;
        const old = this.d.olds.get(e.urn);
        await this.setOutputs(e.urn, failed ? { ...old?.outputs, ...e.outputs } : e.outputs);
    }

    private async setOutputs(urn: string, outputs: ValueMap): Promise<void> {
        const step = this.pending.get(urn);
        if (!step?.now) throw new Error(`cannot complete a resource '${urn}' whose registration isn't pending`);
        this.pending.delete(urn);
        if (step instanceof SameStep && step.skippedCreate) return;
        const now = step.now;
        now.outputs = outputs;
        touched(now);
        if (!now.custom) {
            if (step instanceof CreateStep)
                await afterHooks(this.d, now, "AfterCreate", {
                    newInputs: now.inputs,
                    newOutputs: outputs,
                    newState: now,
                });
            else if (step instanceof UpdateStep && step.old) await this.afterUpdate(step.old, now);
        }
        this.d.events.outputs(step);
        if (this.d.postStepError && !this.d.options.continueOnError) this.stop();
    }
}

/** Outputs with secrecy added where the program asked for it, and where an input of that name is secret. */
function secretOutputs(s: ResourceState): ValueMap {
    let out = s.outputs;
    const mark = (k: string) => {
        const v = out[k];
        if (v === undefined || v instanceof Secret) return;
        if (out === s.outputs) out = { ...s.outputs };
        out[k] = new Secret(v);
    };
    for (const k of s.additionalSecretOutputs) mark(k);
    for (const k of Object.keys(out)) if (s.inputs[k] instanceof Secret) mark(k);
    return out;
}
