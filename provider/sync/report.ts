/** Status and events after a reconciliation. Pure. */
import { isDeepStrictEqual } from "node:util";
import { type GroupDifference, isEmpty } from "../backends/diff";
import { type Backend, formatBackendKey } from "../schema/backend";
import { defined } from "../schema/defined";
import { type BindingObject, readStatus } from "./binding/object";
import type { BindingSpec } from "./binding/spec";
import {
    type BindingFinding,
    type BindingStatus,
    conditionOf,
    LISTED_MEMBERS,
    messageOf,
    SYNCED,
} from "./binding/status";
import type { Registration, Observation } from "./observation";
import type { Applied } from "./group";
import type { ClusterEvent } from "../cluster/event";
import type { Draining } from "./drain";

/** Name under which the controller records events. */
export const SYNC_COMPONENT = "ack-loadbalancer-sync";

export interface Outcome {
    readonly finding: BindingFinding;
    /** Managed members of the group afterwards, or undefined if they are unknown. */
    readonly members?: readonly Backend[];
    readonly draining?: Draining;
    readonly userManaged?: number;
    /** Absent if the group was left alone. */
    readonly applied?: Applied;
    /** The Service has no backend at all. */
    readonly empty?: boolean;
    /** Pods that the group has taken, absent if it was left alone. */
    readonly registration?: Registration;
}

export const isChange = (applied: Applied | undefined): applied is Applied =>
    applied !== undefined && !isEmpty(applied);

/** Returns the new status of a binding, or undefined if it is the same. */
export function statusAfter(binding: BindingObject, outcome: Outcome, now: string): BindingStatus | undefined {
    const before = readStatus(binding);
    const { generation } = binding.metadata;
    const { finding, members, draining, userManaged = 0 } = outcome;
    const after: BindingStatus = {
        ...before,
        ...defined({ observedGeneration: generation }),
        conditions: [conditionOf(finding, generation, syncedOf(before), now)],
        ...(members && {
            backends: {
                total: members.length,
                draining: members.filter((member) => draining?.has(formatBackendKey(member))).length,
                weight: members.reduce((sum, { weight }) => sum + weight, 0),
                userManaged,
            },
            members: members
                .map((member) => ({ backend: formatBackendKey(member), weight: member.weight }))
                .sort((a, b) => (a.backend < b.backend ? -1 : 1))
                .slice(0, LISTED_MEMBERS),
        }),
        ...(isChange(outcome.applied) ? { lastChangeTime: now } : {}),
    };
    return isDeepStrictEqual(before, after) ? undefined : after;
}

const syncedOf = ({ conditions }: BindingStatus) => conditions?.find(({ type }) => type === SYNCED);

/** Returns the event of a new finding, in CCM's words if it has an equal event. Source: CCM, events on the Service. */
export function eventAfter(
    binding: BindingObject,
    spec: BindingSpec | undefined,
    { finding, empty = false }: Outcome,
): ClusterEvent | undefined {
    const previous = syncedOf(readStatus(binding));
    const message = messageOf(finding);
    if (previous?.reason === finding.reason && previous.message === message) return undefined;
    const { id = "", type = "VServer" } = spec?.serverGroup ?? {};
    const noNodes = `There are no available nodes for ${type === "VServer" ? "" : "Network"}LoadBalancer`;
    const warning = (reason: string, text: string): ClusterEvent => ({ type: "Warning", reason, message: text });
    if (finding.reason === "PodsWithoutInterface") return warning("SkipSyncBackends", message);
    if (finding.reason === "NoBackends") return warning("UnAvailableLoadBalancer", `${noNodes}. ${message}`);
    if (!finding.synced) return warning("SyncLoadBalancerFailed", `Error syncing load balancer [${id}]: ${message}`);
    return empty ? { type: "Normal", reason: "UnAvailableLoadBalancer", message: noNodes } : undefined;
}

/** Returns a function that names a backend: `node-3 (i-bp1…)`. Without a node or pod in the cluster it has no name. */
export function namesOf({ nodes, endpointSlices }: Pick<Observation, "nodes" | "endpointSlices">) {
    const endpoints = endpointSlices.flatMap((slice) => slice.endpoints ?? []);
    const names = new Map<string, string | undefined>([
        ...nodes.flatMap(({ metadata, spec, status }) =>
            [spec?.providerID?.split(".").at(-1), ...(status?.addresses ?? []).map((one) => one.address)].map(
                (address) => [address ?? "", metadata.name] as const,
            ),
        ),
        ...endpoints.flatMap((one) => one.addresses.map((address) => [address, one.targetRef?.name] as const)),
    ]);
    return ({ address }: Backend): string => {
        const name = names.get(address);
        return name === undefined ? address : `${name} (${address})`;
    };
}

/** Describes changes by address: `+ node-3 (i-bp1…) weight 1`, `= node-3 (i-bp1…) weight 2`, `- node-3 (i-bp1…)`. */
export function describeChanges(
    { add, update, remove }: GroupDifference,
    observation: Pick<Observation, "nodes" | "endpointSlices">,
): (readonly [address: string, change: string])[] {
    const named = namesOf(observation);
    return [
        ...add.map((one) => [one.address, `+ ${named(one)} weight ${one.weight}`] as const),
        ...update.map((one) => [one.address, `= ${named(one)} weight ${one.weight}`] as const),
        ...remove.map((one) => [one.address, `- ${named(one)}`] as const),
    ];
}

const NAMED_CHANGES = 10;

export function changeEvent(changes: readonly string[]): ClusterEvent {
    const others = changes.length - NAMED_CHANGES;
    const message = `Synced backends: ${changes.slice(0, NAMED_CHANGES).join(", ")}`;
    return {
        type: "Normal",
        reason: "SyncedBackends",
        message: others > 0 ? `${message} and ${others} more` : message,
    };
}
