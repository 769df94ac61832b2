import { integrityError, isProviderType, referencesOf, type ResourceState, type Snapshot, urnName } from "../state";
import { deepEquals } from "../value";
import type { FakeCloud } from "./cloud";
import type { Outcome, RanStep } from "./deploy";
import type { ProgramSpec } from "./program";

/** Each function returns what is wrong; nothing for a run that keeps the rule. */
export type Violations = string[];

const isManaged = (r: ResourceState): boolean => r.custom && !isProviderType(r.type) && !r.pendingReplacement;

/** Every state that is stored can be loaded again: dependencies stand before dependants, nothing is there twice. */
export function integrity(outcome: Outcome): Violations {
    return outcome.saved.flatMap(({ state }, i) => {
        const problem = integrityError(state.resources);
        return problem === undefined ? [] : [`state ${i + 1} of ${outcome.saved.length}: ${problem}`];
    });
}

/** No object is lost, and the state names none that does not exist. */
export function bookkeeping(cloud: FakeCloud, released: ReadonlySet<string>, outcome: Outcome): Violations {
    const known = new Set(outcome.state.resources.map((r) => r.id));
    const lost = [...cloud.objects.keys()].filter((id) => !known.has(id) && !released.has(id));
    const missing = outcome.state.resources.filter(
        (r) => isManaged(r) && !cloud.objects.has(r.id) && !cloud.vanished.has(r.id),
    );
    return [
        ...lost.map((id) => `${id} exists, but the state does not know it`),
        ...missing.map((r) => `${r.id} of the state does not exist`),
    ];
}

/** At whatever moment the engine is killed, the stored state knows every object, or at least that it was being created. */
export function survivesKill(released: ReadonlySet<string>, before: Snapshot, outcome: Outcome): Violations {
    const violations = new Set<string>();
    let last = before;
    for (const { state, objects } of outcome.saved) {
        // What there was just before a state was stored is what a kill at that moment leaves behind.
        for (const stored of [last, state]) {
            const known = new Set(stored.resources.map((r) => r.id));
            const creating = new Set(stored.pendingOperations.map((o) => o.resource.urn));
            for (const o of objects)
                if (!known.has(o.id) && !creating.has(o.urn) && !released.has(o.id)) violations.add(o.id);
        }
        last = state;
    }
    return [...violations].map((id) => `${id} exists while the stored state knows nothing of it`);
}

/** Every step ends, and a resource is operated on after what it depends on, and deleted before. */
export function order(before: Snapshot, outcome: Outcome): Violations {
    const violations = outcome.steps.filter((s) => s.end === undefined).map((s) => `${s.op} of ${s.urn} never ends`);
    const last = new Map<string, RanStep>();
    for (const s of outcome.steps) if (makes(s)) last.set(s.urn, s);
    for (const r of outcome.state.resources) {
        const own = last.get(r.urn);
        if (!own || own.op === "same" || own.failed || r.delete) continue;
        for (const urn of referencesOf(r)) {
            const other = last.get(urn);
            if (other && (other.end ?? Infinity) > own.begin) violations.push(`${r.urn} is made before ${urn}`);
        }
    }
    const deletes = new Map(outcome.steps.filter((s) => s.op === "delete").map((s) => [s.urn, s]));
    for (const r of before.resources) {
        const own = deletes.get(r.urn);
        if (!own || r.delete) continue;
        for (const urn of referencesOf(r)) {
            const other = deletes.get(urn);
            if (other && other.begin < (own.end ?? Infinity)) violations.push(`${urn} is deleted before ${r.urn}`);
        }
    }
    return violations;
}

const makes = (s: RanStep): boolean => ["same", "create", "update", "create-replacement"].includes(s.op);

/**
 * Protected objects are not deleted. An update may take the protection away and replace the object at once.
 * @param program of an update
 */
export function protection(cloud: FakeCloud, program: ProgramSpec, before: Snapshot): Violations {
    const unprotected = new Set(
        program.filter((spec) => !spec.protect).flatMap((spec) => [spec.name, ...spec.aliases]),
    );
    const isKept = (r: ResourceState) => !unprotected.has(urnName(r.urn)) && !unprotected.has(r.urn);
    const kept = before.resources.filter((r) => r.protect && !r.delete && isKept(r)).map((r) => r.id);
    return cloud.calls
        .filter((c) => c.op === "delete" && kept.includes(c.id))
        .map((c) => `${c.id} is deleted, although it is protected`);
}

/** The state after a complete update is what the program asks for. */
export function goalState(cloud: FakeCloud, program: ProgramSpec, outcome: Outcome): Violations {
    const violations: Violations = [];
    const live = outcome.state.resources.filter((r) => r.type.startsWith("test:"));
    for (const r of live) if (r.delete) violations.push(`${r.urn} still waits for its deletion`);
    for (const spec of program) {
        const r = live.find((s) => s.urn.endsWith(`:${spec.kind}::${spec.name}`));
        if (!r) {
            violations.push(`${spec.name} is not in the state`);
            continue;
        }
        if (!spec.ignoreSize && r.inputs["size"] !== spec.size) violations.push(`${spec.name} has another size`);
        if (spec.kind !== "Component" && r.inputs["zone"] !== spec.zone) violations.push(`${spec.name}: another zone`);
        if (r.protect !== spec.protect && !spec.parent) violations.push(`${spec.name}: protection differs`);
        if (r.initErrors.length > 0) violations.push(`${spec.name} still has init errors`);
    }
    for (const r of live)
        if (!program.some((spec) => r.urn.endsWith(`:${spec.kind}::${spec.name}`)))
            violations.push(`${r.urn} is not in the program`);
    return [...violations, ...outputsMatch(cloud, outcome)];
}

/** The outputs in the state are those of the objects. */
export function outputsMatch(cloud: FakeCloud, outcome: Outcome): Violations {
    return outcome.state.resources.filter(isManaged).flatMap((r) => {
        const o = cloud.objects.get(r.id);
        if (!o) return [`${r.id} of the state does not exist`];
        return deepEquals(r.outputs, cloud.outputsOf(o)) ? [] : [`the outputs of ${r.urn} differ from the object's`];
    });
}

/**
 * Nothing is deleted that something else still uses, except where it has to go before its replacement comes, or what an
 * earlier run has left for deletion.
 * @param released objects that nothing deletes any more
 */
export function noUsers(
    cloud: FakeCloud,
    released: ReadonlySet<string>,
    before: Snapshot,
    outcome: Outcome,
): Violations {
    const leftOver = new Set(before.resources.filter((r) => r.delete).map((r) => r.id));
    const early = new Set<string>();
    const created = new Set<string>();
    for (const s of outcome.steps) {
        if (s.op === "create-replacement") created.add(s.urn);
        if (s.op === "delete-replaced" && !created.has(s.urn)) early.add(s.urn);
    }
    return cloud.calls
        .filter((c) => c.op === "delete" && !early.has(c.urn) && !leftOver.has(c.id))
        .map((c) => ({ ...c, users: c.users.filter((id) => !released.has(id)) }))
        .filter((c) => c.users.length > 0)
        .map((c) => `${c.id} is deleted while ${c.users.join(", ")} use it`);
}

/** A run that changes nothing. */
export function nothingChanges(cloud: FakeCloud, outcome: Outcome): Violations {
    const steps = outcome.steps.filter((s) => s.op !== "same" && s.op !== "refresh");
    const changed = Object.keys(outcome.changes).filter((op) => op !== "same");
    return [
        ...cloud.calls.map((c) => `${c.op} of ${c.id}`),
        ...steps.map((s) => `${s.op} of ${s.urn}`),
        ...changed.map((op) => `${op} in the summary`),
    ];
}

/** What a preview shows is what the update does; an update may turn out to be none when all values are known. */
export function predicted(preview: Outcome, actual: Outcome): Violations {
    const planned = operations(preview);
    const done = operations(actual);
    const violations: Violations = [];
    for (const urn of new Set([...planned.keys(), ...done.keys()])) {
        const [plan, fact] = [planned.get(urn) ?? "nothing", done.get(urn) ?? "nothing"];
        if (plan !== fact && !(plan === "update" && fact === "same"))
            violations.push(`${urn}: the preview shows ${plan}, the update does ${fact}`);
    }
    return violations;
}

/** Deletion of what has left the program, along with something that it depended on. Whether it goes so or by itself depends on which of two registrations comes first that do not wait for each other. */
const DELETED_ALONG = "delete-replaced remove-pending-replace";

function operations(outcome: Outcome): Map<string, string> {
    const result = new Map<string, string[]>();
    for (const s of outcome.steps) result.set(s.urn, [...(result.get(s.urn) ?? []), s.op]);
    return new Map([...result].map(([urn, ops]) => [urn, ops.sort().join(" ").replace(DELETED_ALONG, "delete")]));
}

/** Only what the run is aimed at is changed. */
export function withinTargets(cloud: FakeCloud, allowed: (urn: string) => boolean): Violations {
    return cloud.calls.filter((c) => !allowed(c.urn)).map((c) => `${c.op} of ${c.urn}, which is not targeted`);
}
