/** The process that runs the scenarios, in an environment that leads into the lab. */
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "../../lab/environment";
import { applies, type FaultKind, type Point, Rig } from "./rig";
import { SCENARIOS } from "./scenarios";
import { insertTable, renderTable } from "./table";

/** What is run. */
export interface CrashOptions {
    /** Scratch folder, which the environment speaks of. */
    readonly dir: string;
    readonly kubeconfig: string;
    readonly only: string;
    readonly faults: readonly FaultKind[];
    readonly every: number;
    readonly write: boolean;
}

const DOCUMENT = path.join(REPOSITORY, "docs/recovery.md");

/** Prints what is wrong at each point, then the table; the number of points at which something is. */
async function run({ dir, kubeconfig, only, faults, every, write }: CrashOptions): Promise<number> {
    const rig = new Rig(dir, process.env["LAB_CLOUD"] ?? "");
    await rig.start(kubeconfig);
    const points: Point[] = [];
    let count = 0;
    let unusable = 0;
    try {
        for (const scenario of SCENARIOS.filter(({ name }) => name.includes(only))) {
            const clean = await rig.clean(scenario).catch((error: unknown) => String(error));
            if (typeof clean === "string") {
                unusable++;
                process.stdout.write(`${scenario.name}: nothing to compare with: ${clean}\n`);
                continue;
            }
            const found: Point[] = [];
            for (const [at, call] of clean.calls.entries())
                for (const fault of faults.filter((kind) => applies(kind, call)))
                    if (count++ % every === 0) found.push(report(await rig.point(scenario, clean, at, fault)));
            points.push(...found);
            const healed = found.filter(({ wrong }) => wrong.length === 0).length;
            process.stdout.write(`${scenario.name}: ${healed} of ${found.length} healed\n`);
        }
    } finally {
        rig.close();
    }
    const table = renderTable(points);
    process.stdout.write(table);
    if (write) fs.writeFileSync(DOCUMENT, insertTable(fs.readFileSync(DOCUMENT, "utf8"), table));
    return unusable + points.filter(({ wrong }) => wrong.length > 0).length;
}

function report(point: Point): Point {
    const { scenario, at, call, fault, wrong } = point;
    for (const text of wrong) process.stdout.write(`${scenario}, call ${at} ${call.action}, ${fault}: ${text}\n`);
    return point;
}

// A refused program may have promises that fail later; they do not concern the next one.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);

void run(JSON.parse(process.argv[2] ?? "{}") as CrashOptions).then(
    (wrong) => process.exit(wrong === 0 ? 0 : 1),
    (error: unknown) => {
        process.stdout.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
        process.exit(1);
    },
);
