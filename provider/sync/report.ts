/** What a reconciliation tells the outside: status and events. Pure. */
import { isDeepStrictEqual } from "node:util";
import { type BindingObject, readStatus } from "./binding/object";
import type { BindingSpec } from "./binding/spec";
import {
    type BindingStatus,
    conditionOf,
    type BindingFinding,
    LISTED_MEMBERS,
    messageOf,
    SYNCED,
} from "./binding/status";
import type { Member } from "../backend/member";
import type { Registration } from "./gates";
import type { Applied } from "./group";
import type { SyncEvent } from "./ports";
import { type Draining, memberKey } from "./reconcile";
import { defined } from "../schema/defined";

/** How a reconciliation ended. */
export interface Outcome {
    readonly finding: BindingFinding;
    /** Managed members of the group afterwards; undefined if they are not known. */
    readonly members?: readonly Member[];
    readonly draining?: Draining;
    readonly userManaged?: number;
    /** Absent: the group was left alone. */
    readonly applied?: Applied;
    /** The Service has no backend at all. */
    readonly empty?: boolean;
    /** Pods that the group has taken; absent if it was left alone. */
    readonly registration?: Registration;
}

/** Whether something was written to the group. */
export const isChange = ({ added, updated, removed }: Applied): boolean => added + updated + removed > 0;

/** The status of a binding after a reconciliation; undefined if it says so already. */
export function statusAfter(binding: BindingObject, outcome: Outcome, now: string): BindingStatus | undefined {
    const before = readStatus(binding);
    const { generation } = binding.metadata;
    const previous = before.conditions?.find(({ type }) => type === SYNCED);
    const members = outcome.members;
    const after: BindingStatus = {
        ...before,
        ...defined({ observedGeneration: generation }),
        conditions: [conditionOf(outcome.finding, generation, previous, now)],
        ...(members && {
            backends: {
                total: members.length,
                draining: members.filter((member) => outcome.draining?.has(memberKey(member))).length,
                weight: members.reduce((sum, { weight }) => sum + weight, 0),
                userManaged: outcome.userManaged ?? 0,
            },
            members: members
                .map((member) => ({ backend: memberKey(member), weight: member.weight }))
                .sort((a, b) => (a.backend < b.backend ? -1 : 1))
                .slice(0, LISTED_MEMBERS),
        }),
        ...(outcome.applied !== undefined && isChange(outcome.applied) ? { lastChangeTime: now } : {}),
    };
    return isDeepStrictEqual(before, after) ? undefined : after;
}

/** Texts of CCM's events, where it has one of the kind. Source: CCM, events on the Service. */
const NOUN = { VServer: "LoadBalancer", Instance: "NetworkLoadBalancer", Ip: "NetworkLoadBalancer" } as const;

/** Events of a reconciliation: changes of the group, and a finding that is new. */
export function eventsAfter(binding: BindingObject, spec: BindingSpec | undefined, outcome: Outcome): SyncEvent[] {
    const { finding, applied } = outcome;
    const previous = readStatus(binding).conditions?.find(({ type }) => type === SYNCED);
    const events: SyncEvent[] = [];
    const group = spec?.serverGroup.id ?? "";
    if (applied !== undefined && isChange(applied))
        events.push({
            type: "Normal",
            reason: "SyncedBackends",
            message: `Synced server group [${group}]: ${applied.added} added, ${applied.updated} weights set, ${applied.removed} removed`,
        });
    if (previous?.reason === finding.reason && previous.message === messageOf(finding)) return events;
    if (finding.reason === "PodsWithoutInterface")
        return [...events, { type: "Warning", reason: "SkipSyncBackends", message: messageOf(finding) }];
    if (!finding.synced)
        return [
            ...events,
            {
                type: "Warning",
                reason: finding.reason === "NoBackends" ? "UnAvailableLoadBalancer" : "SyncLoadBalancerFailed",
                message:
                    finding.reason === "NoBackends"
                        ? `There are no available nodes for ${NOUN[spec?.serverGroup.type ?? "VServer"]}. ${messageOf(finding)}`
                        : `Error syncing load balancer [${group}]: ${messageOf(finding)}`,
            },
        ];
    if (outcome.empty === true)
        return [
            ...events,
            {
                type: "Normal",
                reason: "UnAvailableLoadBalancer",
                message: `There are no available nodes for ${NOUN[spec?.serverGroup.type ?? "VServer"]}`,
            },
        ];
    return events;
}
