/** Reconciliation of a binding: the desired members of its server group, or why it is left alone. Pure. */
import { groupBackends, isDraining } from "../backends";
import { type Backend, formatBackendKey, toList } from "../schema/backend";
import type { EndpointSliceObject, NodeObject } from "../service/objects";
import { defined } from "../schema/defined";
import { modelOf } from "./binding/model";
import type { BindingSpec } from "./binding/spec";
import { type BindingFinding, held } from "./binding/status";
import { drain, type Drain, type Draining } from "./drain";
import { admit, admitCandidates, checkObservation, type Observation } from "./observation";

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
    const { members, notes, leaving } = desiredMembers(spec, slices, observation.nodes);
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
        draining: new Map([...drained.draining, ...leaving.map((key) => [key, draining.get(key) ?? now] as const)]),
        members: [...members, ...drained.members],
        notes,
        empty: members.length === 0,
    };
}

function desiredMembers(
    spec: BindingSpec,
    endpointSlices: readonly EndpointSliceObject[],
    nodes: readonly NodeObject[],
): { readonly members: readonly Backend[]; readonly notes: readonly string[]; readonly leaving: readonly string[] } {
    const { service, group, facts } = modelOf(spec);
    const { backends, notes, draining } = groupBackends(service, group, facts, { nodes, endpointSlices });
    // In a group for a range of ports, members have no port.
    const port = spec.nodePort ?? (group.anyPort ? 0 : undefined);
    const members = toList({ backends, ...defined({ port }) });
    const keys = Object.keys(backends);
    const leaving = members.filter((_, index) => draining.has(keys[index] ?? "")).map(formatBackendKey);
    return { members, notes: notes.map(({ cause }) => cause), leaving };
}
