/**
 * How many calls to the cloud a change takes, and how long they take at least at the published quotas.
 *
 * The numbers of each object are those that docs/api-calls.md measures; they are an estimate, because the plugin repeats reads until the cloud is done.
 */

import { WRITES_PER_MINUTE } from "../quotas";
import type { Calls, GroupReport, SubjectReport } from "./model";
import type { Change } from "./step";

/** Calls of one change: reads, and writes by action. */
interface Cost {
    readonly reads: number;
    readonly writes: Readonly<Record<string, number>>;
}

/** Most servers of one call. Source: SLB API, AddVServerGroupBackendServers; NLB API, AddServersToServerGroup. */
const SERVERS_PER_CALL = { clb: 20, nlb: 40 } as const;

type Kind = "clb" | "nlb";
type Noun = "instance" | "listener" | "group";

const NONE: Cost = { reads: 0, writes: {} };

const COSTS: Readonly<Record<Kind, Readonly<Record<Noun, Partial<Record<Change, Cost>>>>>> = {
    clb: {
        instance: {
            create: { reads: 5, writes: { CreateLoadBalancer: 1, TagResources: 1 } },
            update: { reads: 2, writes: { SetLoadBalancerModificationProtection: 1, SetLoadBalancerName: 1 } },
            delete: { reads: 2, writes: { SetLoadBalancerDeleteProtection: 1, DeleteLoadBalancer: 1 } },
        },
        listener: {
            create: {
                reads: 4,
                writes: {
                    CreateLoadBalancerListener: 1,
                    SetLoadBalancerListenerAttribute: 1,
                    StartLoadBalancerListener: 1,
                },
            },
            update: { reads: 2, writes: { SetLoadBalancerListenerAttribute: 1 } },
            delete: { reads: 2, writes: { DeleteLoadBalancerListener: 1 } },
        },
        group: {
            create: { reads: 2, writes: { CreateVServerGroup: 1, SetVServerGroupAttribute: 1 } },
            update: { reads: 1, writes: { SetVServerGroupAttribute: 1 } },
            delete: { reads: 1, writes: { DeleteVServerGroup: 1 } },
        },
    },
    nlb: {
        instance: {
            create: { reads: 8, writes: { CreateLoadBalancer: 1, TagResources: 1, UpdateLoadBalancerProtection: 1 } },
            update: { reads: 3, writes: { UpdateLoadBalancerAttribute: 1 } },
            delete: { reads: 2, writes: { UpdateLoadBalancerProtection: 1, DeleteLoadBalancer: 1 } },
        },
        listener: {
            create: { reads: 4, writes: { CreateListener: 1 } },
            update: { reads: 2, writes: { UpdateListenerAttribute: 1 } },
            delete: { reads: 1, writes: { DeleteListener: 1 } },
        },
        group: {
            create: { reads: 3, writes: { CreateServerGroup: 1 } },
            update: { reads: 2, writes: { UpdateServerGroupAttribute: 1 } },
            delete: { reads: 1, writes: { DeleteServerGroup: 1 } },
        },
    },
};

/** Actions that change members, by kind: to add, to change and to remove. */
const MEMBERS = {
    clb: {
        create: "AddVServerGroupBackendServers",
        update: "SetVServerGroupAttribute",
        delete: "RemoveVServerGroupBackendServers",
    },
    nlb: {
        create: "AddServersToServerGroup",
        update: "UpdateServerGroupServersAttribute",
        delete: "RemoveServersFromServerGroup",
    },
} as const;

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
    const costs = COSTS[kind][noun];
    if (change !== "replace") return costs[change] ?? NONE;
    return add([costs.delete ?? NONE, costs.create ?? NONE]);
}

function memberCosts(kind: Kind, { backends }: GroupReport): Cost[] {
    return (["create", "update", "delete"] as const).flatMap((change) => {
        const counted = change === "create" ? ["create", "replace"] : [change];
        const number = backends.filter((backend) => counted.includes(backend.change)).length;
        const writes = Math.ceil(number / SERVERS_PER_CALL[kind]);
        // The job of each write on an NLB is asked for.
        return number === 0
            ? []
            : [{ reads: kind === "nlb" ? writes : 0, writes: { [MEMBERS[kind][change]]: writes } }];
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
