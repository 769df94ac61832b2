import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Identity } from "../build/identity";
import { createOnce } from "../build/lock";
import type { Server } from "./programs";

/** Content of `cluster.json` in the folder of a cluster, enough to stop it from any other process. */
export interface ClusterState {
    /** Phase of the cluster. It is "ended" when a program failed and everything has been stopped. */
    phase: "starting" | "ready" | "ended";
    reason?: string;
    detached: boolean;
    /** The process that started the programs and stops them. */
    supervisor: Identity;
    /** In the order of their start. */
    programs: ({ name: Server } & Identity)[];
    /** URL of the API server, once it is known. */
    server?: string;
    /** URL of etcd, once it is known. */
    etcd?: string;
    /** ISO 8601. */
    startedAt: string;
}

export function stateFile(dir: string): string {
    return join(dir, "cluster.json");
}

/** State of the cluster in a folder, or undefined if there is none. */
export async function readState(dir: string): Promise<ClusterState | undefined> {
    let text: string;
    try {
        text = await readFile(stateFile(dir), "utf8");
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
    }
    return JSON.parse(text) as ClusterState;
}

/** Takes the folder for a cluster, and returns false if another cluster has it. */
export function claim(dir: string, state: ClusterState): Promise<boolean> {
    return createOnce(stateFile(dir), format(state));
}

/** Replaces the state. A reader sees the old or the new state, never a part. */
export async function writeState(dir: string, state: ClusterState): Promise<void> {
    const draft = `${stateFile(dir)}.next`;
    await writeFile(draft, format(state), { mode: 0o600 });
    await rename(draft, stateFile(dir));
}

export async function removeState(dir: string): Promise<void> {
    await rm(stateFile(dir), { force: true });
}

function format(state: ClusterState): string {
    return `${JSON.stringify(state, undefined, 2)}\n`;
}
