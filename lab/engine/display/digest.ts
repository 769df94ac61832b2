import { detailedDiffJson, eventJson, type EngineEvent } from "../events";
import { serializeResource, type JsonMap, type ResourceState } from "../state";
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

/** Times are left out: the digest is about the change, not about when. */
function stateJson(s: ResourceState): JsonMap {
    return serializeResource(
        { ...s, inputs: hidden(s.inputs), outputs: hidden(s.outputs), created: undefined, modified: undefined },
        undefined,
    );
}

/** The one document of `preview --json`. Policy events are not in it, as in the real CLI. */
export function digestDisplay(o: DisplayOptions): Display {
    let config: Record<string, string> = {};
    const steps: JsonMap[] = [];
    const diagnostics: JsonMap[] = [];
    let summary: Extract<EngineEvent, { kind: "summary" }> | undefined;
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
            } else if (e.kind === "begin" && !e.step.internal && (shouldShow(e.step, o) || isRoot(e.step))) {
                const { step } = e;
                const details =
                    step.detailedDiff &&
                    Object.fromEntries(
                        Object.entries(detailedDiffJson(step.detailedDiff)).map(([k, v]) => {
                            const { diffKind, inputDiff } = v as { diffKind: string; inputDiff: boolean };
                            return [k, { kind: diffKind, inputDiff }];
                        }),
                    );
                steps.push({
                    op: step.op,
                    urn: step.urn,
                    ...(step.provider === "" ? {} : { provider: step.provider }),
                    ...(step.old ? { oldState: stateJson(step.old) } : {}),
                    ...(step.now ? { newState: stateJson(step.now) } : {}),
                    ...(step.diffs.length > 0 ? { diffReasons: [...step.diffs] } : {}),
                    ...(step.keys.length > 0 ? { replaceReasons: [...step.keys] } : {}),
                    detailedDiff: details ?? null,
                });
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
            o.write(`${JSON.stringify(digest, null, 4)}\n`);
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
