/**
 * `make bench-waves`: the duration of runs with hundreds of writes, compared with the least time that the published
 * quotas allow.
 *
 * A creation, an added node and a change of every listener, each with the most frequent write, the least time for its
 * quota, and the calls that were refused for their rate. `--services 100` sets the number of Services.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { type Call, countByAction, REPOSITORY, type Session } from "../../lab";
import { PUBLISHED_RATES } from "../../lab/cloud/core/config";
import { Stack } from "../../test/support/world";
import { creating, startWorld, writeManifests } from "./world";

/** Steps that the engine takes at once: enough for the quotas, not the steps, to decide. */
const PARALLEL = "64";

/** The plugin waits as long as the real plugin between its calls. */
process.env["LAB_ALICLOUD_SLEEP"] = "1";

const { values } = parseArgs({ options: { services: { type: "string", default: "100" } } });

interface Wave {
    readonly what: string;
    /** The action that was called most often, and how often. */
    readonly action: string;
    readonly count: number;
    /** Seconds from the first write to the last, and the least that the quota allows. */
    readonly seconds: number;
    readonly least: number;
    readonly throttled: number;
}

/** Returns the figures of a run's calls. `least` is the earliest possible time of the action's last call. */
function waveOf(what: string, calls: readonly Call[]): Wave {
    const writes = calls.filter(({ mutating, origin, code }) => mutating && origin === "api" && code === "OK");
    const [action, count] = Object.entries(countByAction(writes)).sort((a, b) => b[1] - a[1])[0] ?? ["none", 0];
    const times = writes.map(({ time }) => Date.parse(time));
    const rate = PUBLISHED_RATES["Slb.write"] ?? { calls: 1, seconds: 0 };
    return {
        what,
        action,
        count,
        seconds: (Math.max(...times) - Math.min(...times)) / 1000,
        least: Math.floor(Math.max(0, count - 1) / rate.calls) * rate.seconds,
        throttled: calls.filter(({ code }) => code.startsWith("Throttling")).length,
    };
}

async function measure(session: Session, stack: Stack, what: string): Promise<void> {
    const since = await session.lastCall();
    const flags = ["--yes", "--skip-preview", "--parallel", PARALLEL];
    stack.succeed(await stack.run("up", flags, { env: creating(Number(values.services)) }));
    const wave = waveOf(what, await session.calls(since));
    const { action, count, seconds, least, throttled } = wave;
    const ratio = least === 0 ? "within the first window" : `${(seconds / least).toFixed(2)} times the least`;
    process.stdout.write(
        `${what}: ${count} calls of ${action}, ${seconds.toFixed(0)} s, the quota allows ${least} s (${ratio}); ` +
            `${throttled} calls refused for their rate\n`,
    );
}

async function main(): Promise<void> {
    const services = Number(values.services);
    const session = await startWorld(3);
    await session.cloud("/_config", { rateLimits: "published" });
    const stack = await Stack.create(session, "waves", []);
    try {
        const write = (changed: boolean): void =>
            writeManifests(stack.manifests, services, { changed: changed ? services : 0, policy: "Cluster" });
        write(false);
        await measure(session, stack, "creation");
        await session.lab.addNode({ name: "node-late" });
        await measure(session, stack, "a node arrives");
        write(true);
        await measure(session, stack, "every listener changes");
    } finally {
        fs.rmSync(path.join(REPOSITORY, `Pulumi.${stack.name}.yaml`), { force: true });
        await session.lab.stop();
    }
}

void main();
