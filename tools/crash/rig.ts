/** Runs a scenario with a fault at one of its mutating calls, runs again, and compares the cloud with that of an undisturbed run. The engine runs in this process. */
import { Cluster, ServiceLoadBalancer } from "../../components";
import { Engine, type Outcome, type Program, type Stack } from "../parity/engine";
import { differences } from "./canonical";
import { type FaultKind, faultsFor, type Point } from "./faults";
import { type Scenario, serviceOf, type Version } from "./scenarios";
import type { Clean, World } from "./world";

/** What takes scenarios through a fault. */
export interface Recovery {
    /** Runs a scenario undisturbed. @throws Error if that fails: then there is nothing to compare with */
    clean(scenario: Scenario): Promise<Clean>;
    /** Runs a scenario with a fault at one of its calls, then again without, then takes everything away. */
    point(scenario: Scenario, clean: Clean, at: number, fault: FaultKind): Promise<Point>;
    close(): void;
}

/** The engine in this process: a killed run is one whose later calls fail, and whose state is what was written until then. */
export class Rig implements Recovery {
    readonly #engine: Engine;
    #stacks = 0;

    /** @param outage milliseconds of a fault that lasts */
    constructor(
        private readonly world: World,
        private readonly outage: number,
    ) {
        this.#engine = new Engine();
    }

    close(): void {
        this.#engine.close();
    }

    async clean(scenario: Scenario): Promise<Clean> {
        const stack = await this.#prepare(scenario);
        try {
            const since = await this.world.lastCall();
            succeed("the run", await this.#up(stack, scenario.run));
            const calls = await this.world.mutating(since);
            const after = await this.world.state();
            succeed("the destroy", await this.#up(stack, "none"));
            return { calls, after, destroyed: await this.world.state() };
        } finally {
            stack.close();
        }
    }

    async point(scenario: Scenario, clean: Clean, at: number, fault: FaultKind): Promise<Point> {
        const call = clean.calls[at] ?? { product: "", action: "" };
        const stack = await this.#prepare(scenario);
        try {
            return {
                scenario: scenario.name,
                at,
                call,
                fault,
                ...(await this.#interrupt(stack, scenario, clean, at, fault)),
            };
        } finally {
            await this.world.fail([]);
            stack.close();
        }
    }

    async #interrupt(
        stack: Stack,
        scenario: Scenario,
        clean: Clean,
        at: number,
        fault: FaultKind,
    ): Promise<Pick<Point, "refreshed" | "wrong">> {
        const killed = fault.startsWith("killed");
        await this.world.fail(faultsFor(fault, at, this.outage));
        const first = await this.#up(stack, scenario.run);
        const hit = await this.world.hitAt();
        if (hit === undefined) return { refreshed: false, wrong: ["the call was not made"] };
        if (killed) stack.killedAt(hit);
        await this.world.fail([]);
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

    /** What is wrong after the next run. */
    async #again(stack: Stack, { run }: Scenario, clean: Clean, refresh: boolean): Promise<readonly string[]> {
        const { ok, errors } = await this.#up(stack, run, refresh);
        return ok
            ? differences(await this.world.state(), clean.after)
            : errors.map((text) => `the next run fails: ${text}`);
    }

    /** A cloud, a cluster and a stack as they are before the run. */
    async #prepare(scenario: Scenario): Promise<Stack> {
        await this.world.prepare(scenario);
        const stack = this.#engine.stack(`crash-${(this.#stacks += 1)}`, 1);
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
