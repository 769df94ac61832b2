/**
 * Random lives of Services. Those of a program are created, changed and removed in a simulated cloud with the real
 * cloud's rules. After every change the cloud must be as after a fresh creation of the changed program. A run with
 * --refresh must have nothing to do at last, and after the removal the cloud must be as before.
 *
 * What is said must be so: a preview announces the calls of the run, the report's sentences hold, `check` refuses what
 * a run refuses, `show` and `explain` find what a refresh finds, and remedies remove their findings.
 */
import * as path from "node:path";
import { parseArgs } from "node:util";
import * as fc from "fast-check";
import { Engine } from "../../parity/engine";
import { World } from "../world";
import { KINDS } from "./kinds";
import { walkSync } from "./sync/walk";
import { live } from "./town";

/** Events in the life of a Service under the sync controller. */
const EVENTS = 1_000;

/** Runs random lives, prints failures, and returns their number. */
export async function walk(args: readonly string[]): Promise<number> {
    const { values } = parseArgs({
        args: [...args],
        options: {
            lives: { type: "string", default: "50" },
            seed: { type: "string", default: "1" },
            changes: { type: "string", default: "12" },
            services: { type: "string", default: "24" },
            only: { type: "string" },
            kind: { type: "string", default: "clb" },
            silent: { type: "boolean", default: false },
        },
    });
    const [count, seed] = [Number(values.lives), Number(values.seed)];
    if (values.kind === "sync") return walkController(count, seed);
    const kind = KINDS[values.kind];
    if (kind === undefined) throw new Error(`--kind is one of ${Object.keys(KINDS).join(", ")}, sync`);
    const world = new World();
    await world.start();
    const engine = new Engine(path.join(process.env["LAB_DIR"] ?? "", "project"));
    const total = { changes: 0, refused: 0, edits: 0, ended: 0, wrong: 0 };
    try {
        for (const [index, lives] of fc
            .sample(kind.lives(Number(values.changes)), { numRuns: count, seed })
            .entries()) {
            if (values.only !== undefined && Number(values.only) !== index) continue;
            const { wrong, ...steps } = await live(
                { world, engine, isSilent: values.silent },
                kind,
                lives.slice(0, Number(values.services)),
            );
            for (const step of ["changes", "refused", "edits", "ended"] as const) total[step] += steps[step];
            total.wrong += wrong.length;
            for (const text of wrong) process.stdout.write(`lives ${index}: ${text}\n`);
        }
    } finally {
        engine.close();
    }
    process.stdout.write(
        `walk: ${total.changes} changes, ${total.refused} refused before anything was touched, ` +
            `${total.edits} edits in the console, ${total.ended} runs that ended half-way, ` +
            `${total.wrong} wrong (${values.kind}, seed ${seed})\n`,
    );
    return total.wrong;
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
