/**
 * Random lifecycles of a Service. Each Service is created, updated and destroyed in a simulated cloud with the real
 * cloud's rules. After every change a run with --refresh must have nothing to do, and in the end the cloud must be as
 * before.
 */
import { isDeepStrictEqual, parseArgs } from "node:util";
import * as fc from "fast-check";
import { type Engines, resident, type Stack } from "../engines";
import type { Version } from "../service";
import { World } from "../world";
import { clbLifecycles } from "./clb";
import { nlbLifecycles } from "./nlb";
import { walkSync } from "./sync/walk";

/** Events in the life of a Service under the sync controller. */
const EVENTS = 1_000;

/** Runs random lifecycles, prints failures, and returns their number. */
export async function walk(args: readonly string[]): Promise<number> {
    const { values } = parseArgs({
        args: [...args],
        options: {
            lives: { type: "string", default: "50" },
            seed: { type: "string", default: "1" },
            only: { type: "string" },
            kind: { type: "string", default: "clb" },
            verbose: { type: "boolean", default: false },
        },
    });
    const [lives, seed] = [Number(values.lives), Number(values.seed)];
    if (values.kind === "sync") return walkController(lives, seed);
    const world = new World();
    await world.start();
    const engines = resident(world, 8);
    const counts = { good: 0, refused: 0, wrong: 0 };
    const sample = fc.sample(values.kind === "nlb" ? nlbLifecycles : clbLifecycles, { numRuns: lives, seed });
    try {
        for (const [index, life] of sample.entries()) {
            if (values.only !== undefined && Number(values.only) !== index) continue;
            const { verdict, why } = await live(world, engines, life);
            counts[verdict]++;
            if (verdict === "wrong" || values.verbose)
                process.stdout.write(`life ${index}: ${verdict} ${why}\n${JSON.stringify(life, undefined, 1)}\n`);
        }
    } finally {
        engines.close();
    }
    process.stdout.write(
        `walk: ${counts.good} good, ${counts.refused} refused before anything was touched, ` +
            `${counts.wrong} wrong (seed ${seed})\n`,
    );
    return counts.wrong;
}

/** Each life has a seed of its own. No cloud and no cluster: both are simulated in the process. */
async function walkController(lives: number, seed: number): Promise<number> {
    let wrong = 0;
    for (let life = 0; life < lives; life++) {
        const problem = await walkSync(seed + life, EVENTS);
        if (problem === undefined) continue;
        wrong++;
        process.stdout.write(`${problem}\n`);
    }
    process.stdout.write(`walk: ${lives - wrong} good, ${wrong} wrong (seed ${seed}, ${EVENTS} events each)\n`);
    return wrong;
}

/** The result of a step or of a lifecycle: its first failure. */
interface Finding {
    readonly verdict: "good" | "refused" | "wrong";
    readonly why: string;
}

const GOOD: Finding = { verdict: "good", why: "" };
const wrong = (why: string): Finding => ({ verdict: "wrong", why });

/** Runs a lifecycle. A refused version is skipped, and a refused first version refuses the lifecycle. */
async function live(world: World, engines: Engines, life: readonly Version[]): Promise<Finding> {
    await world.prepare();
    const before = await world.state();
    const stack = await engines.stack();
    for (const [index, version] of life.entries()) {
        const finding = await step(stack, world, version);
        if (finding.verdict === "wrong" || (finding.verdict === "refused" && index === 0))
            return { ...finding, why: `step ${index + 1}: ${finding.why}` };
    }
    const end = await stack.up("none");
    if (!end.ok) return wrong(`destroy: ${end.errors.join("\n")}`);
    const left = await world.changesSince(before);
    return left.length === 0 ? GOOD : wrong(`destroy leaves: ${left.join(", ")}`);
}

async function step(stack: Stack, world: World, version: Version): Promise<Finding> {
    const before = await world.exactState();
    const outcome = await stack.up(version);
    const after = await world.exactState();
    if (!outcome.ok) {
        const why = outcome.errors.join("\n");
        if (!outcome.errors.some((text) => /error\[|cannot change from/.test(text))) return wrong(why);
        return isDeepStrictEqual(before, after) ? { verdict: "refused", why } : wrong(`half applied: ${why}`);
    }
    const again = await stack.up(version, true);
    if (!again.ok) return wrong(`refresh: ${again.errors.join("\n")}`);
    if (again.changes > 0) return wrong(`a refresh finds ${again.changes} changes`);
    return isDeepStrictEqual(after, await world.exactState()) ? GOOD : wrong("a second run changes the cloud");
}
