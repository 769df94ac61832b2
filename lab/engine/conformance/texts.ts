import type { Json, JsonMap, Step } from "./case";
import type { Output } from "./cli";
import { sortDiagnosticBlocks, sortRemediationLines, type Normaliser } from "./normalise";

/** What a command has written, where it was recorded. */
export function observeTexts(step: Step, out: Output, norm: Normaliser): JsonMap {
    const got: JsonMap = {};
    if (step.expect["json"] !== undefined) {
        try {
            got["json"] = norm.value(JSON.parse(out.stdout) as Json);
        } catch {
            got["json"] = out.stdout;
        }
        const digest = got["json"] as JsonMap;
        if (typeof digest === "object" && digest !== null) delete digest["duration"];
        const steps = digest["steps"];
        if (Array.isArray(steps))
            digest["steps"] = (steps as JsonMap[])
                .map((s, i) => ({ s, i }))
                .sort((a, b) =>
                    String(a.s["urn"]) < String(b.s["urn"])
                        ? -1
                        : String(a.s["urn"]) > String(b.s["urn"])
                          ? 1
                          : a.i - b.i,
                )
                .map((x) => x.s);
    }
    if (step.expect["stdout"] !== undefined) {
        let lines = sortRemediationLines(sortDiagnosticBlocks(norm.text(out.stdout).split("\n")));
        if (step.command === "destroy") lines = lines.filter((l) => !/^ {4}pulumi:pulumi:Stack \S+ {2}$/.test(l));
        got["stdout"] = lines;
    }
    if (out.stderr !== "") got["stderr"] = norm.text(out.stderr).replace(/\n$/, "").split("\n");
    return got;
}
