/** Services of a program, each with its own life, which change together. */
import { isDeepStrictEqual } from "node:util";
import { Cluster, ServiceLoadBalancer, SharedLoadBalancer } from "../../../components";
import { readDigest } from "../../../cli/report/preview";
import type { Engine, Outcome, Stack } from "../../parity/engine";
import { CLUSTER, nameOf, serviceOf, type Version } from "../service";
import { type Canonical, HIT, type World } from "../world";
import type { Kind } from "./kinds";
import { deviations } from "./oracle";
import { changed } from "./pairs";
import { disagreements, type Edited } from "./speakers/drifted";
import { type Edit, editsOf } from "./speakers/edits";
import { inspect, mendable, wrongIn } from "./speakers/inspected";
import { circles } from "./speakers/remedies";
import { unannounced } from "./speakers/announced";
import { between, disagreement, refusedByRun, unsaid } from "./speakers/checked";
import { errorsOf, left } from "./speakers/previewed";
import { type Run, untrueIn } from "./speakers/reported";
import type { Life } from "./versions";

/** Number of concurrent operations of a run. */
const PARALLEL = 8;

/** Place in which the programs run. */
export interface Place {
    readonly world: World;
    readonly engine: Engine;
    /** True if only the cloud is compared, and nothing that is said of it. */
    readonly isSilent: boolean;
}

/** Result of the lives of a program's Services. */
export interface Result {
    /** Changes that were made, and those that were refused before anything was touched. */
    readonly changes: number;
    readonly refused: number;
    /** Problems that were found. */
    readonly wrong: readonly string[];
}

/** Content of a program. */
interface Program {
    readonly services: readonly Version[];
    /** Number of the settings of the instance that the Services share, if they do. */
    readonly settings: number;
}

/** Cloud after a change. */
interface Reached {
    readonly from: Program;
    readonly to: Program;
    readonly state: Canonical;
}

/** Creates Services, changes and removes them, and compares the cloud after each change with a fresh creation. */
export async function live(place: Place, kind: Kind, lives: readonly Life[]): Promise<Result> {
    const { world, engine } = place;
    await world.prepare(kind.seed);
    const empty = await world.state();
    const stack = await engine.stack(PARALLEL);
    const start: Program = { services: lives.map(({ first }, index) => named(first, index)), settings: 0 };
    const made = await spoken(place, kind, stack, start);
    if (!made.outcome.ok) return { changes: 0, refused: 0, wrong: [`creation: ${made.outcome.errors.join("\n")}`] };
    const { reached, refused, untrue, problem } = await changeAll(place, kind, stack, start, lives);
    const wrong = [
        ...made.untrue,
        ...untrue,
        ...(problem === undefined ? await endOf(place, kind, stack, reached.at(-1)?.to ?? start, empty) : [problem]),
    ];
    for (const one of reached) wrong.push(...(await compare(place, kind, one)));
    return { changes: reached.reduce((sum, { from, to }) => sum + differing(from, to).length, 0), refused, wrong };
}

/** Makes all changes, until a change fails. */
async function changeAll(place: Place, kind: Kind, stack: Stack, start: Program, lives: readonly Life[]) {
    const reached: Reached[] = [];
    const untrue: string[] = [];
    let [current, refused] = [start, 0];
    for (let step = 0; step < (lives[0]?.changes.length ?? 0); step++) {
        if (!place.isSilent) untrue.push(...(await judged(place, kind, stack, current, lives, step)));
        const desired = drafted(kind, current, lives, step);
        if (!place.isSilent && step % BETWEEN_ENDS === 1) {
            const calls = (lives[0]?.changes[step]?.parts[1] ?? 0) % CALLS;
            untrue.push(...(await halfway(place, kind, stack, current, desired, calls)));
        }
        const made = await change(place, kind, stack, current, desired);
        untrue.push(...made.untrue);
        if (made.problem !== undefined) return { reached, refused, untrue, problem: made.problem };
        refused += made.refused;
        if (differing(current, made.next).length > 0)
            reached.push({ from: current, to: made.next, state: await place.world.state() });
        current = made.next;
        if (!place.isSilent && step % BETWEEN_EDITS === 1)
            untrue.push(...(await edited(place, kind, stack, current, lives, step)));
    }
    return { reached, refused, untrue };
}

/** Refreshes and removes all. Returns what is wrong. */
async function endOf(place: Place, kind: Kind, stack: Stack, last: Program, empty: Canonical): Promise<string[]> {
    const again = await up(place, kind, stack, last, true);
    const end = await up(place, kind, stack, { services: [], settings: 0 });
    const left = end.ok ? deviations(await place.world.state(), empty) : [];
    return [
        ...(again.ok && again.changes === 0
            ? []
            : [`a refresh finds ${again.changes} changes: ${again.errors.join("\n")}\n${JSON.stringify(last)}`]),
        ...(end.ok ? [] : [`destroy: ${end.errors.join("\n")}\n${JSON.stringify(last)}`]),
        ...left.map((line) => `destroy leaves ${line}`),
    ];
}

/** Returns a version as that of the Service of a number. */
function named(version: Version, index: number): Version {
    const { name, ...annotations } = version.annotations ?? {};
    const own = name === undefined ? annotations : { ...annotations, name: `${name}-${index}` };
    return { ...version, name: `s${index}`, annotations: own };
}

/** Manifests that may be wrong, for each change, and the number of steps until a preview sees one that is. */
const ATTEMPTS = 4;
const BETWEEN_REFUSALS = 4;

/** Returns what `check` and a run judge differently in manifests that may be wrong. */
async function judged(
    place: Place,
    kind: Kind,
    stack: Stack,
    current: Program,
    lives: readonly Life[],
    step: number,
): Promise<string[]> {
    const attempts = current.services.flatMap((version, index) => {
        const draft = lives[index]?.changes[step];
        const [first, second] = draft?.parts ?? [0, 0];
        return Array.from({ length: draft === undefined ? 0 : ATTEMPTS }, (_, turn) =>
            between(version, {
                to: named(draft?.to ?? version, index),
                parts: [(first * (turn + 1)) >>> 0, (second * (turn + 1)) >>> 0],
            }),
        );
    });
    const told = (one: Version) => (line: string) => `${line}\n  at ${JSON.stringify(one)}`;
    const wrong = [...attempts, ...current.services].flatMap((one) =>
        [...disagreement(one), ...circles(one)].map(told(one)),
    );
    const bad = step % BETWEEN_REFUSALS === 0 ? attempts.find((one) => refusedByRun(one).length > 0) : undefined;
    if (bad === undefined) return wrong;
    const services = current.services.map((one) => (nameOf(one) === nameOf(bad) ? bad : one));
    const errors = errorsOf(await preview(place, kind, stack, { ...current, services }));
    return [...wrong, ...unsaid(bad, errors.join("\n")).map(told(bad))];
}

/** Number of steps from edits in the console to the next. */
const BETWEEN_EDITS = 3;

/** Edits an object of each Service in the console, and mends it. Returns what is said of it and is not true. */
async function edited(place: Place, kind: Kind, stack: Stack, current: Program, lives: readonly Life[], step: number) {
    const { world } = place;
    const before = await world.state();
    const made: (Edit & { readonly version: Version })[] = [];
    for (const [index, version] of current.services.entries()) {
        const edits = editsOf(await world.whole(), version, kind.shared !== undefined);
        const one = edits[(lives[index]?.changes[step]?.parts[1] ?? 0) % Math.max(1, edits.length)];
        if (one === undefined || !(await world.edit(one.action, one.params, one.product))) continue;
        made.push({ ...one, version });
    }
    const seen = await inspect(current.services);
    const all = made.map(({ version, action, params, undo }): Edited => {
        const live = seen.find(({ object }) => object.metadata.name === nameOf(version));
        const edit = `${action} ${JSON.stringify(params)}`;
        return { version, edit, isLeft: undo !== undefined, found: live === undefined ? [] : mendable(live) };
    });
    const digest = await preview(place, kind, stack, current, true);
    const lines = disagreements(all, digest);
    const mended = await up(place, kind, stack, current, true);
    for (const { action, product, undo } of made) if (undo !== undefined) await world.edit(action, undo, product);
    const untouched = deviations(await world.state(), before, current.services);
    const rest = [
        ...(mended.ok ? untouched.map((line) => `after up --refresh: ${line}`) : mended.errors),
        ...(await inspect(current.services)).flatMap(wrongIn).map((line) => `after up --refresh: ${line}`),
    ];
    const story = made.map(({ version, action, params }) => `${nameOf(version)} ${action} ${JSON.stringify(params)}`);
    return [
        ...lines.map((line) => withStory(line, undefined, current)),
        ...rest.map((line) => withStory(`${line}\n  edits ${story.join("; ")}`, undefined, current)),
    ];
}

/** Number of steps from a run that ends half-way to the next, and of calls that one of them makes at most. */
const BETWEEN_ENDS = 4;
const CALLS = 24;

/** What the cloud answers from a call on, when a right or a quota is used up. */
const REFUSED = { action: "*", mutating: true, code: "Forbidden.RAM", status: 403 } as const;

/**
 * Runs a program that the cloud refuses from a call on, and mends it. Returns what is said of it and is not true. A run
 * with fewer calls is over before.
 */
async function halfway(place: Place, kind: Kind, stack: Stack, from: Program, to: Program, calls: number) {
    const { world } = place;
    await world.fail([{ ...REFUSED, id: HIT, skip: calls }]);
    const outcome = await up(place, kind, stack, to);
    const isHit = await world.isHit();
    await world.fail([]);
    if (!isHit) return [];
    const told = outcome.ok ? ["a run succeeds, and the cloud has refused a call"] : [];
    const seen = await inspect(to.services);
    const all = to.services.map((version): Edited => {
        const live = seen.find(({ object }) => object.metadata.name === nameOf(version));
        const edit = `a run that ended after ${calls} calls`;
        return { version, edit, isLeft: true, isRecorded: true, found: live === undefined ? [] : mendable(live) };
    });
    const lines = disagreements(all, await preview(place, kind, stack, to, true));
    const mended = await up(place, kind, stack, to, true);
    const after = mended.ok ? (await inspect(to.services)).flatMap(wrongIn) : mended.errors;
    const rest = [...after, ...left(await preview(place, kind, stack, to))];
    return [...told, ...lines, ...rest.map((line) => `after a run that ended after ${calls} calls: ${line}`)].map(
        (line) => withStory(line, from, to),
    );
}

/** Returns the program after the changes of a step. */
function drafted(kind: Kind, current: Program, lives: readonly Life[], step: number): Program {
    const services = current.services.map((version, index) => {
        const draft = lives[index]?.changes[step];
        return draft === undefined ? version : changed(version, { ...draft, to: named(draft.to, index) });
    });
    const [first] = lives;
    const settings = (first?.changes[step]?.parts[0] ?? 0) % (kind.shared?.length ?? 1);
    return { services, settings };
}

/** Names of the Services that two programs have otherwise, and of the instance that they share. */
const differing = (one: Program, other: Program): string[] => [
    ...one.services.filter((version, index) => !isDeepStrictEqual(version, other.services[index])).map(nameOf),
    ...(one.settings === other.settings ? [] : ["shared"]),
];

/** Makes the changes of a step. Services whose change is refused stay as they are. */
async function change(place: Place, kind: Kind, stack: Stack, current: Program, desired: Program) {
    const before = await place.world.state();
    const { outcome, untrue } = await spoken(place, kind, stack, desired, current);
    if (outcome.ok) return { next: desired, refused: 0, untrue };
    const why = outcome.errors.join("\n");
    const story = `${why}\nfrom ${JSON.stringify(current)}\nto ${JSON.stringify(desired)}`;
    if (!isRefusal(outcome)) return { next: current, refused: 0, untrue, problem: story };
    const half = deviations(await place.world.state(), before);
    if (half.length > 0)
        return { next: current, refused: 0, untrue, problem: `half applied: ${half.join("\n")}\n${story}` };
    const refused = differing(current, desired).filter((name) => new RegExp(`\\b${name}\\b`).test(why));
    const services = desired.services.map((version, index) =>
        refused.length === 0 || refused.includes(nameOf(version)) ? (current.services[index] ?? version) : version,
    );
    const next = { ...desired, services, settings: refused.length === 0 ? current.settings : desired.settings };
    const rest = await spoken(place, kind, stack, next, current);
    const problem = rest.outcome.ok ? {} : { problem: `the others: ${rest.outcome.errors.join("\n")}\n${story}` };
    return { next, refused: Math.max(1, refused.length), untrue: [...untrue, ...rest.untrue], ...problem };
}

/** The last of them is of two Services of a program, one of which changes its instance. */
const REFUSALS = /error\[|cannot change from|both use listener/;

const isRefusal = ({ errors }: Outcome): boolean => errors.some((text) => REFUSALS.test(text));

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
    const of = ({ services, settings }: Program): string =>
        [String(settings), ...services.filter(isNamed).map((version) => JSON.stringify(version))].join("\n    ");
    return [`${lines.join("\n")}\n  from ${of(from)}\n  to ${of(to)}`];
}

/** Runs a program. Returns what was said of the run and is not true, too. @param from the program before it */
async function spoken(place: Place, kind: Kind, stack: Stack, to: Program, from?: Program) {
    const { world } = place;
    if (place.isSilent) return { outcome: await up(place, kind, stack, to), untrue: [] };
    const first = await preview(place, kind, stack, to);
    const [before, since] = [await world.whole(), await world.lastCall()];
    const outcome = await up(place, kind, stack, to);
    if (!outcome.ok) {
        const unsaid =
            isRefusal(outcome) && errorsOf(first).length === 0 ? ["a run refuses, and its preview does not"] : [];
        return { outcome, untrue: unsaid.map((line) => withStory(line, from, to)) };
    }
    const run: Run = { before, after: await world.whole(), writes: await world.writes(since) };
    const found = (await inspect(to.services)).flatMap(wrongIn);
    const second = await preview(place, kind, stack, to);
    const lines = [...unannounced(first, run), ...untrueIn(first, run), ...found, ...left(second)];
    return { outcome, untrue: lines.map((line) => withStory(line, from, to)) };
}

/** Adds to a line the Service that it names, before and after the change, or all Services. */
function withStory(line: string, from: Program | undefined, to: Program): string {
    const isNamed = (version: Version): boolean => new RegExp(`\\b${nameOf(version)}\\b`).test(line);
    const of = ({ services, settings }: Program): string => {
        const named = services.filter(isNamed);
        const shown = named.length > 0 ? named : services;
        return [String(settings), ...shown.map((version) => JSON.stringify(version))].join("\n    ");
    };
    return `${line}${from === undefined ? "" : `\n  from ${of(from)}`}\n  to ${of(to)}`;
}

async function preview({ world }: Place, kind: Kind, stack: Stack, program: Program, refresh = false) {
    for (const version of program.services) world.publish(version);
    return readDigest(await stack.preview(() => run(kind, program), refresh));
}

/** Runs a program. */
function up({ world }: Place, kind: Kind, stack: Stack, program: Program, refresh = false): Promise<Outcome> {
    for (const version of program.services) world.publish(version);
    return stack.up(() => run(kind, program), refresh);
}

async function run(kind: Kind, { services, settings }: Program): Promise<void> {
    const cluster = new Cluster(CLUSTER);
    if (services.length === 0) return;
    const of = kind.shared?.[settings];
    const shared = of && { loadBalancer: new SharedLoadBalancer("shared", { cluster, settings: of }) };
    for (const version of services) {
        const [namespace, name] = ["default", nameOf(version)];
        if (kind.followed) await ServiceLoadBalancer.forExisting(name, { namespace, name, cluster });
        else new ServiceLoadBalancer(name, { manifest: serviceOf(version), cluster, follow: true, ...shared });
    }
}
