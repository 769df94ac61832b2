/**
 * `node dist/bench/sync/main.js [--services 200] [--groups 500]`: resources that the sync controller needs, with the
 * lab's real control plane and a simulated cloud with 100 ms per call and the published rate limits.
 *
 * - Time from the change of an endpoint to the call that the cloud has accepted, for one Service and for many at once.
 * - A node that joins many Services in Cluster mode: time against what the write quota allows, calls, throttled calls.
 * - Memory, processor and calls with nothing to do.
 * - The same time for changes of healthy Services, beside others that the cloud refuses.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { type Call, REPOSITORY, type Session, Session as LabSession, startLab, waitFor } from "../../lab";
import { createAll } from "../parallel";
import { usageOf } from "../scale/usage";
import { addressSpec, ENDPOINTS, installDefinition, nodeSpec, type Objects, objectsFor, refusedSpec } from "./objects";

/** Milliseconds that the simulated cloud takes for a call. */
const CALL_MS = 100;

/** Published write quota of an NLB action. Source: NLB API rate quotas. */
const WRITES = { calls: 200, seconds: 60 };

/** Changes of the one Service. */
const ROUNDS = 20;

/** Seconds for which nothing happens. */
const IDLE_SECONDS = 30;

/** Changes within a minute among refused groups. Each tenth is of a healthy Service. */
const CHANGES = 2_000;

const { values } = parseArgs({
    options: { services: { type: "string", default: "200" }, groups: { type: "string", default: "500" } },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const acceptedAt = ({ time, durationMs }: Call): number => Date.parse(time) + durationMs;

function percentile(sorted: readonly number[], share: number): string {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
    return `${(value / 1000).toFixed(2)} s`;
}

/** The log of calls is long: reading it all the time would be what is measured. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));

/**
 * Adds an endpoint to Services at once, and returns the milliseconds from each change to the accepted call of its
 * group.
 */
async function latency(session: Session, objects: Objects, services: readonly number[]): Promise<number[]> {
    const since = await session.lastCall();
    const changed = new Map<string, number>();
    await Promise.all(
        services.map(async (index) => {
            changed.set(objects.addressGroup(index), Date.now());
            await objects.addEndpoints(index, 1);
        }),
    );
    return follow(session, since, changed);
}

/**
 * Changes healthy and refused Services for a minute, and returns the milliseconds of {@link latency} for the healthy
 * Services.
 */
async function besideRefused(session: Session, objects: Objects, healthy: number, total: number): Promise<number[]> {
    const since = await session.lastCall();
    const changed = new Map<string, number>();
    const patches: Promise<void>[] = [];
    const began = Date.now();
    for (let number = 0; number < CHANGES; number++) {
        const wait = began + (number * 60_000) / CHANGES - Date.now();
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        const [round, nth] = [Math.floor(number / 10), number % 10];
        const more = round % 2 === 0 ? 1 : -1;
        if (nth > 0) patches.push(objects.addEndpoints(healthy + (number % (total - healthy)), more));
        else if (round < healthy) {
            changed.set(objects.addressGroup(round), Date.now());
            patches.push(objects.addEndpoints(round, more));
        }
    }
    await Promise.all(patches);
    return follow(session, since, changed);
}

/** Waits until groups have followed, and returns the milliseconds from the change of each to its accepted call. */
async function follow(session: Session, since: number, changed: ReadonlyMap<string, number>): Promise<number[]> {
    const written = await waitFor(
        `${changed.size} groups follow`,
        async () => {
            await rest();
            const found = (await session.calls(since)).filter(
                ({ mutating, code, params }) => mutating && code === "OK" && changed.has(params["ServerGroupId"] ?? ""),
            );
            return found.length >= changed.size ? found : undefined;
        },
        { timeout: 300_000 },
    );
    return written
        .map((call) => acceptedAt(call) - (changed.get(call.params["ServerGroupId"] ?? "") ?? Number.NaN))
        .sort((a, b) => a - b);
}

async function main(): Promise<void> {
    const lab = await startLab();
    const session = new LabSession(lab);
    const controller = spawn(
        process.execPath,
        [
            "dist/cli/main.js",
            "sync",
            "--namespace",
            "default",
            "--port",
            "0",
            "--resync-seconds",
            "86400",
            "--cluster-id",
            "c-bench",
        ],
        { cwd: REPOSITORY, env: lab.env, stdio: ["ignore", "ignore", "inherit"] },
    );
    try {
        const machines: string[] = [];
        for (const name of ["node-1", "node-2", "node-3"])
            machines.push(((await lab.addNode({ name })).spec.providerID ?? "").split(".")[1] ?? "");
        await installDefinition(session);
        const [many, total] = [Number(values.services), Number(values.groups)];
        const objects = objectsFor(session);
        await session.cloud("/_config", { quotas: { nlbAttachmentsPerServer: 100_000 } });
        await createAll(total, (index) => objects.createService(index));
        const all = Array.from({ length: total }, (_, index) => index);
        await objects.createGroups(all.slice(0, many), "addresses");
        await objects.createGroups(all, "nodes", machines);
        await objects.createGroups(all.slice(many), "refused");
        await session.cloud("/_config", { delays: { request: CALL_MS }, rateLimits: "published" });

        await objects.bind(0, addressSpec);
        await objects.synced(1);
        const one: number[] = [];
        for (let round = 0; round < ROUNDS; round++) one.push(...(await latency(session, objects, [0])));
        one.sort((a, b) => a - b);
        say(
            "one Service: " +
                `p50 ${percentile(one, 0.5)}, p99 ${percentile(one, 0.99)} from the change to the accepted call`,
        );
        const windowEnds = Date.now() + WRITES.seconds * 1000;

        await createAll(many - 1, (index) => objects.bind(index + 1, addressSpec));
        await objects.synced(many);
        // The quota's window begins anew.
        await new Promise((resolve) => setTimeout(resolve, windowEnds - Date.now()));
        const atOnce = await latency(session, objects, all.slice(0, many));
        say(`${many} Services at once: p50 ${percentile(atOnce, 0.5)}, p99 ${percentile(atOnce, 0.99)}`);
        const nextWindow = Date.now() + WRITES.seconds * 1000;

        await createAll(many, (index) => objects.unbind(index));
        await createAll(total, (index) => objects.bind(index, nodeSpec));
        await objects.synced(total);
        const idleSince = await session.lastCall();
        const idle = usageOf(controller.pid ?? 0);
        await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000));
        const later = usageOf(controller.pid ?? 0);
        say(
            `nothing to do, ${total} Services and ${total * ENDPOINTS} endpoints: ` +
                `${((100 * (later.cpu - idle.cpu)) / IDLE_SECONDS).toFixed(1)} % of a processor, ` +
                `${later.memory.toFixed(0)} MB, ` +
                `${(await session.calls(idleSince)).length} calls in ${IDLE_SECONDS} s`,
        );
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextWindow - Date.now())));

        const since = await session.lastCall();
        const began = Date.now();
        await lab.addNode({ name: "node-4" });
        const writes = await waitFor(
            "every group has the node",
            async () => {
                await rest();
                const found = (await session.calls(since)).filter(({ mutating, code }) => mutating && code === "OK");
                return found.length >= total ? found : undefined;
            },
            { timeout: 900_000 },
        );
        const seconds = (Math.max(...writes.map(acceptedAt)) - began) / 1000;
        const allowed = Math.floor((total - 1) / WRITES.calls) * WRITES.seconds;
        const throttled = (await session.calls(since)).filter(({ code }) => code.includes("Throttling"));
        const groups = new Set(writes.map(({ params }) => params["ServerGroupId"])).size;
        say(
            `a node joins ${total} Services: ${seconds.toFixed(1)} s (the write quota allows ${allowed} s), ` +
                `${writes.length} writes of ${groups} groups, ` +
                `${throttled.length} throttled${[...new Set(throttled.map(({ action }) => ` ${action}`))].join()}; ` +
                `${usageOf(controller.pid ?? 0).memory.toFixed(0)} MB`,
        );

        await createAll(total, (index) => objects.unbind(index));
        const match = { ServerGroupId: "/^sgp-refused-/" };
        await session.cloud("/_faults", { action: "AddServersToServerGroup", match, code: "QuotaInsufficient" });
        await createAll(many, (index) => objects.bind(index, addressSpec));
        await createAll(total - many, (index) => objects.bind(many + index, refusedSpec));
        await objects.synced(many);
        await objects.synced(total - many, "CallRefused");
        await new Promise((resolve) => setTimeout(resolve, WRITES.seconds * 1000));
        const beside = await besideRefused(session, objects, many, total);
        say(
            `${many} Services beside ${total - many} refused ones, ${CHANGES} changes in a minute: ` +
                `p50 ${percentile(beside, 0.5)}, p99 ${percentile(beside, 0.99)}`,
        );
    } finally {
        controller.kill("SIGTERM");
        await lab.stop();
    }
}

void main();
