import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeScratch } from "./folder";
import { identify } from "../build/identity";
import { call } from "./http";
import { readKubeconfig } from "./kubeconfig";
import { waitForOutage } from "./outage";
import { freePorts } from "./ports";
import { FILES, type Network, type Ports, type Server } from "./programs";
import { Run, START_LIMIT, startOnFreePorts } from "./run";
import type { Tools } from "./sources";
import { claim, readState, removeState, stateFile, writeState, type ClusterState } from "./state";

/** Order from the starter to the supervisor, as JSON in its first argument. */
export interface Order {
    dir: string;
    tools: Tools;
    network: Network;
    detached: boolean;
}

/** Message from the supervisor to its starter over the channel between them. */
export type Message = { type: "progress"; line: string } | { type: "ready" } | { type: "failed"; message: string };

/**
 * Starts the programs, and ends them when it is asked to (SIGTERM, SIGINT), when one of them fails, or when the
 * starter has gone, however it went: the channel to it closes then. A detached cluster needs its starter only until
 * it is ready.
 */
class Supervisor {
    private run: Run | undefined;
    private ending: Promise<never> | undefined;
    private ready = false;
    private readonly state: ClusterState;
    /** Writes of the state file, which follow each other. */
    private written: Promise<void> = Promise.resolve();

    constructor(private readonly order: Order) {
        this.state = {
            phase: "starting",
            detached: order.detached,
            supervisor: identify(process.pid),
            programs: [],
            startedAt: new Date().toISOString(),
        };
    }

    async main(): Promise<void> {
        const { dir, detached } = this.order;
        if (!(await claim(dir, this.state))) {
            await tell({
                type: "failed",
                message: `${stateFile(dir)} is there: another cluster was just started in this folder`,
            });
            if (process.connected) process.disconnect();
            return;
        }
        process.on("SIGTERM", () => void this.end());
        process.on("SIGINT", () => void this.end());
        process.on("disconnect", () => {
            if (!detached || !this.ready) void this.end();
        });
        process.on("uncaughtException", (error) => void this.end({ lost: `the supervisor failed: ${error.stack}` }));
        // It may have ended before there was a listener.
        if (!process.connected) return this.end();
        try {
            await this.start();
        } catch (error) {
            return this.ending ?? this.end({ failure: (error as Error).message });
        }
        this.ready = true;
        await tell({ type: "ready" });
        setInterval(() => void this.checkFolder(), 2_000);
    }

    /** Without its state file no process could stop this cluster any more. */
    private async checkFolder(): Promise<void> {
        const state = await readState(this.order.dir);
        if (state?.supervisor.pid !== process.pid) await this.end();
    }

    private async start(): Promise<void> {
        const report = (line: string): void => void tell({ type: "progress", line });
        await startOnFreePorts(choosePorts, (ports) => this.makeRun(ports), report);
        await this.waitForDefaultNamespace();
        this.state.phase = "ready";
        await this.save();
    }

    private makeRun(ports: Ports): Run {
        const { dir, tools, network } = this.order;
        this.state.programs = [];
        this.run = new Run({
            dir,
            tools,
            ports,
            network,
            onStarted: (name, process) => {
                this.state.programs = [
                    ...this.state.programs.filter((program) => program.name !== name),
                    { name, ...process },
                ];
                return this.save();
            },
            onLost: (name, message) => void this.lost(name, message),
        });
        this.state.server = this.run.server;
        this.state.etcd = this.run.etcd;
        return this.run;
    }

    /** A program has ended: an outage that was asked for is waited out, anything else ends the cluster. */
    private async lost(name: Server, message: string): Promise<void> {
        try {
            if (name === "kube-apiserver" && (await waitForOutage(this.order.dir))) await this.run?.startAgain(name);
            else await this.end({ lost: message });
        } catch (error) {
            await this.end({ lost: (error as Error).message });
        }
    }

    /**
     * Waits for the namespace that a user's first object needs. The API server makes it shortly after it calls itself
     * ready.
     */
    private async waitForDefaultNamespace(): Promise<void> {
        const { server, certificate, token } = await readKubeconfig(join(this.order.dir, FILES.kubeconfig));
        const headers = { Authorization: `Bearer ${token}` };
        const end = Date.now() + START_LIMIT;
        while ((await call(`${server}/api/v1/namespaces/default`, { headers, certificate })).status !== 200) {
            if (Date.now() > end) throw new Error("the API server has not made the namespace default");
            await sleep(50);
        }
    }

    private save(): Promise<void> {
        this.written = this.written.then(() => writeState(this.order.dir, this.state));
        return this.written;
    }

    /** Stops the programs, clears the folder and ends this process. */
    private end(why: { failure?: string; lost?: string } = {}): Promise<never> {
        this.ending ??= (async (): Promise<never> => {
            await this.run?.stop();
            await removeScratch(this.order.dir);
            if (why.lost !== undefined) {
                this.state.phase = "ended";
                this.state.reason = why.lost;
                await this.save();
            } else {
                await this.written;
                await removeState(this.order.dir);
            }
            if (why.failure !== undefined) await tell({ type: "failed", message: why.failure });
            if (process.connected) process.disconnect();
            process.exit(why.failure === undefined && why.lost === undefined ? 0 : 1);
        })();
        return this.ending;
    }
}

async function choosePorts(): Promise<Ports> {
    const [etcd = 0, apiserver = 0, controllers = 0, scheduler = 0, kwok = 0] = await freePorts(5);
    return {
        etcd,
        "kube-apiserver": apiserver,
        "kube-controller-manager": controllers,
        "kube-scheduler": scheduler,
        kwok,
    };
}

/** Tells the starter, if it is still there. */
function tell(message: Message): Promise<void> {
    return new Promise((resolve) => {
        if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
        else resolve();
    });
}

if (require.main === module) {
    void new Supervisor(JSON.parse(process.argv[2] ?? "") as Order).main();
}
