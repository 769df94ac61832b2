/** The cloud and the cluster in which scenarios run. */
import * as fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "../../lab/cloud";
import { CloudConsole } from "../parity/cloud";
import { ClusterServer, kubeconfigFor } from "../parity/kubernetes";
import { NODE_OBJECTS, NODES } from "../walk/revision";
import { canonical } from "./canonical";
import { type Call, HIT } from "./faults";
import { type Scenario, serviceOf, slicesOf, type Version } from "./scenarios";

/** The state of the cloud, to compare. */
export type Canonical = ReturnType<typeof canonical>;

/** An undisturbed run, to compare with. */
export interface Clean {
    readonly calls: readonly Call[];
    /** The cloud after the run, and after a destroy that follows. */
    readonly after: Canonical;
    readonly destroyed: Canonical;
}

/** A simulated cloud, and a cluster of objects in memory. */
export class World {
    readonly #cluster = new ClusterServer();
    readonly #cloud: CloudConsole;

    /** @param url of the simulated cloud */
    constructor(private readonly url: string) {
        this.#cloud = new CloudConsole(url);
    }

    /** @param kubeconfig file to write, which the environment names */
    async start(kubeconfig: string): Promise<void> {
        fs.writeFileSync(kubeconfig, kubeconfigFor(await this.#cluster.start()));
    }

    /** Empties cloud and cluster, and makes what is there before a scenario. */
    async prepare({ seed = [] }: Scenario): Promise<void> {
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
        this.#cluster.objects.nodes = [...NODE_OBJECTS];
    }

    /** Makes a version of the Service what the cluster has. */
    publish(version: Version | "none"): void {
        if (version === "none") return;
        this.#cluster.objects.services.set("default/web", serviceOf(version));
        this.#cluster.objects.endpointSlices.set("default/web", slicesOf(version));
    }

    /** Makes calls fail. Without faults all work again. */
    fail(faults: readonly Fault[]): Promise<void> {
        return this.#cloud.fail(faults);
    }

    async state(): Promise<Canonical> {
        return canonical((await (await fetch(`${this.url}/_state`)).json()) as Record<string, unknown>);
    }

    /** Number of the last call of a program. */
    async lastCall(): Promise<number> {
        return (await this.#calls("")).at(-1)?.n ?? 0;
    }

    /** The mutating calls of programs after number `since`, in order. */
    async mutating(since: number): Promise<Call[]> {
        const calls = await this.#calls(`&mutating=true&since=${since}`);
        return calls.map(({ product, action }) => ({ product, action }));
    }

    /** When the fault hit its call, in milliseconds since 1970. */
    async hitAt(): Promise<number | undefined> {
        const faults = (await (await fetch(`${this.url}/_faults`)).json()) as { fault: Fault; lastHit?: number }[];
        return faults.find(({ fault }) => fault.id === HIT)?.lastHit;
    }

    /** Holds the mutating call of a number back, with its effect or before it. */
    hold(at: number, drop: boolean): Promise<void> {
        const one = { id: HIT, action: "*", mutating: true, skip: at, times: 1, hold: true } as const;
        return this.fail([{ ...one, ...(drop ? { drop } : {}) }]);
    }

    /** Waits for the call that is held. @param isOver whether it cannot come any more */
    async untilHit(isOver: () => boolean): Promise<void> {
        await until("the call under way", async () => isOver() || (await this.hitAt()) !== undefined);
    }

    /** Lets it go on, and waits for its end. */
    async release(): Promise<void> {
        await this.fail([]);
        await until("the call over", async () => (await this.#calls("")).some(({ fault }) => fault === HIT));
    }

    async #calls(query: string): Promise<(Call & { n: number; fault?: string })[]> {
        return (await (await fetch(`${this.url}/_calls?origin=api${query}`)).json()) as (Call & {
            n: number;
            fault?: string;
        })[];
    }
}

/** Milliseconds between two looks, and until what is waited for has to be. */
const POLL = 25;
const LIMIT = 300_000;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (let waited = 0; waited < LIMIT; waited += POLL) {
        if (await isSo()) return;
        await pause(POLL);
    }
    throw new Error(`not within ${LIMIT / 1000} s: ${what}`);
}
