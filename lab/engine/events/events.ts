import type { Op, Status, Step } from "../deploy";
import type { PolicyRemediation, PolicySummary, PolicyViolation } from "../policy";
import { ImportStep } from "../deploy";
import { isDefaultProvider, type ResourceState } from "../state";
import type { DetailedDiff, ValueMap } from "../value";

/** A step at the moment of an event. States are copies of that moment. */
export interface StepFacts {
    op: Op;
    urn: string;
    type: string;
    provider: string;
    old: ResourceState | undefined;
    now: ResourceState | undefined;
    keys: readonly string[];
    diffs: readonly string[];
    detailedDiff: DetailedDiff | undefined;
    logical: boolean;
    /** Not shown to users: default providers and mere clean-up of the record. */
    internal: boolean;
}

/** What happened in a run. */
export type EngineEvent =
    | { kind: "prelude"; preview: boolean; config: Record<string, string> }
    | {
          kind: "diagnostic";
          severity: "info" | "info#err" | "warning" | "error";
          urn: string;
          message: string;
          ephemeral: boolean;
          /** Messages of one stream belong together; 0 is the stream of those that belong to none. */
          stream: number;
      }
    | { kind: "begin"; step: StepFacts; planning: boolean }
    | { kind: "outputs"; step: StepFacts; planning: boolean }
    | { kind: "failed"; step: StepFacts; status: Status; steps: number }
    | { kind: "policyLoad"; packs: number; done: boolean }
    | { kind: "violation"; urn: string; violation: PolicyViolation }
    | { kind: "remediation"; urn: string; remediation: PolicyRemediation; before: ValueMap; after: ValueMap }
    | { kind: "analyzeSummary" | "remediateSummary"; urn: string; summary: PolicySummary }
    | { kind: "stackSummary"; summary: PolicySummary }
    | {
          kind: "summary";
          preview: boolean;
          maybeCorrupt: boolean;
          seconds: number;
          changes: Record<string, number>;
          packs: PackFacts[];
          errors: number;
          result: "succeeded" | "failed";
      }
    | { kind: "stdout"; message: string }
    | { kind: "cancel" };

/** A policy pack that took part. */
export interface PackFacts {
    name: string;
    version: string;
    /** Folder as it was given; empty in audits, which do not name it. */
    path: string;
}
/** Name of a pack in summaries: local packs are distinguished by their folder. */
export function packKey(p: PackFacts): string {
    return p.path === "" ? p.name : `${p.name}|local|${p.path}`;
}

export type EventSink = (e: EngineEvent) => void;

/** A step as it is now. */
export function stepFacts(s: Step, op: Op = s.op): StepFacts {
    const old = s instanceof ImportStep ? s.readState : s.old;
    return {
        op,
        urn: s.urn,
        type: s.type,
        provider: s.providerRef,
        old: old && { ...old },
        now: s.now && { ...s.now },
        keys: s.keys,
        diffs: s.diffs,
        detailedDiff: s.detailedDiff,
        logical: s.logical,
        internal: isInternal(s),
    };
}

/** True for steps that users do not get to see. */
export function isInternal(s: Step): boolean {
    return s.op === "remove-pending-replace" || isDefaultProvider(s.urn);
}
