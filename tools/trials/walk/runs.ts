/** Runs of programs, and what is said of them. */
import { Cluster, ServiceLoadBalancer, SharedLoadBalancer } from "../../../components";
import { defined } from "../../../provider/schema/defined";
import { readDigest } from "../../../cli/report/preview";
import type { Engine, Outcome, Stack } from "../../parity/engine";
import { clusterOf, nameOf, serviceOf, type Version } from "../service";
import type { World } from "../world";
import type { Kind } from "./kinds";
import { unannounced } from "./speakers/announced";
import { inspect, wrongIn } from "./speakers/inspected";
import { errorsOf, left } from "./speakers/previewed";
import { type Run, untrueIn } from "./speakers/reported";

/** Number of concurrent operations of a run. */
export const PARALLEL = 8;

/** Place in which the programs run. */
export interface Place {
    readonly world: World;
    readonly engine: Engine;
    /** True if only the cloud is compared, and nothing that is said of it. */
    readonly isSilent: boolean;
}

/** Content of a program. */
export interface Program {
    readonly services: readonly Version[];
    /** Number of the settings of the instance that the Services share, if they do. */
    readonly settings: number;
    /** Number of the state of a node. */
    readonly node: number;
    /** True if the sync controller keeps the backends between runs. */
    readonly synced: boolean;
}

/** The last of them is of two Services of a program, one of which changes its instance. */
const REFUSALS = /error\[|cannot change from|both use listener/;

export const isRefusal = ({ errors }: Outcome): boolean => errors.some((text) => REFUSALS.test(text));

/** Runs a program. Returns what was said of the run and is not true, too. @param from the program before it */
export async function spoken(place: Place, kind: Kind, stack: Stack, to: Program, from?: Program) {
    const { world } = place;
    if (place.isSilent) return { outcome: await up(place, kind, stack, to), untrue: [] };
    const first = await preview(place, kind, stack, to);
    const [before, since] = [await world.whole(), await world.lastCall()];
    const outcome = await runAlone(place, kind, stack, to);
    if (!outcome.ok) {
        const unsaid =
            isRefusal(outcome) && errorsOf(first).length === 0 ? ["a run refuses, and its preview does not"] : [];
        return { outcome, untrue: unsaid.map((line) => withStory(line, from, to)) };
    }
    const run: Run = { before, after: await world.whole(), writes: await world.writes(since) };
    await place.world.sync();
    const found = (await inspect(to.services)).flatMap(wrongIn);
    const second = await preview(place, kind, stack, to);
    const marked = world.marked(to.services);
    const lines = [...unannounced(first, run), ...untrueIn(first, run), ...found, ...marked, ...left(second)];
    return { outcome, untrue: lines.map((line) => withStory(line, from, to)) };
}

/** Adds to a line the Service that it names, before and after the change, or all Services. */
export function withStory(line: string, from: Program | undefined, to: Program): string {
    const isNamed = (version: Version): boolean => new RegExp(`\\b${nameOf(version)}\\b`).test(line);
    const of = (program: Program): string => {
        const named = program.services.filter(isNamed);
        return storyOf({ ...program, ...(named.length > 0 && { services: named }) });
    };
    return `${line}${from === undefined ? "" : `\n  from ${of(from)}`}\n  to ${of(to)}`;
}

/** Returns a program as lines. */
export const storyOf = ({ services, settings, node, synced }: Program): string =>
    [`${settings} ${node}${synced ? " synced" : ""}`, ...services.map((one) => JSON.stringify(one))].join("\n    ");

/** Previews a program. */
export async function preview({ world }: Place, kind: Kind, stack: Stack, program: Program, refresh = false) {
    publish(world, program);
    return readDigest(await stack.preview(() => programOf(kind, program), refresh));
}

/** Runs a program, after which the sync controller acts. */
export async function up(place: Place, kind: Kind, stack: Stack, program: Program, refresh = false): Promise<Outcome> {
    const outcome = await runAlone(place, kind, stack, program, refresh);
    await place.world.sync();
    return outcome;
}

/** Runs a program. */
export function runAlone(
    { world }: Place,
    kind: Kind,
    stack: Stack,
    program: Program,
    refresh = false,
): Promise<Outcome> {
    publish(world, program);
    return stack.up(() => programOf(kind, program), refresh);
}

/**
 * Lets the sync controller follow a change of the cluster. Returns what is said then and is not true: nothing is left to
 * a run.
 */
export async function followedBySync(
    place: Place,
    kind: Kind,
    stack: Stack,
    from: Program,
    to: Program,
): Promise<string[]> {
    publish(place.world, to);
    await place.world.sync();
    if (place.isSilent) return [];
    const found = (await inspect(to.services)).flatMap(wrongIn);
    const lines = [...found, ...left(await preview(place, kind, stack, to))];
    return lines.map((line) => withStory(`sync: ${line}`, from, to));
}

/** Makes the cluster what a program finds. */
function publish(world: World, { services, node }: Program): void {
    for (const version of services) world.publish(version);
    world.setNode(node);
}

async function programOf(kind: Kind, { services: all, settings, synced }: Program): Promise<void> {
    const cluster = new Cluster({ ...clusterOf(all[0]), ...(synced && { sync: true }) });
    if (all.length === 0) return;
    const services = all.filter(({ away }) => away === undefined);
    const of = kind.shared?.[settings];
    const shared = of && { loadBalancer: new SharedLoadBalancer("shared", { cluster, settings: of }) };
    if (kind.followed)
        await Promise.all(
            services.map((version) => {
                const name = nameOf(version);
                const allowed = defined({ allowReplacement: version.allowReplacement });
                return ServiceLoadBalancer.forExisting(name, { namespace: "default", name, cluster, ...allowed });
            }),
        );
    else
        for (const version of services)
            new ServiceLoadBalancer(nameOf(version), {
                manifest: serviceOf(version),
                cluster,
                follow: true,
                ...defined({ allowReplacement: version.allowReplacement }),
                ...shared,
            });
}
