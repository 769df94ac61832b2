/** Runs a scenario with a fault at each of its mutating calls, runs again, and compares the cloud with that of an undisturbed run. */
import * as fs from "node:fs";
import type { Fault } from "../../lab/cloud";
import { CloudConsole } from "../parity/cloud";
import { Engine, type Outcome, type Program, type Stack } from "../parity/engine";
import { ClusterServer, kubeconfigFor } from "../parity/kubernetes";
import { loadComponents } from "../parity/run-case";
import { NODES } from "../walk/revision";
import { canonical, differences } from "./canonical";
import { type Scenario, serviceOf, slicesOf, type Version } from "./scenarios";

/** What goes wrong at a mutating call. */
export const FAULTS = [
    "killed before",
    "killed after",
    "answer lost",
    "throttled",
    "unavailable",
    "job failed",
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** A mutating call of an undisturbed run. */
export interface Call {
    readonly product: string;
    readonly action: string;
}

/** What became of one fault. */
export interface Point {
    readonly scenario: string;
    /** Number of the call, from 0. */
    readonly at: number;
    readonly call: Call;
    readonly fault: FaultKind;
    /** Whether the next run had to be one with `--refresh`. */
    readonly refreshed: boolean;
    /** What is wrong after the recovery; nothing if all is as after an undisturbed run. */
    readonly wrong: readonly string[];
}

/** An undisturbed run, to compare with. */
export interface Clean {
    readonly calls: readonly Call[];
    /** The cloud after the run, and after a destroy that follows. */
    readonly after: ReturnType<typeof canonical>;
    readonly destroyed: ReturnType<typeof canonical>;
}

const KILLED = "killed";

/** The end of everything that a killed run could still do: its process is gone, so that nothing of it arrives. */
const DEAD: Fault = { action: "*", after: KILLED, code: "Forbidden.RAM", status: 403 };

const faultsFor = (kind: FaultKind, at: number): readonly Fault[] => {
    const one = { id: KILLED, action: "*", mutating: true, skip: at, times: 1 } as const;
    switch (kind) {
        case "killed before":
            return [{ ...one, drop: true }, DEAD];
        case "killed after":
            return [{ ...one, dropAfterEffect: true }, DEAD];
        case "answer lost":
            return [{ ...one, dropAfterEffect: true }];
        case "throttled":
            return [{ ...one, code: "Throttling.User" }];
        case "unavailable":
            return [{ ...one, code: "ServiceUnavailable", status: 503 }];
        case "job failed":
            return [{ ...one, jobFails: true }];
    }
};

/** Whether a kind of fault can befall a call: only NLB works by jobs. */
export const applies = (kind: FaultKind, { product }: Call): boolean => kind !== "job failed" || product === "Nlb";

/** Engine, cluster and cloud of the runs. */
export class Rig {
    readonly #cluster = new ClusterServer();
    readonly #engine: Engine;
    readonly #cloud: CloudConsole;
    #stacks = 0;

    /** @param url of the simulated cloud */
    constructor(
        dir: string,
        private readonly url: string,
    ) {
        this.#engine = new Engine(dir);
        this.#cloud = new CloudConsole(url);
    }

    /** @param kubeconfig file to write, which the environment names */
    async start(kubeconfig: string): Promise<void> {
        fs.writeFileSync(kubeconfig, kubeconfigFor(await this.#cluster.start()));
    }

    close(): void {
        this.#engine.close();
    }

    /** Runs a scenario undisturbed. @throws Error if that fails: then there is nothing to compare with */
    async clean(scenario: Scenario): Promise<Clean> {
        const stack = await this.#prepare(scenario);
        try {
            const since = await this.#lastCall();
            succeed("the run", await this.#up(stack, scenario.run));
            const calls = await this.#mutating(since);
            const after = await this.#state();
            succeed("the destroy", await this.#up(stack, "none"));
            return { calls, after, destroyed: await this.#state() };
        } finally {
            stack.close();
        }
    }

    /** Runs a scenario with a fault at one of its calls, then again without, then takes everything away. */
    async point(scenario: Scenario, clean: Clean, at: number, fault: FaultKind): Promise<Point> {
        const call = clean.calls[at] ?? { product: "", action: "" };
        const stack = await this.#prepare(scenario);
        try {
            const found = await this.#interrupt(stack, scenario, clean, faultsFor(fault, at), fault.startsWith(KILLED));
            return { scenario: scenario.name, at, call, fault, ...found };
        } finally {
            await this.#cloud.fail([]);
            stack.close();
        }
    }

    async #interrupt(
        stack: Stack,
        scenario: Scenario,
        clean: Clean,
        faults: readonly Fault[],
        killed: boolean,
    ): Promise<Pick<Point, "refreshed" | "wrong">> {
        await this.#cloud.fail(faults);
        const first = await this.#up(stack, scenario.run);
        const hit = await this.#hitAt();
        if (hit === undefined) return { refreshed: false, wrong: ["the call was not made"] };
        if (killed) stack.killedAt(hit);
        await this.#cloud.fail([]);
        let wrong = await this.#again(stack, scenario, clean, false);
        // A run that failed has recorded what the plugin only tried to set.
        const refreshed = wrong.length > 0 && !killed && !first.ok;
        if (refreshed) wrong = await this.#again(stack, scenario, clean, true);
        const destroyed = await this.#up(stack, "none");
        const left = destroyed.ok
            ? differences(await this.#state(), clean.destroyed).map((text) => `destroyed: ${text}`)
            : destroyed.errors.map((text) => `the destroy fails: ${text}`);
        return { refreshed, wrong: [...wrong, ...left] };
    }

    /** What is wrong after the next run. */
    async #again(stack: Stack, { run }: Scenario, clean: Clean, refresh: boolean): Promise<readonly string[]> {
        const { ok, errors } = await this.#up(stack, run, refresh);
        return ok ? differences(await this.#state(), clean.after) : errors.map((text) => `the next run fails: ${text}`);
    }

    /** A cloud, a cluster and a stack as they are before the run. */
    async #prepare({ seed = [], before = [] }: Scenario): Promise<Stack> {
        this.#cluster.reset();
        await this.#cloud.fail([]);
        await this.#cloud.seed({
            vSwitches: [
                { id: "vsw-a", zoneId: "cn-hangzhou-b", cidr: "192.168.0.0/24" },
                { id: "vsw-na", zoneId: "cn-hangzhou-a", cidr: "10.0.0.0/24" },
                { id: "vsw-nb", zoneId: "cn-hangzhou-b", cidr: "10.1.0.0/24" },
            ],
            instances: NODES.map((node) => ({ id: `i-${node}`, vSwitchId: "vsw-a" })),
            certificates: ["cert-1", "cert-2", "cert-3"].map((id) => ({ id, name: id })),
            calls: seed,
        });
        this.#cluster.objects.nodes = NODES.map((name, index) => ({
            metadata: { name, labels: { "kubernetes.io/hostname": name } },
            spec: { providerID: `cn-hangzhou.i-${name}` },
            status: {
                conditions: [{ type: "Ready", status: "True" }],
                addresses: [{ type: "InternalIP", address: `192.168.0.${index + 1}` }],
            },
        }));
        const stack = this.#engine.stack(`crash-${(this.#stacks += 1)}`, 1);
        for (const version of before) succeed("what comes before", await this.#up(stack, version));
        return stack;
    }

    async #up(stack: Stack, version: Version | "none", refresh = false): Promise<Outcome> {
        if (version !== "none") {
            this.#cluster.objects.services.set("default/web", serviceOf(version));
            this.#cluster.objects.endpointSlices.set("default/web", slicesOf(version));
        }
        return stack.up(programOf(version), refresh);
    }

    async #state(): Promise<ReturnType<typeof canonical>> {
        return canonical((await (await fetch(`${this.url}/_state`)).json()) as Record<string, unknown>);
    }

    async #calls(query: string): Promise<(Call & { n: number; code: string })[]> {
        return (await (await fetch(`${this.url}/_calls?origin=api${query}`)).json()) as (Call & {
            n: number;
            code: string;
        })[];
    }

    async #lastCall(): Promise<number> {
        return (await this.#calls("")).at(-1)?.n ?? 0;
    }

    async #mutating(since: number): Promise<Call[]> {
        const calls = await this.#calls(`&mutating=true&since=${since}`);
        return calls.map(({ product, action }) => ({ product, action }));
    }

    /** When the fault hit its call. */
    async #hitAt(): Promise<number | undefined> {
        const faults = (await (await fetch(`${this.url}/_faults`)).json()) as { fault: Fault; lastHit?: number }[];
        return faults.find(({ fault }) => fault.id === KILLED)?.lastHit;
    }
}

function succeed(what: string, { ok, errors }: Outcome): void {
    if (!ok) throw new Error(`${what} fails: ${errors.join("\n")}`);
}

function programOf(version: Version | "none"): Program {
    return async () => {
        const { Cluster, ServiceLoadBalancer } = loadComponents();
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
