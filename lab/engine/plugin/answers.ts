import * as pb from "@pulumi/pulumi/proto/provider_pb";
import type { DiffKind } from "../value";
import type { CheckFailure, DiffResult } from "./types";

const KINDS: Record<number, DiffKind> = {
    [pb.PropertyDiff.Kind.ADD]: "add",
    [pb.PropertyDiff.Kind.ADD_REPLACE]: "add-replace",
    [pb.PropertyDiff.Kind.DELETE]: "delete",
    [pb.PropertyDiff.Kind.DELETE_REPLACE]: "delete-replace",
    [pb.PropertyDiff.Kind.UPDATE]: "update",
    [pb.PropertyDiff.Kind.UPDATE_REPLACE]: "update-replace",
};

/** What a plugin dislikes about inputs. */
export function failures(list: readonly pb.CheckFailure[]): CheckFailure[] {
    return list.map((f) => ({ property: f.getProperty(), reason: f.getReason() }));
}

/** The answer of a provider that leaves the comparison to the engine. */
export function unknownDiff(): DiffResult {
    return {
        changes: "unknown",
        replaceKeys: [],
        stableKeys: [],
        changedKeys: [],
        detailedDiff: undefined,
        deleteBeforeReplace: false,
    };
}

/** A plugin's verdict on a change. */
export function readDiff(a: pb.DiffResponse): DiffResult {
    const changes = a.getChanges();
    const detailed = a.getHasdetaileddiff() ? new Map<string, { kind: DiffKind; inputDiff: boolean }>() : undefined;
    if (detailed) {
        a.getDetaileddiffMap().forEach((v, k) => {
            detailed.set(k, { kind: KINDS[v.getKind()] ?? "update", inputDiff: v.getInputdiff() });
        });
    }
    return {
        changes:
            changes === pb.DiffResponse.DiffChanges.DIFF_NONE
                ? "none"
                : changes === pb.DiffResponse.DiffChanges.DIFF_SOME
                  ? "some"
                  : "unknown",
        replaceKeys: a.getReplacesList(),
        stableKeys: a.getStablesList(),
        changedKeys: a.getDiffsList(),
        detailedDiff: detailed,
        deleteBeforeReplace: a.getDeletebeforereplace(),
    };
}
