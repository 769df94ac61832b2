/** Services of a program, each with its own life, which change together. */
import { isDeepStrictEqual } from "node:util";
import { REPLACEABLE } from "../../../provider/plan/immutability";
import type { Stack } from "../../parity/engine";
import { nameOf, type Version } from "../service";
import { type Canonical, NODE_STATES } from "../world";
import { edited, halfway, judged } from "./events";
import type { Kind } from "./kinds";
import { deviations } from "./oracle";
import { changed } from "./pairs";
import { removePreserved } from "./preserved";
import { followedBySync, isRefusal, PARALLEL, type Place, type Program, spoken, storyOf, up } from "./runs";
import { isService, type Life, named } from "./versions";

/** Number of steps from edits in the console to the next, and from a run that ends half-way to the next. */
const BETWEEN_EDITS = 3;
const BETWEEN_ENDS = 4;
/** Number of steps from a step without the sync controller to the next, about. */
const BETWEEN_SWITCHES = 4;
/** Number of calls that a run which ends half-way makes at most. */
const CALLS = 24;

/** Numbers of what happens to a program's Services. */
export interface Steps {
    /** Changes that were made, and those that were refused before anything was touched. */
    readonly changes: number;
    readonly refused: number;
    /** Edits in the console, and runs that ended half-way. */
    readonly edits: number;
    readonly ended: number;
}

/** Result of the lives of a program's Services. */
export interface Result extends Steps {
    /** Problems that were found. */
    readonly wrong: readonly string[];
}

/** Cloud after a change. */
interface Reached {
    readonly from: Program;
    readonly to: Program;
    readonly state: Canonical;
}

/** Program without a Service. */
const NOTHING: Program = { services: [], settings: 0, node: 0, synced: false };

/** Creates Services, changes and removes them, and compares the cloud after each change with a fresh creation. */
export async function live(place: Place, kind: Kind, lives: readonly Life[]): Promise<Result> {
    const { world, engine } = place;
    await world.prepare(kind.seed);
    const empty = await world.state();
    const stack = await engine.stack(PARALLEL);
    const first = lives.map((life, index) => named(life.first, index));
    const start: Program = { ...NOTHING, services: first, synced: kind.synced === true };
    const made = await spoken(place, kind, stack, start);
    if (!made.outcome.ok) {
        const wrong = [`creation: ${made.outcome.errors.join("\n")}`];
        return { changes: 0, refused: 0, edits: 0, ended: 0, wrong };
    }
    const { reached, untrue, problem, ...rest } = await changeAll(place, kind, stack, start, lives);
    const wrong = [
        ...made.untrue,
        ...untrue,
        ...(problem === undefined ? await endOf(place, kind, stack, reached.at(-1)?.to ?? start, empty) : [problem]),
    ];
    for (const one of reached) wrong.push(...(await compare(place, kind, one)));
    return { ...rest, changes: reached.reduce((sum, { from, to }) => sum + differing(from, to).length, 0), wrong };
}

/** Makes all changes, until a change fails. */
async function changeAll(place: Place, kind: Kind, stack: Stack, start: Program, lives: readonly Life[]) {
    const reached: Reached[] = [];
    const untrue: string[] = [];
    let [current, refused, edits, ended] = [start, 0, 0, 0];
    for (let step = 0; step < (lives[0]?.changes.length ?? 0); step++) {
        if (!place.isSilent) untrue.push(...(await judged(place, kind, stack, { current, lives, step })));
        const before = await place.world.whole();
        const desired = drafted(kind, current, lives, step);
        const scaled = current.synced && step % 4 < 2 ? scaledAs(current, desired) : current;
        if (differing(current, scaled).length > 0) {
            untrue.push(...(await followedBySync(place, kind, stack, current, scaled)));
            reached.push({ from: current, to: scaled, state: await place.world.state() });
            current = scaled;
        }
        if (!place.isSilent && step % BETWEEN_ENDS === 1) {
            const calls = lives[0]?.changes[step]?.parts[1] ?? 0;
            const end = await halfway(place, kind, stack, current, desired, calls % CALLS);
            untrue.push(...end.untrue);
            if (end.isHit) ended++;
        }
        const made = await change(place, kind, stack, current, desired, step % 2 === 1);
        untrue.push(...made.untrue);
        if (made.problem !== undefined) return { reached, refused, edits, ended, untrue, problem: made.problem };
        refused += made.refused;
        const left = new Set(made.next.services.filter(({ away }) => away !== undefined).map(nameOf));
        untrue.push(...(await removePreserved(place.world, before, current.services, left)));
        if (differing(current, made.next).length > 0)
            reached.push({ from: current, to: made.next, state: await place.world.state() });
        current = made.next;
        if (!place.isSilent && step % BETWEEN_EDITS === 1) {
            const seen = await edited(place, kind, stack, { current, lives, step });
            untrue.push(...seen.untrue);
            edits += seen.edits;
        }
    }
    return { reached, refused, edits, ended, untrue };
}

/** Refreshes and removes all. Returns what is wrong. */
async function endOf(place: Place, kind: Kind, stack: Stack, last: Program, empty: Canonical): Promise<string[]> {
    const again = await up(place, kind, stack, last, true);
    const before = await place.world.whole();
    const end = await up(place, kind, stack, NOTHING);
    const preserved = await removePreserved(place.world, before, last.services, new Set(last.services.map(nameOf)));
    const left = end.ok ? deviations(await place.world.state(), empty) : [];
    return [
        ...(again.ok && again.changes === 0
            ? []
            : [`a refresh finds ${again.changes} changes: ${again.errors.join("\n")}\n${JSON.stringify(last)}`]),
        ...(end.ok ? [] : [`destroy: ${end.errors.join("\n")}\n${JSON.stringify(last)}`]),
        ...preserved,
        ...left.map((line) => `destroy leaves ${line}`),
    ];
}

/** Returns the program after the changes of a step. */
function drafted(kind: Kind, current: Program, lives: readonly Life[], step: number): Program {
    const services = current.services.map(({ allowReplacement: _, ...version }, index) => {
        const draft = lives[index]?.changes[step];
        if (draft === undefined) return version;
        if (version.away === undefined && draft.leaves) return { ...version, away: draft.leaves };
        const { away: _away, ...back } = changed(version, { ...draft, to: named(draft.to, index) });
        return back;
    });
    const [first, second, third] = lives.map(({ changes }) => changes[step]?.parts[0] ?? 0);
    const settings = (first ?? 0) % (kind.shared?.length ?? 1);
    // The node changes in every other step.
    const node = step % 2 === 0 ? current.node : (second ?? 0) % NODE_STATES.length;
    return { services, settings, node, synced: kind.synced === true && (third ?? 0) % BETWEEN_SWITCHES !== 0 };
}

/** Returns a program with the pods and the node of another, as far as they fit. */
const scaledAs = ({ services, ...others }: Program, to: Program): Program => ({
    ...others,
    services: services.map((version, index) => {
        const { nodes = version.nodes, leaving } = to.services[index] ?? {};
        const { leaving: _, ...rest } = version;
        const scaled = { ...rest, nodes, ...(leaving && { leaving }) };
        return isService(scaled) ? scaled : version;
    }),
    node: to.node,
});

/** Names of the Services that two programs have otherwise, and of the instance that they share. */
const differing = (one: Program, other: Program): string[] => [
    ...one.services.filter((version, index) => !isDeepStrictEqual(version, other.services[index])).map(nameOf),
    ...(one.settings === other.settings ? [] : ["shared"]),
    ...(["node", "synced"] as const).filter((field) => one[field] !== other[field]),
];

/**
 * Makes the changes of a step. Services whose change is refused stay as they are. A run may name the first alone.
 *
 * @param replaces true if a refused change is asked for again, with the permission to replace what cannot change
 */
async function change(place: Place, kind: Kind, stack: Stack, current: Program, desired: Program, replaces: boolean) {
    const before = await place.world.state();
    const untrue: string[] = [];
    let [next, refused] = [desired, 0];
    for (;;) {
        const run = await spoken(place, kind, stack, next, current);
        untrue.push(...run.untrue);
        if (run.outcome.ok) return { next, refused, untrue };
        const why = run.outcome.errors.join("\n");
        const story = `${why}\nfrom ${JSON.stringify(current)}\nto ${JSON.stringify(next)}`;
        const changing = differing(current, next);
        if (!isRefusal(run.outcome) || changing.length === 0) return { next: current, refused, untrue, problem: story };
        const half = deviations(await place.world.state(), before);
        if (half.length > 0)
            return { next: current, refused, untrue, problem: `half applied: ${half.join("\n")}\n${story}` };
        const names = next.services
            .map(nameOf)
            .filter((name) => changing.includes(name) && new RegExp(`\\b${name}\\b`).test(why));
        refused += Math.max(1, names.length);
        const isNew = next.services.some((one) => names.includes(nameOf(one)) && one.allowReplacement === undefined);
        next = replaces && isNew ? allowing(next, names) : without(next, names, current);
    }
}

/** Settings whose change needs a permission, but for the identity of the cluster. */
const ALLOWED = REPLACEABLE.filter((setting) => setting !== "identity");

/** Returns a program in which some Services may replace what cannot change. */
const allowing = (next: Program, names: readonly string[]): Program => ({
    ...next,
    services: next.services.map((one) => (names.includes(nameOf(one)) ? { ...one, allowReplacement: ALLOWED } : one)),
});

/** Returns a program without the changes of some Services, or without any if none is named. */
function without(next: Program, names: readonly string[], former: Program): Program {
    if (names.length === 0) return former;
    const left = next.services.map((version, index) =>
        names.includes(nameOf(version)) ? (former.services[index] ?? version) : version,
    );
    return { ...next, services: left };
}

/** Compares a state that was reached by a change with a fresh creation of the same program. */
async function compare(place: Place, kind: Kind, { from, to, state }: Reached): Promise<string[]> {
    const { world, engine } = place;
    await world.prepare(kind.seed);
    const fresh = await up(place, kind, await engine.stack(PARALLEL), to);
    const story = `from ${JSON.stringify(from)}\nto ${JSON.stringify(to)}`;
    if (!fresh.ok) return [`fresh creation: ${fresh.errors.join("\n")}\n${story}`];
    const lines = deviations(state, await world.state(), to.services);
    if (lines.length === 0) return [];
    const isNamed = (version: Version): boolean =>
        lines.some((line) => new RegExp(`[/. ]${nameOf(version)}[/. ]|-${nameOf(version).slice(1)}\\b`).test(line));
    const [was, is] = [from, to].map((one) => storyOf({ ...one, services: one.services.filter(isNamed) }));
    return [`${lines.join("\n")}\n  from ${was}\n  to ${is}`];
}
