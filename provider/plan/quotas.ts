/** Judges the quotas of the account before a run. */
import { type AccountQuotas, judgeUse, type ObservedQuotas, type QuotaName, QUOTAS } from "../quotas";
import { diagnostic, type Diagnostic, type PlanCode } from "../diagnostics";
import type { LoadBalancerType } from "../schema/load-balancer-type";

export interface InstanceDemand {
    /** The Service, as `namespace/name`. */
    readonly service: string;
    readonly type: LoadBalancerType;
    readonly created: boolean;
    /** 0 where the listeners are user-managed. */
    readonly listeners: number;
    /** Servers of each server group that are known before the run, without pods. */
    readonly groups: readonly (readonly string[])[];
}

/** Most names in a sentence. */
const NAMED = 3;

/**
 * Returns the quotas that the Services of a load balancer type exceed, if the run creates an instance.
 *
 * An error for a known quota, a warning for a published default, which can be raised. Counts servers once where it is
 * not certain that the cloud counts them more often.
 */
export function judgeQuotas(
    type: LoadBalancerType,
    all: readonly InstanceDemand[],
    observed: ObservedQuotas,
): Diagnostic<PlanCode>[] {
    const demands = all.filter((demand) => demand.type === type);
    const { account, recoverable } = observed;
    const there = account.instances[type];
    const created = demands.filter((demand) => demand.created);
    if (created.length === 0) return [];
    const needed = (there ?? 0) + Math.max(0, created.length - recoverable);
    const maybe = recoverable > 0 ? `, of which ${recoverable} may be there already` : "";
    const listeners = most(created, (demand) => demand.listeners);
    const backends = most(created, ({ groups }) => new Set(groups.flat()).size);
    const attached = mostAttached(type, demands);
    const report = (quota: QuotaName, used: number, numbers: string) => judge(type, account, quota, used, numbers);
    return [
        report(
            "instances",
            needed,
            `${created.length} are to be made${maybe}, and there are ${there ?? "an unknown number"}`,
        ),
        report("listeners", listeners.number, `${listeners.services} would have ${listeners.number}`),
        report("backends", backends.number, `${backends.services} would have ${backends.number}`),
        report("attachments", attached.number, `${attached.server}, for one, would count ${attached.number} times`),
    ].flat();
}

function judge(type: LoadBalancerType, account: AccountQuotas, quota: QuotaName, used: number, numbers: string) {
    const { code } = QUOTAS[type][quota];
    const { limit, assumed, what, sufficient } = judgeUse({ type, quota, subject: "Services", used }, account);
    if (sufficient) return [];
    const allowed = assumed ? `the published default is ${limit}` : `the account may have ${limit}`;
    const lookUp = "look the quota up, or allow quotas:ListProductQuotas to let a run do it; if it is the default, ";
    const raise = `have the quota ${code} raised to at least ${used} in Quota Center, ${INSTEAD[quota]}`;
    return [
        diagnostic<PlanCode>({
            code: "quota",
            severity: assumed ? "warning" : "error",
            about: {},
            cause:
                `there ${assumed ? "may be" : "is"} no room for the Services (${type.toUpperCase()}, ${what}): ` +
                `${numbers}; ${allowed} (quota ${code})`,
            remedy: assumed ? lookUp + raise : raise,
            source: `${type.toUpperCase()} quotas`,
        }),
    ];
}

const INSTEAD: Readonly<Record<QuotaName, string>> = {
    instances: "or let Services share a load balancer",
    listeners: "or divide the Service's ports among several Services",
    backends: "or use externalTrafficPolicy Local, choose nodes with backend-label, or attach pods directly (eni)",
    attachments: "or use externalTrafficPolicy Local, choose nodes with backend-label, or attach pods directly (eni)",
};

/** The greatest number, and the Services that have it. */
function most(demands: readonly InstanceDemand[], count: (demand: InstanceDemand) => number) {
    const number = Math.max(0, ...demands.map(count));
    const names = demands.filter((demand) => count(demand) === number).map(({ service }) => service);
    const rest = names.length - NAMED;
    return { number, services: `${names.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}` };
}

/** The server of the most instances (CLB) or server groups (NLB), and their number. */
function mostAttached(type: LoadBalancerType, demands: readonly InstanceDemand[]) {
    const counts = new Map<string, number>();
    for (const { groups } of demands)
        for (const server of type === "clb" ? new Set(groups.flat()) : groups.flat())
            counts.set(server, (counts.get(server) ?? 0) + 1);
    const sorted = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
    const [server, number] = sorted[0] ?? ["", 0];
    return { server, number };
}
