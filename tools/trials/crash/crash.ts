/**
 * Runs a scenario with a fault at one of its mutating calls, runs it again, and compares the cloud with its state after
 * an undisturbed run, and likewise after a destroy. Or removes the Service after the fault, and compares the cloud with
 * its state after an undisturbed run and a destroy.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { REPOSITORY } from "../../../lab/repository";
import type { Outcome } from "../../parity/engine";
import { type Engines, processes, resident, type Stack } from "../engines";
import type { Version } from "../service";
import { type Call, type Canonical, World } from "../world";
import { applies, ENDS, type FaultKind, FAULTS, faultsFor, KILLS, OUTAGE, type Point } from "./faults";
import { type Scenario, SCENARIOS } from "./scenarios";
import { insertTable, PLACES, renderTable } from "./table";

/** Prints the problems at each point, then the table, and returns the number of points with problems. */
export async function crash(args: readonly string[]): Promise<number> {
    const { values } = parseArgs({
        args: [...args],
        options: {
            only: { type: "string", multiple: true, default: [""] },
            faults: { type: "string", default: "" },
            every: { type: "string", default: "1" },
            offset: { type: "string", default: "0" },
            outage: { type: "string", default: String(OUTAGE / 1000) },
            processes: { type: "boolean", default: false },
            remove: { type: "boolean", default: false },
            write: { type: "boolean", default: false },
        },
    });
    const [every, offset] = [Number(values.every), Number(values.offset)];
    const all = values.processes ? KILLS : values.remove ? ENDS : FAULTS;
    const faults = all.filter((kind) => values.faults === "" || values.faults.split(",").includes(kind));
    const world = new World();
    await world.start();
    const engines = values.processes ? processes(world) : resident(world, 1, { checkpoints: true });
    const recovery = new Recovery(world, engines, Number(values.outage) * 1000);
    const points: Point[] = [];
    let count = 0;
    let unusable = 0;
    try {
        for (const scenario of SCENARIOS.filter(({ name }) => values.only.some((part) => name.includes(part)))) {
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
                    if (count++ % every === offset)
                        found.push(report(await recovery.point(scenario, clean, at, fault, values.remove)));
            points.push(...found);
            process.stdout.write(`${scenario.name}: ${found.length - bad(found)} of ${found.length} healed\n`);
        }
    } finally {
        engines.close();
    }
    const table = renderTable(points, { every, offset }, values.remove);
    process.stdout.write(table);
    if (values.write) {
        const document = path.join(REPOSITORY, "docs/internal/recovery-tables.md");
        const place = values.remove ? PLACES.removals : values.processes ? PLACES.processes : PLACES.rig;
        fs.writeFileSync(document, insertTable(fs.readFileSync(document, "utf8"), table, place));
    }
    return unusable + bad(points);
}

const bad = (points: readonly Point[]): number => points.filter(({ wrong }) => wrong.length > 0).length;

/** Faults in rotated order for each call: any share of the points has some of each fault. */
const turned = (faults: readonly FaultKind[], at: number): FaultKind[] =>
    faults.map((_, index) => faults[(index + at) % faults.length] as FaultKind);

function report(point: Point): Point {
    const { scenario, at, call, fault, wrong } = point;
    for (const text of wrong) process.stdout.write(`${scenario}, call ${at} ${call.action}, ${fault}: ${text}\n`);
    return point;
}

/** An undisturbed run, to compare with. */
interface Clean {
    readonly calls: readonly Call[];
    /** The cloud after the run, and after a destroy that follows. */
    readonly after: Canonical;
    readonly destroyed: Canonical;
}

/** Takes scenarios through a fault. */
class Recovery {
    /** @param outage milliseconds of a fault that lasts */
    constructor(
        private readonly world: World,
        private readonly engines: Engines,
        private readonly outage: number,
    ) {}

    /** Runs a scenario undisturbed. @throws Error if that fails: then there is nothing to compare with */
    async clean(scenario: Scenario): Promise<Clean> {
        const stack = await this.#prepare(scenario);
        const since = await this.world.lastCall();
        succeed("the run", await stack.up(scenario.run));
        const calls = await this.world.mutating(since);
        const after = await this.world.state();
        succeed("the destroy", await stack.up(scenario.without ?? "none"));
        return { calls, after, destroyed: await this.world.state() };
    }

    /**
     * Runs a scenario with a fault at a call, repeats it without the fault, and takes everything away.
     *
     * @param remove takes everything away without the repetition
     */
    async point(scenario: Scenario, clean: Clean, at: number, fault: FaultKind, remove: boolean): Promise<Point> {
        const call = clean.calls[at] ?? { product: "", action: "" };
        const stack = await this.#prepare(scenario);
        const found = await this.#interrupt(stack, scenario, clean, { at, call, fault, remove }).finally(() =>
            this.world.fail([]),
        );
        return { scenario: scenario.name, at, call, fault, ...found };
    }

    async #interrupt(
        stack: Stack,
        { run: version, without }: Scenario,
        clean: Clean,
        { at, call, fault, remove }: Pick<Point, "at" | "call" | "fault"> & { readonly remove: boolean },
    ): Promise<Pick<Point, "refreshed" | "wrong">> {
        const isKilled = KILLS.includes(fault);
        await this.world.fail(faultsFor(fault, at, call, this.outage));
        const first = isKilled ? await this.#kill(stack, version) : await stack.up(version);
        if (!(await this.world.isHit())) return { refreshed: false, wrong: ["the call was not made"] };
        await (isKilled ? this.world.release() : this.world.fail([]));
        if (remove) {
            const left = await this.#problems("removal", await stack.up(without ?? "none"), clean.destroyed);
            return { refreshed: false, wrong: left };
        }
        let wrong = await this.#problems("next run", await stack.up(version), clean.after);
        // A run that failed has recorded what the plugin only tried to set.
        const refreshed = wrong.length > 0 && first?.ok === false;
        if (refreshed) wrong = await this.#problems("next run", await stack.up(version, true), clean.after);
        const left = await this.#problems("destroy", await stack.up(without ?? "none"), clean.destroyed);
        return { refreshed, wrong: [...wrong, ...left] };
    }

    /** Kills a run while a call is under way, which then has its effect, or has none. */
    async #kill(stack: Stack, version: Version | "none"): Promise<undefined> {
        let isOver = false;
        await stack.upUntil(
            version,
            this.world.untilHit(() => isOver),
        );
        isOver = true;
    }

    async #problems(run: string, { ok, errors }: Outcome, expected: Canonical): Promise<readonly string[]> {
        const found = ok ? await this.world.changesSince(expected) : errors;
        return found.map((text) => `the ${run} ${ok ? "leaves" : "fails"}: ${text}`);
    }

    /** A cloud, a cluster and a stack as they are before the run. */
    async #prepare({ seed, before = [] }: Scenario): Promise<Stack> {
        await this.world.prepare(seed);
        const stack = await this.engines.stack();
        for (const version of before) succeed("what comes before", await stack.up(version));
        return stack;
    }
}

function succeed(what: string, { ok, errors }: Outcome): void {
    if (!ok) throw new Error(`${what} fails: ${errors.join("\n")}`);
}
