import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { removeScratch, tailOf } from "./folder";
import { isAlive, signal, terminate, waitForEnd } from "../build/identity";
import { installTools } from "./install";
import { repositoryRoot } from "./layout";
import { heartbeat, type Report } from "../build/progress";
import { DEFAULT_NETWORK, FILES, logFile, STOP_ORDER, type Network, type Server } from "./programs";
import { GRACE } from "./run";
import type { Tools } from "./sources";
import { readState, removeState, stateFile, type ClusterState } from "./state";
import type { Message, Order } from "./supervisor";

export interface StartOptions {
    /** Folder of the cluster, made if missing. It holds one cluster at a time, and keeps the logs after a stop. */
    dir: string;
    /** True: the cluster outlives this process, until `stopCluster`. False (the default): it ends with it. */
    detached?: boolean;
    /** CIDRs of pods and Services, by default 172.20.0.0/16 and 172.21.0.0/20. */
    network?: Partial<Network>;
    /** Programs to run. By default they are looked for and, if need be, built. */
    tools?: Tools;
    /** Gets a line for each step. */
    report?: Report;
}

export interface Cluster {
    dir: string;
    /** File with the access data of an administrator. */
    kubeconfig: string;
    /** URL of the API server. */
    server: string;
    /** Program that fits the cluster. */
    kubectl: string;
    pids: Record<Server | "supervisor", number>;
    /** Ends the cluster and returns when no process is left. */
    stop(): Promise<void>;
}

/**
 * Starts a control plane without nodes on free ports of 127.0.0.1 and returns when it can be used.
 * @throws Error if the folder has a running cluster, or a program is missing or does not come up (with the end of its
 * log). Nothing runs then.
 */
export async function startCluster(options: StartOptions): Promise<Cluster> {
    const { report = () => undefined, detached = false } = options;
    const dir = resolve(options.dir);
    await mkdir(join(dir, FILES.logs), { recursive: true });
    const before = await readState(dir);
    if (before !== undefined && isAlive(before.supervisor)) {
        throw new Error(`a cluster runs in ${dir} already (process ${before.supervisor.pid}); stop it first`);
    }
    if (before !== undefined) {
        report("clearing what an earlier cluster left here");
        await stopCluster(dir);
    }
    const tools = options.tools ?? (await installTools(report));
    const network = { ...DEFAULT_NETWORK, ...options.network };
    const supervisor = launchSupervisor({ dir, tools, network, detached });
    const stopTelling = heartbeat(report, 5, (elapsed) => `starting for ${elapsed} s`);
    try {
        await started(supervisor, dir, report);
    } finally {
        stopTelling();
    }
    if (detached) supervisor.disconnect();
    else supervisor.channel?.unref();
    supervisor.unref();
    return describe(dir, tools, await readState(dir));
}

function launchSupervisor(order: Order): ChildProcess {
    const log = openSync(logFile(order.dir, "supervisor"), "w");
    try {
        // A session of its own: Ctrl-C at a terminal ends the starter, and the supervisor then stops things in order.
        return spawn(
            process.execPath,
            [join(repositoryRoot(), "dist/lab/cluster/supervisor.js"), JSON.stringify(order)],
            {
                cwd: order.dir,
                detached: true,
                env: { ...process.env, NODE_OPTIONS: "--max-old-space-size=64" },
                stdio: ["ignore", log, log, "ipc"],
            },
        );
    } finally {
        closeSync(log);
    }
}

function started(supervisor: ChildProcess, dir: string, report: Report): Promise<void> {
    return new Promise((resolve, reject) => {
        let failure: string | undefined;
        supervisor.on("message", (message: Message) => {
            if (message.type === "progress") report(message.line);
            else if (message.type === "ready") resolve();
            else failure = message.message;
        });
        supervisor.once("error", reject);
        // A failed supervisor ends by itself after it has stopped the programs. "close" comes after its last message.
        supervisor.once("close", (code, name) => {
            const log = logFile(dir, "supervisor");
            void tailOf(log).then((tail) =>
                reject(
                    new Error(failure ?? `the cluster's supervisor ended (${name ?? code}). End of ${log}:\n${tail}`),
                ),
            );
        });
    });
}

function describe(dir: string, tools: Tools, state: ClusterState | undefined): Cluster {
    if (state?.server === undefined) throw new Error(`${stateFile(dir)} is gone`);
    const pids = Object.fromEntries(state.programs.map(({ name, pid }) => [name, pid])) as Record<Server, number>;
    return {
        dir,
        kubeconfig: join(dir, FILES.kubeconfig),
        server: state.server,
        kubectl: tools.binaries.kubectl,
        pids: { ...pids, supervisor: state.supervisor.pid },
        stop: async () => void (await stopCluster(dir)),
    };
}

/**
 * Ends the cluster of a folder, whichever process started it, also after a crash. Returns when no process remains and
 * the folder has only logs. Never signals another process with a recycled number.
 * @returns false if there was no cluster.
 */
export async function stopCluster(dir: string): Promise<boolean> {
    const folder = resolve(dir);
    const first = await readState(folder);
    if (first === undefined) return false;
    signal(first.supervisor, "SIGTERM");
    // The supervisor gives each program its grace in turn.
    if (!(await waitForEnd(first.supervisor, (STOP_ORDER.length + 1) * GRACE))) await terminate(first.supervisor, 0);
    const left = (await readState(folder)) ?? first;
    for (const name of STOP_ORDER) {
        for (const program of left.programs) {
            if (program.name === name) await terminate(program, GRACE);
        }
    }
    await removeScratch(folder);
    await removeState(folder);
    return true;
}

/** Known state of the cluster of a folder. */
export interface ClusterStatus {
    state: ClusterState;
    /** Programs, and the supervisor, with true for those that still run. */
    alive: Record<string, boolean>;
}

/** State of the cluster of a folder, or undefined if there is none. */
export async function clusterStatus(dir: string): Promise<ClusterStatus | undefined> {
    const state = await readState(resolve(dir));
    if (state === undefined) return undefined;
    const alive: Record<string, boolean> = { supervisor: isAlive(state.supervisor) };
    for (const program of state.programs) alive[program.name] = isAlive(program);
    return { state, alive };
}
