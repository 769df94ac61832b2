import { detailedDiffJson, eventJson, type EngineEvent, type StepFacts } from "../events";
import { ROOT_STACK_TYPE, serializeResource, type JsonMap, type ResourceState } from "../state";
import { isMap, mapValues, Secret, type Value, type ValueMap } from "../value";
import type { Display, DisplayOptions } from "./display";
import { isRoot, shouldShow } from "./shown";

/** Every secret as the text `[secret]`. */
function hideSecrets(v: Value): Value {
    if (v instanceof Secret) return "[secret]";
    if (Array.isArray(v)) return v.map(hideSecrets);
    return isMap(v) ? mapValues(v, hideSecrets) : v;
}
const hidden = (m: ValueMap): ValueMap => mapValues(m, hideSecrets);

/** Times are left out: the digest is about the change, not about when. Outputs of the stack can be left out, too. */
function stateJson(s: ResourceState, o: DisplayOptions): JsonMap {
    const bare = o.suppressOutputs && s.type === ROOT_STACK_TYPE;
    const [inputs, outputs] = bare ? [{}, {}] : [hidden(s.inputs), hidden(s.outputs)];
    return serializeResource({ ...s, inputs, outputs, created: undefined, modified: undefined }, undefined);
}

function stepJson(step: StepFacts, o: DisplayOptions): JsonMap {
    const details =
        step.detailedDiff &&
        Object.fromEntries(
            Object.entries(detailedDiffJson(step.detailedDiff)).map(([k, v]) => {
                const { diffKind, inputDiff } = v as { diffKind: string; inputDiff: boolean };
                return [k, { kind: diffKind, inputDiff }];
            }),
        );
    return {
        op: step.op,
        urn: step.urn,
        ...(step.provider === "" ? {} : { provider: step.provider }),
        ...(step.old ? { oldState: stateJson(step.old, o) } : {}),
        ...(step.now ? { newState: stateJson(step.now, o) } : {}),
        ...(step.diffs.length > 0 ? { diffReasons: [...step.diffs] } : {}),
        ...(step.keys.length > 0 ? { replaceReasons: [...step.keys] } : {}),
        detailedDiff: details ?? null,
    };
}

/** True if a refresh that began as `begun` has found a difference, which then stands in its place. */
function isFinding(s: StepFacts, begun: StepFacts | undefined): boolean {
    return begun?.op === "refresh" && ((s.op === "update" && s.detailedDiff !== undefined) || s.op === "delete");
}

/** A JSON document with the characters escaped that mean something in HTML, as the real CLI writes it. */
function documentText(v: unknown): string {
    const code = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return JSON.stringify(v, null, 4).replace(/[<>&\u2028\u2029]/g, code);
}

/** The one document of `preview --json`. Policy events are not in it, as in the real CLI. */
export function digestDisplay(o: DisplayOptions): Display {
    let config: Record<string, string> = {};
    const steps: JsonMap[] = [];
    const diagnostics: JsonMap[] = [];
    const begun = new Map<string, StepFacts>();
    let summary: Extract<EngineEvent, { kind: "summary" }> | undefined;
    const isShown = (s: StepFacts) => shouldShow(s, o) || isRoot(s);
    return {
        sink: (e) => {
            if (e.kind === "prelude") config = e.config;
            else if (e.kind === "summary") summary = e;
            else if (e.kind === "stdout") diagnostics.push({ message: e.message, severity: "info" });
            else if (e.kind === "diagnostic" && !e.ephemeral) {
                diagnostics.push({
                    ...(e.urn === "" ? {} : { urn: e.urn }),
                    message: (e.severity.startsWith("info") ? "" : `${e.severity}: `) + e.message,
                    severity: e.severity,
                });
            } else if ((e.kind === "begin" || e.kind === "outputs") && !e.step.internal && isShown(e.step)) {
                if (e.kind === "begin") {
                    begun.set(e.step.urn, e.step);
                    steps.push(stepJson(e.step, o));
                } else if (isFinding(e.step, begun.get(e.step.urn))) {
                    const found = stepJson(e.step, o);
                    steps.forEach((s, i) => s["urn"] === e.step.urn && steps.splice(i, 1, found));
                }
            }
        },
        finish: () => {
            const digest: JsonMap = {
                ...(Object.keys(config).length > 0 ? { config } : {}),
                ...(steps.length > 0 ? { steps } : {}),
                ...(diagnostics.length > 0 ? { diagnostics } : {}),
                ...(summary ? { duration: Math.round(summary.seconds * 1e9), changeSummary: summary.changes } : {}),
                ...(summary?.maybeCorrupt ? { maybeCorrupt: true } : {}),
            };
            o.write(`${documentText(digest)}\n`);
        },
    };
}

/** Events as they happen, one JSON document a line: `--json` of commands that change something. */
export function eventStreamDisplay(o: DisplayOptions): Display {
    let sequence = 0;
    return {
        sink: (e) =>
            o.write(
                `${JSON.stringify({ sequence: sequence++, timestamp: Math.floor(Date.now() / 1000), ...eventJson(e) })}\n`,
            ),
        finish: () => undefined,
    };
}
