import type { DiffResult, Identity, Provider } from "../plugin";
import {
    asReplace,
    changedKeys,
    detailedDiffOf,
    diffMaps,
    mapValues,
    parsePath,
    pathContains,
    resetPath,
    unwrapSecrets,
    type DetailedDiff,
    type DiffKind,
    type ValueMap,
} from "../value";

/**
 * Inputs with everything that `ignore` names set back to what it was.
 * @param report takes a message about what could not be set back, and stays as the program has it
 */
export function ignoreChanges(
    inputs: ValueMap,
    olds: ValueMap,
    ignore: readonly string[],
    report: (message: string) => void = () => undefined,
): ValueMap {
    let out = inputs;
    const bad: string[] = [];
    for (const text of ignore) {
        let path;
        try {
            path = parsePath(text);
        } catch {
            continue;
        }
        const { value, complete } = resetPath(path, olds, out);
        out = value;
        if (!complete) bad.push(text);
    }
    if (bad.length > 0) {
        report(
            `cannot ignore changes to the following properties because one or more elements of the path are missing: ${JSON.stringify(bad.join(", "))}`,
        );
    }
    return out;
}

/** Asks a provider what a change means; where it has no opinion, old and new inputs are compared. */
export async function diffResource(
    provider: Provider,
    r: Identity,
    id: string,
    oldInputs: ValueMap,
    oldOutputs: ValueMap,
    news: ValueMap,
    ignore: readonly string[],
): Promise<DiffResult> {
    const d = await provider.diff(r, id, oldInputs, oldOutputs, news, ignore);
    if (d.changes !== "unknown") return d;
    // A value that only became secret, or stopped being one, is no change.
    const delta = diffMaps(
        mapValues(oldInputs, unwrapSecrets),
        mapValues(ignoreChanges(news, oldInputs, ignore), unwrapSecrets),
    );
    if (!delta) return { ...d, changes: "none" };
    return { ...d, changes: "some", changedKeys: changedKeys(delta), detailedDiff: detailedDiffOf(delta, true) };
}

/** True if the change needs a new object. */
export function needsReplacement(d: DiffResult): boolean {
    return d.replaceKeys.length > 0 || [...(d.detailedDiff?.values() ?? [])].some((p) => p.kind.endsWith("-replace"));
}

/** Name under which init errors of the last run take part in `replaceOnChanges`. */
const INIT_ERROR_KEY = "#initerror";

/** Turns changes of properties that `replaceOnChanges` names into replacements. */
export function applyReplaceOnChanges(
    d: DiffResult,
    replaceOnChanges: readonly string[],
    hasInitErrors: boolean,
): DiffResult {
    if (d.changes !== "some" && !hasInitErrors) return d;
    const paths = replaceOnChanges.map(parsePath);
    let detailed: DetailedDiff | undefined;
    if (d.detailedDiff) {
        detailed = new Map();
        for (const [text, p] of d.detailedDiff) {
            const at = parsePath(text);
            detailed.set(text, paths.some((r) => pathContains(r, at)) ? { ...p, kind: asReplace(p.kind) } : p);
        }
    }
    const keys = new Set(d.replaceKeys);
    for (const k of d.changedKeys) if (paths.some((r) => pathContains(r, [k]))) keys.add(k);
    let changes = d.changes;
    if (hasInitErrors && paths.some((r) => pathContains(r, [INIT_ERROR_KEY]))) {
        keys.add(INIT_ERROR_KEY);
        detailed?.set(INIT_ERROR_KEY, { kind: "update-replace", inputDiff: false });
        changes = "some";
    }
    return { ...d, changes, replaceKeys: [...keys], detailedDiff: detailed };
}

const INVERSE: Record<DiffKind, DiffKind> = {
    add: "delete",
    "add-replace": "delete-replace",
    delete: "add",
    "delete-replace": "add-replace",
    update: "update",
    "update-replace": "update-replace",
};

/** The same difference seen from the other side. */
export function invertDiff(d: DiffResult): DiffResult {
    return {
        ...d,
        detailedDiff:
            d.detailedDiff &&
            new Map([...d.detailedDiff].map(([k, p]) => [k, { kind: INVERSE[p.kind], inputDiff: p.inputDiff }])),
    };
}
