/** Counting what stands behind instances. */

import type { Option, Report } from "../../rule";
import { type Membership, settledOf, type Settled, type StackSubject, Unknown } from "../../subjects";

/** The setting of every quota: quotas can be raised, so the number is the account's. */
export const limit = (value: number, what: string): Readonly<Record<"limit", Option>> => ({
    limit: { type: "integer", minimum: 1, default: value, description: `${what} The default is the cloud's; raise it with the quota.` },
});

/** Servers behind each instance, as often as they stand there, and what cannot be counted yet. */
export function serversByInstance(stack: StackSubject): { readonly servers: ReadonlyMap<string, readonly string[]>; readonly unknown: readonly Unknown[] } {
    const servers = new Map<string, string[]>();
    const unknown: Unknown[] = [];
    for (const membership of stack.memberships) {
        const found: Settled<readonly string[]> = settledOf(() => membership.servers());
        if (found instanceof Unknown) unknown.push(found);
        else servers.set(membership.instance, [...(servers.get(membership.instance) ?? []), ...found]);
    }
    return { servers, unknown };
}

/** A report about an instance, with every Service that has a part in it among its names. */
export function ofInstance(stack: StackSubject, instance: string, message: string): Report {
    const resource = stack.instances.find(({ name }) => name === instance);
    const parts = stack.memberships.filter((membership: Membership) => membership.instance === instance).map(({ resource: { name } }) => name);
    return { subject: `instance ${instance}`, names: [instance, ...new Set(parts)], message, ...(resource === undefined ? {} : { urn: resource.urn }) };
}
