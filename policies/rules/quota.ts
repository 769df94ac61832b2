/** Rules about the quotas of the cloud. Each kind of load balancer has its own, which can be raised for an account. */

import { z } from "zod";
import { type QuotaName, QUOTAS } from "../../provider/quotas";
import { faqDocument, notesDocument } from "../../provider/schema/documents";
import { LOAD_BALANCER_TYPES, type LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { type Rule, type StackCheckResult, type StackRule, stackRule } from "../rule";
import { matches } from "../rule/evaluate";
import { type Settled, settledOf, type StackSubject, Unknown } from "../subjects";

/** Returns the settings of a quota: a number for each kind of load balancer, and what it counts. */
function limits(quota: QuotaName, clb: string, nlb: string) {
    const limit = (type: LoadBalancerType, what: string) => {
        const about = `${what} The default is the cloud's; raise it with the quota.`;
        return z.int().min(1).default(QUOTAS[type][quota].limit).describe(about);
    };
    return z.object({ limit: limit("clb", clb), nlbLimit: limit("nlb", nlb) });
}

type Found = readonly Settled<StackCheckResult>[];
type Check = (stack: StackSubject, type: LoadBalancerType, most: number, except: readonly string[]) => Found;

/** Checks each kind of load balancer against the limit that the configuration sets for it. */
const byKind =
    (check: Check): StackRule<ReturnType<typeof limits>>["stack"] =>
    (stack, { limit, nlbLimit, except }) =>
        LOAD_BALANCER_TYPES.flatMap((type) => check(stack, type, type === "clb" ? limit : nlbLimit, except));

/** Returns the servers of each instance of a kind, once for each of their server groups, and what is unknown. */
function membersOf(stack: StackSubject, type: LoadBalancerType) {
    const servers = new Map<string, string[]>();
    const unknown: Unknown[] = [];
    for (const membership of stack.memberships.filter(({ kind }) => kind === type)) {
        const found = settledOf(() => membership.servers());
        if (found instanceof Unknown) unknown.push(found);
        else servers.set(membership.instance, [...(servers.get(membership.instance) ?? []), ...found]);
    }
    return { servers, unknown };
}

/** Returns the texts that occur more often than the most, with their numbers. */
const tooMany = (texts: readonly string[], most: number): [string, number][] =>
    [...Map.groupBy(texts, (text) => text)]
        .map(([text, same]): [string, number] => [text, same.length])
        .filter(([, number]) => number > most);

/** Returns a result about an instance, with every Service that uses it among its names. */
function ofInstance(stack: StackSubject, type: LoadBalancerType, instance: string, cause: string): StackCheckResult {
    const resource = stack.instances.find(
        ({ name, type: token }) => name === instance && token.startsWith("alicloud:nlb/") === (type === "nlb"),
    );
    const parts = stack.memberships
        .filter((membership) => membership.kind === type && membership.instance === instance)
        .map(({ resource: { name } }) => name);
    const place = { subject: `instance ${instance}` };
    return { place, names: [instance, ...new Set(parts)], cause, urn: resource?.urn };
}

const ATTACHED = { clb: "instances", nlb: "server groups of NLB instances" } as const;

/** Reports whether a server is an ECS instance. Pods are attached by their own address and do not count. */
const isMachine = (server: string): boolean => server.startsWith("i-");

/** Lists the servers that are attached too often, the most attached first: those of a cluster usually are together. */
function tooOften(full: readonly (readonly [string, number])[], most: string): StackCheckResult {
    const fullest = full.toSorted(([, one], [, other]) => other - one);
    const shown = fullest.slice(0, 5).map(([server, times]) => `${server} behind ${times}`);
    const rest = full.length > 5 ? `, and ${full.length - 5} more` : "";
    const cause = `${full.length} of them stand behind more than the ${most} that a machine may: `;
    return { place: { subject: "servers" }, names: [], cause: `${cause}${shown.join(", ")}${rest}` };
}

export const QUOTA: readonly Rule[] = [
    // With externalTrafficPolicy Cluster every node is a backend of every load balancer. A node that is attached too
    // often makes the next Service fail.
    stackRule("quota-attachments", "high", "advisory", {
        title:
            "No ECS instance is a backend of more CLB instances, or in more NLB server groups, than the quota " +
            "allows.",
        remedy:
            "Use externalTrafficPolicy Local: only nodes with pods are attached; choose nodes with " +
            "backend-label; or attach pods directly with backend-type eni.",
        source:
            `${notesDocument("externalTrafficPolicy")}; ` +
            "SLB quotas and NLB quotas, how often a server can be added",
        options: limits(
            "attachments",
            "CLB instances of which one ECS instance may be a backend.",
            "NLB server groups in which one ECS instance may be.",
        ),
        stack: byKind((stack, type, most, except) => {
            const { servers, unknown } = membersOf(stack, type);
            // The quota of CLB counts instances, that of NLB server groups.
            const attached = [...servers.values()].flatMap((all) => [...(type === "clb" ? new Set(all) : all)]);
            const full = tooMany(attached.filter(isMachine), most).filter(([server]) => !matches(server, except));
            return [...(full.length === 0 ? [] : [tooOften(full, `${most} ${ATTACHED[type]}`)]), ...unknown];
        }),
    }),
    // The cloud refuses more than the quota, and the backends of the Service are not updated from then on.
    stackRule("quota-backends", "high", "advisory", {
        title: "An instance does not have more backends than the quota allows, over all Services that share it.",
        remedy:
            "Use a separate instance for a Service; use externalTrafficPolicy Local: only nodes with pods " +
            "count; or choose nodes with backend-label.",
        source:
            `${faqDocument("Service error messages and solutions")}; NLB quotas, ` +
            "nlb_quota_loadbalancer_noeci_servers_num",
        options: limits(
            "backends",
            "Backends of one CLB, over all its groups.",
            "Servers and addresses behind one NLB, over all its groups.",
        ),
        stack: byKind((stack, type, most) => {
            const { servers, unknown } = membersOf(stack, type);
            const cause = (some: number) => `${some} backends are more than the ${most} that an instance takes`;
            return [
                ...[...servers]
                    .filter(([, { length }]) => length > most)
                    .map(([instance, { length }]) => ofInstance(stack, type, instance, cause(length))),
                ...unknown,
            ];
        }),
    }),
    stackRule("quota-listeners", "medium", "advisory", {
        title: "An instance does not have more listeners than the quota allows.",
        remedy: "Use a separate instance for a Service, or have the quota raised.",
        source: "SLB quotas and NLB quotas, listeners of one instance",
        options: limits("listeners", "Listeners of one CLB.", "Listeners of one NLB."),
        stack: byKind((stack, type, most) => {
            const listeners = stack.listeners.filter(({ kind }) => kind === type);
            const cause = (some: number) => `${some} listeners are more than the ${most} that an instance has`;
            return tooMany(
                listeners.map(({ instance }) => instance),
                most,
            ).map(([instance, some]) => ofInstance(stack, type, instance, cause(some)));
        }),
    }),
];
