import { deletionOrder, dependenciesOf, type ResourceState } from "../state";
import { Bail, InvalidResource } from "./bail";
import type { Deployment } from "./deployment";
import type { SourceEvent } from "./goal";
import { refreshAll, repaired } from "./refresh";
import { StepGenerator } from "./stepgen";
import { StepExecutor } from "./stepexec";
import type { Step } from "./steps";
import type { UrnTargets } from "./targets";

/** Where registrations come from: a running program, or nothing. */
export interface Source {
    /**
     * Lets the program run.
     * @param emit takes what the program registers
     * @returns when the program has registered everything it wants. @throws if the program has failed
     */
    run(emit: (e: SourceEvent) => void): Promise<void>;
    /** Refuses further registrations and everything that still waits. */
    close(): void;
}

/** A source without a program: nothing is registered. */
export const nullSource: Source = { run: async () => undefined, close: () => undefined };

/** A message the program has already given to the user, so that it is not repeated. */
export class ReportedFailure extends Error {}

type Work = () => Promise<Step[]>;

/** Registrations that arrive this soon after one another count as sent at the same time. */
const CONCURRENT_MS = 50;

/** Runs one deployment from beginning to end. */
export class DeploymentExecutor {
    private stopped = false;
    private canceled = false;
    private wake: () => void = () => undefined;
    private readonly queue: Work[] = [];
    private expected = 0;
    private sourceDone = false;
    private sourceError: Error | undefined;
    private readonly skippedUrns = new Set<string>();

    constructor(
        private readonly d: Deployment,
        private readonly source: Source,
    ) {}

    /** Stops the run: what is going on ends, nothing new begins. */
    cancel(): void {
        this.canceled = true;
        this.stop();
    }
    private stop(): void {
        this.stopped = true;
        this.wake();
    }

    /** @returns whether everything went well; what did not has been reported */
    async execute(): Promise<boolean> {
        const { options, prev } = this.d;
        if (options.refresh && !options.runProgram) {
            if (!this.checkTargets(options.targets) || !this.checkTargets(options.excludes)) return false;
            const ok = await this.refresh();
            if (!ok) return false;
            if (options.kind === "refresh") return true;
        } else if (
            prev.pendingOperations.length > 0 &&
            !options.preview &&
            !(options.refresh && options.kind === "refresh")
        )
            this.warnAboutPending();
        if (!this.checkTargets(options.replaceTargets)) return false;
        return this.deploy();
    }

    private async refresh(): Promise<boolean> {
        const executor = new StepExecutor(
            this.d,
            () => undefined,
            () => this.stopped,
            true,
        );
        await refreshAll(this.d, executor);
        if (executor.errored || this.canceled) {
            this.report(executor.errored ? "failed" : "canceled");
            return false;
        }
        return true;
    }

    private async deploy(): Promise<boolean> {
        const executor = new StepExecutor(
            this.d,
            () => this.stop(),
            () => this.stopped,
        );
        const generator = new StepGenerator(this.d, (work) => {
            this.queue.push(() => {
                this.expected--;
                return work();
            });
            this.wake();
        });
        const program = this.source
            .run((e) => {
                this.queue.push(() => this.handle(e, generator, executor));
                this.wake();
            })
            .then(
                () => undefined,
                (e: Error) => e,
            )
            .then((e) => {
                this.sourceError = e;
                this.sourceDone = true;
                this.wake();
            });
        let failed: Error | undefined;
        try {
            await this.loop(executor, generator);
        } catch (e) {
            failed = e as Error;
            if (!(failed instanceof Bail) && !(failed instanceof ReportedFailure))
                this.d.diag.error(this.currentUrn, failed.message);
            this.stop();
        }
        await executor.settled();
        const bad = failed !== undefined || executor.errored;
        try {
            await executor.finishStackOutputs(bad || generator.book.sawError);
        } catch (e) {
            this.d.diag.error("", (e as Error).message);
            failed ??= e as Error;
        }
        if (failed === undefined && !executor.errored && !this.canceled && !this.d.postStepError) {
            try {
                await generator.analyzeStack();
            } catch (e) {
                this.d.diag.error("", (e as Error).message);
                failed = e as Error;
            }
        }
        this.source.close();
        void program;
        if (failed) return false;
        if (executor.errored || generator.book.sawError || this.d.postStepError) {
            this.report("failed");
            return false;
        }
        if (this.canceled) {
            this.report("canceled");
            return false;
        }
        return true;
    }

    /** URN that errors of the event at hand are about. */
    private currentUrn = "";

    private async loop(executor: StepExecutor, generator: StepGenerator): Promise<void> {
        for (;;) {
            if (this.stopped) return;
            const work = this.queue.shift();
            if (work) {
                this.currentUrn = "";
                const steps = await work().catch((e: Error) => this.refused(e, executor));
                this.currentUrn = "";
                if (this.stopped) return;
                this.submit(steps, executor);
                continue;
            }
            if (this.sourceDone && this.sourceError) throw this.sourceError;
            if (this.sourceDone && this.expected === 0) break;
            await new Promise<void>((r) => (this.wake = r));
        }
        // What the known targets ask for is done all the same.
        const known = this.checkTargets(this.d.options.targets, generator.book.urns);
        await this.finish(executor, generator);
        if (!known) throw new Bail("unknown target");
    }

    /**
     * Registrations that a program sends at the same time are taken in no fixed order. A preview shows them all before a
     * refused one among them ends it, so that what it shows does not depend on that order.
     * @throws the error again
     */
    private async refused(error: Error, executor: StepExecutor): Promise<never> {
        if (error instanceof InvalidResource && this.d.options.preview && !this.d.ending) {
            this.d.ending = true;
            await new Promise((r) => setTimeout(r, CONCURRENT_MS));
            for (const work of this.queue.splice(0)) this.submit(await work().catch(() => []), executor);
            await executor.settled();
        }
        throw error;
    }

    private async handle(e: SourceEvent, generator: StepGenerator, executor: StepExecutor): Promise<Step[]> {
        if (e.kind === "outputs") {
            await executor.outputs(e);
            return [];
        }
        if (e.kind === "read") {
            this.currentUrn = this.d.urn(e.parent, e.type, e.name);
            return generator.read(e);
        }
        this.currentUrn = this.d.urn(e.goal.parent, e.goal.type, e.goal.name);
        return generator.register(e);
    }

    private submit(steps: Step[], executor: StepExecutor): void {
        for (const f of executor.failedSteps) this.skippedUrns.add(f.urn);
        const left = steps.filter((s) => {
            if (this.skippedUrns.size === 0 || !dependenciesOf(s.subject).some((dep) => this.skippedUrns.has(dep.urn)))
                return true;
            s.skip();
            this.skippedUrns.add(s.urn);
            return false;
        });
        if (left.length === 0) return;
        if (left.some((s) => s.continues)) this.expected++;
        void executor.chain(left);
    }

    /** What comes after the program: remaining refreshes, then deletes. */
    private async finish(executor: StepExecutor, generator: StepGenerator): Promise<void> {
        if (this.d.options.kind === "refresh" || (this.d.options.refresh && this.d.options.runProgram)) {
            await executor.settled();
            const refreshes = await generator.remainingRefreshes();
            for (const s of refreshes) void executor.chain([s]);
            await executor.settled();
            this.d.rebase(
                repaired(this.d.prev.resources, new Map(refreshes.map((s) => [s.old as ResourceState, s as Step]))),
            );
            if (this.d.options.kind === "refresh") return;
        }
        // Creates and updates go on while deletes are planned, as in the real engine; deletes wait for the last of them.
        await executor.settled();
        if (this.stopped) return;
        const [sames, steps] = partition(await generator.deletions(), (s) => s.op === "same");
        for (const s of sames) await executor.chain([s]);
        const byState = new Map(steps.map((s) => [s.subject, s]));
        const blocked = new Set<ResourceState>();
        const seen = new Set<Step>();
        for (const group of deletionOrder([...byState.keys()], generator.deletable)) {
            for (const f of executor.failedSteps) {
                if (seen.has(f)) continue;
                seen.add(f);
                for (const r of [f.subject, f.old])
                    if (r) for (const dep of this.d.graph.transitiveDependencies(r)) blocked.add(dep);
            }
            if (this.stopped) return;
            await Promise.all(
                group.filter((r) => !blocked.has(r)).map((r) => executor.chain([byState.get(r) as Step])),
            );
        }
    }

    /** Reports targets that do not exist. @returns true if all do */
    private checkTargets(targets: UrnTargets, news: ReadonlySet<string> = new Set()): boolean {
        let ok = true;
        for (const t of targets.exact) {
            if (this.d.olds.has(t) || news.has(t)) continue;
            ok = false;
            this.d.diag.error(
                "",
                `Target '${t}' could not be found in the stack.${t.includes("$") ? "" : " Did you forget to escape $ in your shell?"}`,
            );
        }
        return ok;
    }

    private report(what: "failed" | "canceled"): void {
        this.d.diag.error("", `${this.d.options.preview ? "preview" : "update"} ${what}`);
    }

    private warnAboutPending(): void {
        const ops = this.d.prev.pendingOperations;
        this.d.diag.warning(
            "",
            `Attempting to deploy or update resources with ${ops.length} pending operations from previous deployment.\n` +
                ops.map((o) => `  * ${o.resource.urn}, interrupted while ${o.type}\n`).join("") +
                "These resources are in an unknown state because the Pulumi CLI was interrupted while waiting for changes to these resources to complete. " +
                "You should confirm whether or not the operations listed completed successfully by checking the state of the appropriate provider. " +
                "For example, if you are using AWS, you can confirm using the AWS Console.\n\n" +
                "Once you have confirmed the status of the interrupted operations, you can repair your stack using `pulumi refresh` which will refresh the state " +
                "from the provider you are using and clear the pending operations if there are any.\n\n" +
                "Note that `pulumi refresh` will need to be run interactively to clear pending CREATE operations.",
        );
    }
}

function partition<T>(list: readonly T[], f: (v: T) => boolean): [T[], T[]] {
    return [list.filter(f), list.filter((v) => !f(v))];
}
