/** One reconciliation of a binding: what its server group ought to hold, or why it is left alone. Pure. */
import { groupBackends } from "../backend";
import { formatBackendKey, type Member, membersOf } from "../backend/member";
import type { EndpointSliceObject, NodeObject } from "../kubernetes/types";
import { type BindingSpec, DEFAULT_DRAIN_SECONDS } from "./binding/spec";
import type { BindingFinding } from "./binding/status";
import { modelOf } from "./binding/model";
import { checkObservation } from "./check";
import type { Observation } from "./observation";
import { admit, admitCandidates, isDraining } from "./endpoints";
import { defined } from "../schema/defined";

/** Since when members take no new connections, by backend key and in milliseconds. */
export type Draining = ReadonlyMap<string, number>;

/** Leave the group alone, or give it these members. */
export type Decision =
    | { readonly kind: "hold"; readonly finding: BindingFinding }
    | {
          readonly kind: "apply";
          /** Members that the group ought to hold, those that drain included. */
          readonly members: readonly Member[];
          readonly draining: Draining;
          /** Milliseconds until the next member has drained for long enough. */
          readonly recheckMs?: number;
          readonly notes: readonly string[];
          /** The Service has no backend at all. */
          readonly empty: boolean;
      };

/** Key of a member, its port included. */
export const memberKey = ({ address, port }: Member): string => formatBackendKey({ ...address, port });

/**
 * Decides what a server group ought to hold.
 *
 * Members are those that a run computes from the same objects. In addition, an endpoint that terminates and still serves stays with weight 0 until it is gone or its time is
 * over, unless the weights are not the controller's. Missing data never removes a backend.
 *
 * @param own managed members that the group holds.
 * @param draining what the last reconciliation has returned.
 * @param now milliseconds.
 */
export function reconcile(
    spec: BindingSpec,
    observation: Observation,
    own: readonly Member[],
    draining: Draining,
    now: number,
): Decision {
    const missing = checkObservation(spec, observation);
    if (missing !== undefined) return { kind: "hold", finding: missing };
    const slices = admitCandidates(observation.endpointSlices, spec.serviceName, observation.gatedPods);
    const { members, notes } = desiredMembers(spec, slices, observation.nodes);
    if (members.length === 0 && own.length > 0 && spec.allowEmpty !== true)
        return { kind: "hold", finding: emptied(spec, notes) };
    const drained = drain(spec, slices, observation.nodes, own, members, draining, now);
    return {
        kind: "apply",
        members: [...members, ...drained.members],
        draining: drained.since,
        ...defined({ recheckMs: drained.recheckMs }),
        notes,
        empty: members.length === 0,
    };
}

function desiredMembers(
    spec: BindingSpec,
    endpointSlices: readonly EndpointSliceObject[],
    nodes: readonly NodeObject[],
): { readonly members: readonly Member[]; readonly notes: readonly string[] } {
    const { service, group, facts } = modelOf(spec);
    const { backends, notes } = groupBackends(service, group, facts, { nodes, endpointSlices });
    // Members of a group for a range of ports have no port of their own.
    const port = spec.nodePort ?? (group.anyPort ? 0 : undefined);
    return {
        members: membersOf({ backends, ...defined({ port }) }),
        notes: notes.map(({ cause }) => cause),
    };
}

function drain(
    spec: BindingSpec,
    slices: readonly EndpointSliceObject[],
    nodes: readonly NodeObject[],
    own: readonly Member[],
    desired: readonly Member[],
    before: Draining,
    now: number,
): { readonly members: readonly Member[]; readonly since: Draining; readonly recheckMs?: number } {
    const limit = (spec.drainSeconds ?? DEFAULT_DRAIN_SECONDS) * 1000;
    const someDrain = slices.some(({ endpoints }) => endpoints?.some(isDraining));
    if (limit === 0 || spec.ignoreWeightUpdate === true || !someDrain) return { members: [], since: new Map() };
    const kept = new Set(desired.map(memberKey));
    const serving = new Set(desiredMembers(spec, admit(slices, isDraining), nodes).members.map(memberKey));
    const leaving = own.filter((member) => serving.has(memberKey(member)) && !kept.has(memberKey(member)));
    const since = new Map(leaving.map((member) => [memberKey(member), before.get(memberKey(member)) ?? now]));
    const left = (member: Member): number => (since.get(memberKey(member)) ?? now) + limit - now;
    const members = leaving.filter((member) => left(member) > 0).map((member) => ({ ...member, weight: 0 }));
    return { members, since, ...(members.length === 0 ? {} : { recheckMs: Math.min(...members.map(left)) }) };
}

function emptied({ serverGroup }: BindingSpec, notes: readonly string[]): BindingFinding {
    return {
        synced: false,
        reason: "NoBackends",
        cause: `no backend would be left, so those of server group ${serverGroup.id} stay (${notes.join("; ")})`,
        remedy: "start pods that the Service selects and nodes that can be backends, or set allowEmpty",
    };
}
