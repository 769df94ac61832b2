/**
 * Runs a scenario with a fault at one of its mutating calls, runs it again, and compares the cloud with its state after
 * an undisturbed run. The engine runs in this process.
 */
import { Cluster, ServiceLoadBalancer } from "../../components";
import { Engine, type Outcome, type Program, type Stack } from "../parity/engine";
import { differences } from "./canonical";
import { type FaultKind, faultsFor, type Killed, type Point } from "./faults";
import { type Scenario, serviceOf, type Version } from "./scenarios";
import type { Clean, World } from "./world";

/** Takes scenarios through a fault. */
export interface Recovery {
    /** Runs a scenario undisturbed. @throws Error if that fails: then there is nothing to compare with */
    clean(scenario: Scenario): Promise<Clean>;
    /** Runs a scenario with a fault at one of its calls, repeats it without the fault, and takes everything away. */
    point(scenario: Scenario, clean: Clean, at: number, fault: FaultKind): Promise<Point>;
    close(): void;
}

/** Recovery in the CLI with programs and plugins that stay loaded. Those of a killed run are killed with it. */
export class Rig implements Recovery {
    readonly #engine: Engine;

    /**
     * @param dir folder for the project
     * @param outage milliseconds of a fault that lasts
     */
    constructor(
        dir: string,
        private readonly world: World,
        private readonly outage: number,
    ) {
        this.#engine = new Engine(dir, { checkpoints: true });
    }

    close(): void {
        this.#engine.close();
    }

    async clean(scenario: Scenario): Promise<Clean> {
        const stack = await this.#prepare(scenario);
        const since = await this.world.lastCall();
        succeed("the run", await this.#up(stack, scenario.run));
        const calls = await this.world.mutating(since);
        const after = await this.world.state();
        succeed("the destroy", await this.#up(stack, "none"));
        return { calls, after, destroyed: await this.world.state() };
    }

    async point(scenario: Scenario, clean: Clean, at: number, fault: FaultKind): Promise<Point> {
        const call = clean.calls[at] ?? { product: "", action: "" };
        const stack = await this.#prepare(scenario);
        try {
            const found = await this.#interrupt(stack, scenario, clean, at, fault);
            return { scenario: scenario.name, at, call, fault, ...found };
        } finally {
            await this.world.fail([]);
        }
    }

    async #interrupt(
        stack: Stack,
        scenario: Scenario,
        clean: Clean,
        at: number,
        fault: FaultKind,
    ): Promise<Pick<Point, "refreshed" | "wrong">> {
        const killed = fault === "killed before" || fault === "killed after";
        const first = killed
            ? await this.#kill(stack, scenario.run, at, fault === "killed before")
            : await this.#disturb(stack, scenario.run, at, fault);
        if (first === undefined) return { refreshed: false, wrong: ["the call was not made"] };
        let wrong = await this.#again(stack, scenario, clean, false);
        // A run that failed has recorded what the plugin only tried to set.
        const refreshed = wrong.length > 0 && !killed && !first.ok;
        if (refreshed) wrong = await this.#again(stack, scenario, clean, true);
        const destroyed = await this.#up(stack, "none");
        const left = destroyed.ok
            ? differences(await this.world.state(), clean.destroyed).map((text) => `destroyed: ${text}`)
            : destroyed.errors.map((text) => `the destroy fails: ${text}`);
        return { refreshed, wrong: [...wrong, ...left] };
    }

    /** Lets a call of a run go wrong. @returns undefined if the call was not made */
    async #disturb(
        stack: Stack,
        version: Version | "none",
        at: number,
        fault: Exclude<FaultKind, Killed>,
    ): Promise<Outcome | undefined> {
        await this.world.fail(faultsFor(fault, at, this.outage));
        const outcome = await this.#up(stack, version);
        const hit = await this.world.hitAt();
        await this.world.fail([]);
        return hit === undefined ? undefined : outcome;
    }

    /** Kills a run while a call is under way. The call then has its effect, or it has none. */
    async #kill(stack: Stack, version: Version | "none", at: number, drop: boolean): Promise<Outcome | undefined> {
        this.world.publish(version);
        await this.world.hold(at, drop);
        let isOver = false;
        const hit = this.world.untilHit(() => isOver);
        await stack.upUntil(programOf(version), hit);
        isOver = true;
        if ((await this.world.hitAt()) === undefined) return undefined;
        await this.world.release();
        return { ok: false, errors: [], changes: 0 };
    }

    /** Returns the problems after the next run. */
    async #again(stack: Stack, { run }: Scenario, clean: Clean, refresh: boolean): Promise<readonly string[]> {
        const { ok, errors } = await this.#up(stack, run, refresh);
        return ok
            ? differences(await this.world.state(), clean.after)
            : errors.map((text) => `the next run fails: ${text}`);
    }

    /** A cloud, a cluster and a stack as they are before the run. */
    async #prepare(scenario: Scenario): Promise<Stack> {
        await this.world.prepare(scenario);
        const stack = await this.#engine.stack(1);
        for (const version of scenario.before ?? []) succeed("what comes before", await this.#up(stack, version));
        return stack;
    }

    #up(stack: Stack, version: Version | "none", refresh = false): Promise<Outcome> {
        this.world.publish(version);
        return stack.up(programOf(version), refresh);
    }
}

function succeed(what: string, { ok, errors }: Outcome): void {
    if (!ok) throw new Error(`${what} fails: ${errors.join("\n")}`);
}

function programOf(version: Version | "none"): Program {
    return async () => {
        const cluster = new Cluster({ clusterId: "c-crash", networkPlugin: "flannel", vpcId: "vpc-lab" });
        if (version === "none") return;
        const { allowReplacement, handBack = false, adopt = false } = version;
        const manifest = serviceOf(version);
        if (adopt)
            await ServiceLoadBalancer.adopt("default/web", { namespace: "default", name: "web", manifest, cluster });
        else
            new ServiceLoadBalancer("default/web", {
                manifest,
                cluster,
                follow: true,
                handBack,
                ...(allowReplacement === undefined ? {} : { allowReplacement }),
            });
    };
}
