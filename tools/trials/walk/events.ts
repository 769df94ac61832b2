/** Events between the changes of Services, and what is said of them. */
import type { Explanation } from "../../../cli/explain/explanation";
import type { InspectedService } from "../../../cli/inspect/model";
import type { Stack } from "../../parity/engine";
import { countedNodes, nameOf, type Version } from "../service";
import { CHANGING, HIT } from "../world";
import type { Kind } from "./kinds";
import { deviations } from "./oracle";
import { type Place, preview, type Program, runAlone, up, withStory } from "./runs";
import { between, disagreement, refusedByRun, unsaid } from "./speakers/checked";
import { disagreements, type Edited } from "./speakers/drifted";
import { type Edit, editsOf } from "./speakers/edits";
import { inspect, mendable, wrongIn } from "./speakers/inspected";
import { errorsOf, left } from "./speakers/previewed";
import { circles } from "./speakers/remedies";
import { type Life, named } from "./versions";

/** Manifests that may be wrong, for each change, and the number of steps until a preview sees one that is. */
const ATTEMPTS = 4;
const BETWEEN_REFUSALS = 4;

/** A change of Services: the program before it, their lives, and its number. */
interface Step {
    readonly current: Program;
    readonly lives: readonly Life[];
    readonly step: number;
}

/** Returns what `check` and a run judge differently in manifests that may be wrong. */
export async function judged(
    place: Place,
    kind: Kind,
    stack: Stack,
    { current, lives, step }: Step,
): Promise<string[]> {
    const attempts = current.services.flatMap((version, index) => {
        if (version.away !== undefined) return [];
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

/** Edits an object of each Service in the console, and mends it. Returns how many, and what is said and is not true. */
export async function edited(place: Place, kind: Kind, stack: Stack, { current, lives, step }: Step) {
    const { world } = place;
    const before = await world.state();
    const made: (Edit & { readonly version: Version })[] = [];
    for (const [index, version] of current.services.entries()) {
        const edits = editsOf(await world.whole(), version, kind.shared !== undefined);
        const one = edits[(lives[index]?.changes[step]?.parts[1] ?? 0) % Math.max(1, edits.length)];
        if (one === undefined || !(await world.edit(one.action, one.params, one.product))) continue;
        made.push({ ...one, version });
    }
    await world.sync();
    const seen = await inspect(current.services);
    // The sync controller has mended the others.
    const ofRuns = made.filter(({ action }) => !(current.synced && OF_MEMBERS.test(action)));
    const all = ofRuns.map(({ version, action, params, undo }): Edited => {
        const edit = `${action} ${JSON.stringify(params)}`;
        // A Service whose pods are gone keeps its last backends, which the stack alone knows.
        const isRecorded = countedNodes(version).every((node) => node === CHANGING && current.node > 0);
        return { version, edit, isLeft: undo !== undefined, isRecorded, found: mendableOf(version, seen) };
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
    const untrue = [
        ...lines.map((line) => withStory(line, undefined, current)),
        ...rest.map((line) => withStory(`${line}\n  edits ${story.join("; ")}`, undefined, current)),
    ];
    return { edits: made.length, untrue };
}

/** Calls that change the members of a group. */
const OF_MEMBERS = /(?:VServerGroupAttribute|BackendServers|ServersAttribute|ServersFromServerGroup)$/;

/** Returns what `explain` finds of a Service and a run is to mend. */
const mendableOf = (version: Version, seen: readonly InspectedService[]): Explanation[] =>
    seen.filter(({ object }) => object.metadata.name === nameOf(version)).flatMap(mendable);

/** Answer of the cloud from a call on, without a permission. */
const REFUSED = { action: "*", mutating: true, code: "Forbidden.RAM", status: 403 } as const;

/**
 * Runs a program that the cloud refuses from a call on, and mends it. Returns whether it ended so, and what is said of it
 * and is not true. A run with fewer calls is over before.
 */
export async function halfway(place: Place, kind: Kind, stack: Stack, from: Program, to: Program, calls: number) {
    const { world } = place;
    // The plugin records a limit of connections that an update only tried to set, and the cloud tells of none: a refresh
    // sees no difference.
    const isLimited = to.services.some(
        ({ annotations }, index) => annotations?.["cps"] !== from.services[index]?.annotations?.["cps"],
    );
    if (isLimited) return { isHit: false, untrue: [] };
    await world.fail([{ ...REFUSED, id: HIT, skip: calls }]);
    const outcome = await runAlone(place, kind, stack, to);
    const isHit = await world.isHit();
    await world.fail([]);
    await world.sync();
    if (!isHit) return { isHit, untrue: [] };
    const told = outcome.ok ? ["a run succeeds, and the cloud has refused a call"] : [];
    const seen = await inspect(to.services);
    const all = to.services.flatMap((version, index): Edited[] => {
        const edit = `a run that ended after ${calls} calls`;
        // Nothing tells yet that the program has a Service which has just come.
        if (from.services[index]?.away !== undefined) return [];
        return [{ version, edit, isLeft: true, isRecorded: true, found: mendableOf(version, seen) }];
    });
    const lines = disagreements(all, await preview(place, kind, stack, to, true));
    // Without a refresh a run may leave what the plugin of the run before only tried to set.
    const mended = await up(place, kind, stack, to, true);
    const after = mended.ok ? (await inspect(to.services)).flatMap(wrongIn) : mended.errors;
    const rest = [...after, ...left(await preview(place, kind, stack, to))];
    const untrue = [...told, ...lines, ...rest.map((line) => `after a run that ended after ${calls} calls: ${line}`)];
    return { isHit, untrue: untrue.map((line) => withStory(line, from, to)) };
}
