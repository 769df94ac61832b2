/** Whether the cloud's quotas suffice for what is there after the update. */

import { QUOTAS } from "../schema/quotas";
import type { Quota, SubjectReport } from "./model";

/** Every quota that a subject of the report uses, with what the stack uses of it. What others use is not in a preview. */
export function quotasOf(subjects: readonly SubjectReport[]): Quota[] {
    return [...(["clb", "nlb"] as const).flatMap((kind) => instances(subjects, kind)), ...subjects.flatMap(ofInstance)];
}

function instances(subjects: readonly SubjectReport[], kind: "clb" | "nlb"): Quota[] {
    const own = subjects.filter(
        ({ loadBalancer }) =>
            loadBalancer?.kind === kind && loadBalancer.origin === "created" && !LEFT.has(loadBalancer.change),
    );
    const where = kind === "clb" ? "instances of the account" : "instances of the account in the region";
    return own.length === 0
        ? []
        : [quota(`${kind.toUpperCase()}s`, where, own.length, QUOTAS[kind].instances.published)];
}

const LEFT: ReadonlySet<string> = new Set(["delete", "keep"]);

/** Quotas of one instance, where more than half of it is used: the rest is far away. */
function ofInstance({ subject, loadBalancer, listeners, groups, userManaged }: SubjectReport): Quota[] {
    if (loadBalancer === null || loadBalancer.change === "delete") return [];
    const limits = QUOTAS[loadBalancer.kind];
    const foreign = userManaged.filter((text) => text.startsWith("listener ")).length;
    const own = listeners.filter(({ change }) => change !== "delete").length;
    const backends = new Set(
        groups.flatMap((group) => group.backends.filter(({ after }) => after !== null).map(({ key }) => key)),
    );
    return [
        quota(subject, "listeners of the instance", own + foreign, limits.listeners.published),
        quota(subject, "backends of the instance", backends.size, limits.backends.published),
    ].filter(({ used, limit }) => used > limit / 2);
}

const quota = (subject: string, what: string, used: number, limit: number): Quota => ({
    subject,
    what,
    used,
    limit,
    sufficient: used <= limit,
    assumed: true,
});
