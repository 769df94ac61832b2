/** Judges the quotas of the account before a run. */
import { type AccountQuotas, judgeUse, type ObservedQuotas, type QuotaName, QUOTAS } from "../quotas";
import { diagnostic, type Diagnostic, type PlanCode } from "../diagnostics";
import type { LoadBalancerType } from "../schema/load-balancer-type";

export interface InstanceDemand {
    /** The Service, as `namespace/name`. */
    readonly service: string;
    readonly type: LoadBalancerType;
    /** True if the run creates it. */
    readonly created: boolean;
    /** 0 where the listeners are user-managed. */
    readonly listeners: number;
    /** Servers of each server group that are known before the run; pods are not. */
    readonly groups: readonly (readonly string[])[];
}

/** Most names in one sentence. */
const NAMED = 3;

/**
 * Returns the quotas that the Services of one load balancer type exceed, if the run creates one.
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
    const report = reporter(type, account);
    const there = account.instances[type];
    const created = demands.filter((demand) => demand.created);
    if (created.length === 0) return [];
    const needed = (there ?? 0) + Math.max(0, created.length - recoverable);
    return [
        ...report("instances", needed, () => {
            const maybe = recoverable > 0 ? `, of which ${recoverable} may be there already` : "";
            return `${created.length} are to be made${maybe}, and there are ${there ?? "an unknown number"}`;
        }),
        ...most(created, ({ listeners }) => listeners).flatMap(([number, services]) =>
            report("listeners", number, () => `${services} would have ${number}`),
        ),
        ...most(created, ({ groups }) => new Set(groups.flat()).size).flatMap(([number, services]) =>
            report("backends", number, () => `${services} would have ${number}`),
        ),
        ...mostAttached(type, demands).flatMap(([number, server]) =>
            report("attachments", number, () => `${server}, for one, would count ${number} times`),
        ),
    ];
}

type Report = (quota: QuotaName, used: number, numbers: () => string) => Diagnostic<PlanCode>[];

const reporter =
    (type: LoadBalancerType, account: AccountQuotas): Report =>
    (quota, used, numbers) => {
        const { code } = QUOTAS[type][quota];
        const { limit, assumed, what, sufficient } = judgeUse({ type, quota, subject: "Services", used }, account);
        if (sufficient) return [];
        const allowed = assumed ? `the published default is ${limit}` : `the account may have ${limit}`;
        return [
            diagnostic<PlanCode>({
                code: "quota",
                severity: assumed ? "warning" : "error",
                about: {},
                cause:
                    `there ${assumed ? "may be" : "is"} no room for the Services (${type.toUpperCase()}, ${what}): ` +
                    `${numbers()}; ${allowed} (quota ${code})`,
                remedy: `${
                    assumed
                        ? "look the quota up, or allow quotas:ListProductQuotas to let a run do it; if it is the " +
                          "default, "
                        : ""
                }have the quota ${code} raised to at least ${used} in Quota Center, ${INSTEAD[quota]}`,
                source: `${type.toUpperCase()} quotas`,
            }),
        ];
    };

const INSTEAD: Readonly<Record<QuotaName, string>> = {
    instances: "or let Services share a load balancer",
    listeners: "or divide the Service's ports among several Services",
    backends: "or use externalTrafficPolicy Local, choose nodes with backend-label, or attach pods directly (eni)",
    attachments: "or use externalTrafficPolicy Local, choose nodes with backend-label, or attach pods directly (eni)",
};

/** The greatest number, and the Services that have it; none for 0. */
function most(
    demands: readonly InstanceDemand[],
    count: (demand: InstanceDemand) => number,
): readonly (readonly [number: number, services: string])[] {
    const greatest = Math.max(0, ...demands.map(count));
    const names = demands.filter((demand) => count(demand) === greatest).map(({ service }) => service);
    const rest = names.length - NAMED;
    const services = `${names.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    return greatest === 0 ? [] : [[greatest, services]];
}

/** The server of the most instances (CLB) or server groups (NLB), and their number. */
function mostAttached(
    type: LoadBalancerType,
    demands: readonly InstanceDemand[],
): readonly (readonly [number: number, server: string])[] {
    const counts = new Map<string, number>();
    for (const { groups } of demands)
        for (const server of type === "clb" ? new Set(groups.flat()) : groups.flat())
            counts.set(server, (counts.get(server) ?? 0) + 1);
    const [first] = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
    return first === undefined ? [] : [[first[1], first[0]]];
}
