/**
 * How many calls to the cloud a change takes, and how long they take at least at the published quotas.
 *
 * The numbers of each object are those that docs/api-calls.md measures; they are an estimate, because the plugin repeats reads until the cloud is done.
 */

import {
    actionFor,
    MEMBER_WRITES,
    type Operation,
    PLUGIN_WRITES,
    WRITES_PER_MINUTE,
    type WrittenNoun,
} from "../quotas";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import type { Calls, GroupReport, SubjectReport } from "./model";
import type { Change } from "./step";

/** Calls of one change: reads, and writes by action. */
interface Cost {
    readonly reads: number;
    readonly writes: Readonly<Record<string, number>>;
}

/** Most servers of one call. Source: SLB API, AddVServerGroupBackendServers; NLB API, AddServersToServerGroup. */
const SERVERS_PER_CALL = { clb: 20, nlb: 40 } as const;

type Kind = LoadBalancerType;
type Noun = WrittenNoun;

const NONE: Cost = { reads: 0, writes: {} };

/** Reads of the plugin, which repeats them until the cloud is done. */
const READS: Readonly<Record<Kind, Readonly<Record<Noun, Readonly<Record<Operation, number>>>>>> = {
    clb: {
        instance: { create: 5, update: 2, delete: 2 },
        listener: { create: 4, update: 2, delete: 2 },
        group: { create: 2, update: 1, delete: 1 },
    },
    nlb: {
        instance: { create: 8, update: 3, delete: 2 },
        listener: { create: 4, update: 2, delete: 1 },
        group: { create: 3, update: 2, delete: 1 },
    },
};

/** The calls of a Service's change. */
export function costsOf({ loadBalancer, listeners, groups, others }: SubjectCosts): Cost[] {
    const kind = loadBalancer?.kind ?? "clb";
    // With a CLB go its listeners and groups; an NLB's groups belong to the VPC.
    const gone = loadBalancer?.change === "delete";
    const parts = [
        ...(loadBalancer === null || loadBalancer.origin !== "created"
            ? []
            : [costOf(kind, "instance", loadBalancer.change)]),
        ...(gone ? [] : listeners.map(({ change }) => costOf(kind, "listener", change))),
        ...(gone && kind === "clb" ? [] : groups.map(({ change }) => costOf(kind, "group", change))),
        ...(gone ? [] : groups.flatMap((group) => memberCosts(kind, group))),
        ...others.map(({ change, noun }) =>
            change === "same" || noun === "Kubernetes Service" ? NONE : { reads: 1, writes: { [noun]: 1 } },
        ),
    ];
    return parts.map((cost) => prefixed(kind, cost));
}

type SubjectCosts = Pick<SubjectReport, "loadBalancer" | "listeners" | "groups" | "others">;

function costOf(kind: Kind, noun: Noun, change: Change): Cost {
    if (change === "replace") return add([costOf(kind, noun, "delete"), costOf(kind, noun, "create")]);
    if (change !== "create" && change !== "update" && change !== "delete") return NONE;
    const writes = PLUGIN_WRITES[kind][noun][change].map((action) => [actionFor(action, ""), 1] as const);
    return { reads: READS[kind][noun][change], writes: Object.fromEntries(writes) };
}

function memberCosts(kind: Kind, { backends }: GroupReport): Cost[] {
    return (["create", "update", "delete"] as const).flatMap((change) => {
        const counted = change === "create" ? ["create", "replace"] : [change];
        const number = backends.filter((backend) => counted.includes(backend.change)).length;
        const writes = Math.ceil(number / SERVERS_PER_CALL[kind]);
        // The job of each write on an NLB is asked for.
        return number === 0
            ? []
            : [{ reads: kind === "nlb" ? writes : 0, writes: { [MEMBER_WRITES[kind][change]]: writes } }];
    });
}

/** Both products have actions of the same name, with quotas of their own. */
const prefixed = (kind: Kind, { reads, writes }: Cost): Cost => ({
    reads,
    writes: Object.fromEntries(Object.entries(writes).map(([action, number]) => [`${kind}:${action}`, number])),
});

function add(costs: readonly Cost[]): Cost {
    const writes: Record<string, number> = {};
    for (const cost of costs)
        for (const [action, number] of Object.entries(cost.writes)) writes[action] = (writes[action] ?? 0) + number;
    return { reads: costs.reduce((sum, { reads }) => sum + reads, 0), writes };
}

/** Costs in sum. The action that is called most often for its quota decides about the time. */
export function callsOf(costs: readonly Cost[]): Calls {
    const { reads, writes } = add(costs);
    const minutes = Object.entries(writes).map(
        ([action, number]) => number / WRITES_PER_MINUTE[action.startsWith("nlb:") ? "nlb" : "slb"],
    );
    return {
        reads,
        writes: Object.values(writes).reduce((sum, number) => sum + number, 0),
        minutes: Math.round(Math.max(0, ...minutes) * 10) / 10,
    };
}
