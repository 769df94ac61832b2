/** Whether the cloud's quotas suffice for what is there after the update. */

import { type AccountQuotas, ASSUMED_QUOTAS, instancesAfter, type JudgedUse, judgeUse } from "../quotas";
import { LOAD_BALANCER_TYPES, type LoadBalancerType } from "../schema/load-balancer-type";
import type { Quota, SubjectReport } from "./model";

/**
 * Every quota that a subject of the report uses. What others use is not in a preview: instances of the account are counted
 * where the cloud was asked.
 */
export function quotasOf(subjects: readonly SubjectReport[], account: AccountQuotas = ASSUMED_QUOTAS): Quota[] {
    return [
        ...LOAD_BALANCER_TYPES.flatMap((type) => instances(subjects, type, account)),
        ...subjects.flatMap((subject) => ofInstance(subject, account)),
    ].map(({ subject, what, used, limit, sufficient, assumed }) => ({
        subject,
        what,
        used,
        limit,
        sufficient,
        assumed,
    }));
}

const LEFT: ReadonlySet<string> = new Set(["delete", "keep"]);

function instances(subjects: readonly SubjectReport[], type: LoadBalancerType, account: AccountQuotas): JudgedUse[] {
    const made = subjects.flatMap(({ loadBalancer }) =>
        loadBalancer?.kind === type && loadBalancer.origin === "created" ? [loadBalancer.change] : [],
    );
    const after = made.filter((change) => !LEFT.has(change)).length;
    if (after === 0) return [];
    const count = (wanted: string): number => made.filter((change) => change === wanted).length;
    const used = instancesAfter(type, { after, created: count("create"), deleted: count("delete") }, account);
    return [judgeUse({ type, quota: "instances", subject: `${type.toUpperCase()}s`, used }, account)];
}

/** Quotas of one instance, where more than half of it is used: the rest is far away. */
function ofInstance(report: SubjectReport, account: AccountQuotas): JudgedUse[] {
    const { subject, loadBalancer, listeners, groups, userManaged } = report;
    if (loadBalancer === null || loadBalancer.change === "delete") return [];
    const type = loadBalancer.kind;
    const foreign = userManaged.filter((text) => text.startsWith("listener ")).length;
    const own = listeners.filter(({ change }) => change !== "delete").length;
    const backends = new Set(
        groups.flatMap((group) => group.backends.filter(({ after }) => after !== null).map(({ key }) => key)),
    );
    return [
        judgeUse({ type, quota: "listeners", subject, used: own + foreign }, account),
        judgeUse({ type, quota: "backends", subject, used: backends.size }, account),
    ].filter(({ used, limit }) => used > limit / 2);
}
