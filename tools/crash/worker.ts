/** The process that runs the scenarios, in an environment that leads into the lab. */
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/repository";
import { applies, type FaultKind, type Point } from "./faults";
import { Processes } from "./processes";
import { type Recovery, Rig } from "./rig";
import { SCENARIOS } from "./scenarios";
import { insertTable, PLACES, renderTable } from "./table";
import { World } from "./world";

export interface CrashOptions {
    /** Scratch folder, which the environment speaks of. */
    readonly dir: string;
    readonly kubeconfig: string;
    readonly only: string;
    readonly faults: readonly FaultKind[];
    readonly every: number;
    readonly offset: number;
    /** Milliseconds of a fault that lasts. */
    readonly outage: number;
    /** True if the engine runs in separate processes. */
    readonly processes: boolean;
    /** Document in which the table is written, none if absent. */
    readonly write?: string;
}

/** Prints the problems at each point, then the table, and returns the number of points with problems. */
async function run(options: CrashOptions): Promise<number> {
    const { dir, processes, outage, every, offset, write } = options;
    const world = new World(process.env["LAB_CLOUD"] ?? "");
    await world.start(options.kubeconfig);
    const recovery = processes ? new Processes(dir, world) : new Rig(path.join(dir, "project"), world, outage);
    const { points, unusable } = await take(recovery, options).finally(() => recovery.close());
    const table = renderTable(points, { every, offset });
    process.stdout.write(table);
    if (write !== undefined) {
        const document = path.join(REPOSITORY, write);
        const place = processes ? PLACES.processes : PLACES.rig;
        fs.writeFileSync(document, insertTable(fs.readFileSync(document, "utf8"), table, place));
    }
    return unusable + points.filter(({ wrong }) => wrong.length > 0).length;
}

async function take(
    recovery: Recovery,
    { only, faults, every, offset }: CrashOptions,
): Promise<{ readonly points: readonly Point[]; readonly unusable: number }> {
    const points: Point[] = [];
    let count = 0;
    let unusable = 0;
    for (const scenario of SCENARIOS.filter(({ name }) => name.includes(only))) {
        const clean = await recovery.clean(scenario).catch((error: unknown) => String(error));
        if (typeof clean === "string" || clean.calls.length === 0) {
            unusable++;
            const why = typeof clean === "string" ? clean : "the run makes no mutating call";
            process.stdout.write(`${scenario.name}: nothing to compare with: ${why}\n`);
            continue;
        }
        const found: Point[] = [];
        for (const [at, call] of clean.calls.entries())
            for (const fault of turned(faults, at).filter((kind) => applies(kind, call)))
                if (count++ % every === offset) found.push(report(await recovery.point(scenario, clean, at, fault)));
        points.push(...found);
        const healed = found.filter(({ wrong }) => wrong.length === 0).length;
        process.stdout.write(`${scenario.name}: ${healed} of ${found.length} healed\n`);
    }
    return { points, unusable };
}

/** Faults in rotated order for each call: any share of the points has some of each fault. */
const turned = (faults: readonly FaultKind[], at: number): FaultKind[] =>
    faults.map((_, index) => faults[(index + at) % faults.length] as FaultKind);

function report(point: Point): Point {
    const { scenario, at, call, fault, wrong } = point;
    for (const text of wrong) process.stdout.write(`${scenario}, call ${at} ${call.action}, ${fault}: ${text}\n`);
    return point;
}

// A refused program may have promises that fail later and do not concern the next program.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);

void run(JSON.parse(process.argv[2] ?? "{}") as CrashOptions).then(
    (wrong) => process.exit(wrong === 0 ? 0 : 1),
    (error: unknown) => {
        process.stdout.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
        process.exit(1);
    },
);
