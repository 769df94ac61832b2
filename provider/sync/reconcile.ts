/**
 * Reconciliation of a binding: the desired members of its server group, or why it is left alone. Pure.
 * A pod that terminates and still serves keeps its connections, and gets no new ones: its backend is drained.
 */
import { groupBackends } from "../backends";
import { type Backend, formatBackendKey, toList } from "../schema/backend";
import type { EndpointObject, EndpointSliceObject, NodeObject } from "../service/objects";
import { defined } from "../schema/defined";
import { modelOf } from "./binding/model";
import { type BindingSpec, DEFAULT_DRAIN_SECONDS } from "./binding/spec";
import { type BindingFinding, held } from "./binding/status";
import { admit, admitCandidates, checkObservation, type Observation } from "./observation";

/** Start of the drain of members, in milliseconds, by backend key. */
export type Draining = ReadonlyMap<string, number>;

interface Drain {
    /** Members that leave, with weight 0. */
    readonly members: readonly Backend[];
    readonly draining: Draining;
    /** Milliseconds until the drain of the next member ends. */
    readonly recheckMs?: number;
}

/** Decision to leave the group alone, or to give it these members. */
export type Decision =
    | { readonly kind: "hold"; readonly finding: BindingFinding }
    | (Drain & {
          readonly kind: "apply";
          /** Desired members, including those that drain. */
          readonly members: readonly Backend[];
          readonly notes: readonly string[];
          /** The Service has no backend at all. */
          readonly empty: boolean;
      });

/**
 * Decides the desired members of a server group: those of a run with the same objects. An endpoint that terminates
 * and still serves also stays, with weight 0, until it is gone or its drain ends, unless the user sets the weights.
 * Missing data never removes a backend.
 *
 * @param own managed members of the group.
 * @param draining result of the last reconciliation.
 * @param now milliseconds.
 */
export function reconcile(
    spec: BindingSpec,
    observation: Observation,
    own: readonly Backend[],
    draining: Draining,
    now: number,
): Decision {
    const missing = checkObservation(spec, observation);
    if (missing !== undefined) return { kind: "hold", finding: missing };
    const slices = admitCandidates(spec.serviceName, observation);
    const { members, notes } = desiredMembers(spec, slices, observation.nodes);
    if (members.length === 0 && own.length > 0 && spec.allowEmpty !== true) {
        const { id } = spec.serverGroup;
        const finding = held(
            "NoBackends",
            `no backend would be left, so those of server group ${id} stay (${notes.join("; ")})`,
            "start pods that the Service selects and nodes that can be backends, or set allowEmpty",
        );
        return { kind: "hold", finding };
    }
    const serving = slices.some(({ endpoints }) => endpoints?.some(isDraining))
        ? desiredMembers(spec, admit(slices, isDraining), observation.nodes).members
        : [];
    const drained = drain(spec, serving, own, members, draining, now);
    return {
        kind: "apply",
        ...drained,
        members: [...members, ...drained.members],
        notes,
        empty: members.length === 0,
    };
}

function desiredMembers(
    spec: BindingSpec,
    endpointSlices: readonly EndpointSliceObject[],
    nodes: readonly NodeObject[],
): { readonly members: readonly Backend[]; readonly notes: readonly string[] } {
    const { service, group, facts } = modelOf(spec);
    const { backends, notes } = groupBackends(service, group, facts, { nodes, endpointSlices });
    // In a group for a range of ports, members have no port.
    const port = spec.nodePort ?? (group.anyPort ? 0 : undefined);
    return { members: toList({ backends, ...defined({ port }) }), notes: notes.map(({ cause }) => cause) };
}

const isDraining = ({ conditions }: EndpointObject): boolean =>
    conditions?.terminating === true && conditions.serving === true;

/**
 * Returns the managed members that leave and still serve, with weight 0, until their drain ends.
 *
 * @param serving members that take traffic as long as draining endpoints serve.
 * @param own managed members of the group.
 * @param before result of the last reconciliation.
 * @param now milliseconds.
 */
function drain(
    spec: BindingSpec,
    serving: readonly Backend[],
    own: readonly Backend[],
    desired: readonly Backend[],
    before: Draining,
    now: number,
): Drain {
    const limit = (spec.drainSeconds ?? DEFAULT_DRAIN_SECONDS) * 1000;
    if (limit === 0 || spec.ignoreWeightUpdate === true) return { members: [], draining: new Map() };
    const servingKeys = new Set(serving.map(formatBackendKey));
    const desiredKeys = new Set(desired.map(formatBackendKey));
    const leaving = own
        .filter((member) => servingKeys.has(formatBackendKey(member)) && !desiredKeys.has(formatBackendKey(member)))
        .map((member) => {
            const since = before.get(formatBackendKey(member)) ?? now;
            return { member, since, left: since + limit - now };
        });
    const kept = leaving.filter(({ left }) => left > 0);
    return {
        members: kept.map(({ member }) => ({ ...member, weight: 0 })),
        draining: new Map(leaving.map(({ member, since }) => [formatBackendKey(member), since])),
        ...(kept.length === 0 ? {} : { recheckMs: Math.min(...kept.map(({ left }) => left)) }),
    };
}
