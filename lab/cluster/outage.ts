/** Outages of the API server, and of what etcd remembers, in a cluster that otherwise goes on. */
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./http";
import { isAlive, signal, waitForEnd } from "../build/identity";
import { readKubeconfig } from "./kubeconfig";
import { FILES } from "./programs";
import { GRACE, START_LIMIT } from "./run";
import { type ClusterState, readState } from "./state";

/** File that exists from the killing to the start. It says which of both was asked for last. */
const outageFile = (dir: string): string => join(dir, FILES.outage);

/**
 * For whoever starts the programs, when the API server has ended: waits until an outage is over.
 * @returns false if none was asked for.
 */
export async function waitForOutage(dir: string): Promise<boolean> {
    if (!existsSync(outageFile(dir))) return false;
    while ((await readFile(outageFile(dir), "utf8")) !== "over") await sleep(50);
    await rm(outageFile(dir));
    return true;
}

/**
 * Kills the API server (SIGKILL). It is down until {@link startApiServer}, while all other programs run on. Returns
 * when it has ended.
 * @throws Error if no cluster runs in the folder.
 */
export async function killApiServer(dir: string): Promise<void> {
    const server = (await running(dir)).programs.find(({ name }) => name === "kube-apiserver");
    if (server === undefined) throw new Error(`the cluster in ${dir} has no API server`);
    await writeFile(outageFile(dir), "asked for");
    signal(server, "SIGKILL");
    if (!(await waitForEnd(server, GRACE))) throw new Error(`process ${server.pid} does not end`);
}

/**
 * Ends the outage: the API server starts with its former port, certificate and data. Returns when it is ready.
 * @throws Error if no cluster runs in the folder, or the API server is not ready in time.
 */
export async function startApiServer(dir: string): Promise<void> {
    if (existsSync(outageFile(dir))) await writeFile(outageFile(dir), "over");
    const { server, certificate, token } = await readKubeconfig(join(dir, FILES.kubeconfig));
    const headers = { Authorization: `Bearer ${token}` };
    const isReady = async (): Promise<boolean> =>
        (await call(`${server}/readyz`, { headers, certificate }).catch(() => undefined))?.status === 200;
    const end = Date.now() + START_LIMIT;
    while (!(await isReady())) {
        await running(dir);
        if (Date.now() > end) throw new Error(`the API server was not up after ${START_LIMIT / 1000} s`);
        await sleep(50);
    }
}

/**
 * Makes etcd forget every earlier version of every object, as it does by itself every five minutes.
 * @throws Error if no cluster runs in the folder, or etcd refuses.
 */
export async function compactEtcd(dir: string): Promise<void> {
    const { etcd } = await running(dir);
    const ask = async (path: string, body: object): Promise<unknown> => {
        const answer = await call(`${etcd}${path}`, { method: "POST", body: JSON.stringify(body) });
        if (answer.status !== 200) throw new Error(`etcd answers ${answer.status}: ${answer.body}`);
        return JSON.parse(answer.body);
    };
    // The key does not matter: each answer names the newest revision.
    const { header } = (await ask("/v3/kv/range", { key: "Lw==" })) as { header: { revision: string } };
    await ask("/v3/kv/compaction", { revision: header.revision, physical: true });
}

async function running(dir: string): Promise<ClusterState> {
    const state = await readState(dir);
    if (state === undefined || !isAlive(state.supervisor)) throw new Error(`no cluster runs in ${dir}`);
    return state;
}
