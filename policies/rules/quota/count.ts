/** Counts servers per instance. Each kind of load balancer has its own quotas. */

import { z } from "zod";
import type { LoadBalancerType } from "../../../provider/schema/load-balancer-type";
import type { Config, StackCheckResult } from "../../rule";
import { type Membership, settledOf, type Settled, type StackSubject, Unknown } from "../../subjects";
import { defined } from "../../../provider/schema/defined";

/** The settings of every quota. Quotas can be raised for an account. */
export type Limits = ReturnType<typeof limits>;

/** The settings of a quota: a number for each kind of load balancer, and what it counts. */
export const limits = (quotas: Readonly<Record<LoadBalancerType, readonly [number, string]>>) =>
    z.object({ limit: limit(...quotas.clb), nlbLimit: limit(...quotas.nlb) });

const limit = (value: number, what: string) =>
    z.int().min(1).default(value).describe(`${what} The default is the cloud's; raise it with the quota.`);

/** What a configuration allows of one kind. */
export const limitOf = (config: Config<Limits>, type: LoadBalancerType): number =>
    type === "clb" ? config.limit : config.nlbLimit;

/** Servers of each instance of one kind, once for each server group that they are in, and what is not known yet. */
export function serversByInstance(
    stack: StackSubject,
    type: LoadBalancerType,
): { readonly servers: ReadonlyMap<string, readonly string[]>; readonly unknown: readonly Unknown[] } {
    const servers = new Map<string, string[]>();
    const unknown: Unknown[] = [];
    for (const membership of stack.memberships.filter(({ kind }) => kind === type)) {
        const found: Settled<readonly string[]> = settledOf(() => membership.servers());
        if (found instanceof Unknown) unknown.push(found);
        else servers.set(membership.instance, [...(servers.get(membership.instance) ?? []), ...found]);
    }
    return { servers, unknown };
}

/** A result about an instance, with every Service that uses it among its names. */
export function ofInstance(
    stack: StackSubject,
    type: LoadBalancerType,
    instance: string,
    cause: string,
): StackCheckResult {
    const resource = stack.instances.find(
        ({ name, type: token }) => name === instance && token.startsWith("alicloud:nlb/") === (type === "nlb"),
    );
    const parts = stack.memberships
        .filter((membership: Membership) => membership.kind === type && membership.instance === instance)
        .map(({ resource: { name } }) => name);
    return {
        place: { subject: `instance ${instance}` },
        names: [instance, ...new Set(parts)],
        cause,
        ...defined({ urn: resource?.urn }),
    };
}
