import * as path from "node:path";
import { type Case, readCase } from "./case";

/** Returns the annotations of a Service, and which of them are lists. */
function annotationsOf(annotations: Readonly<Record<string, string>> = {}): string[] {
    return Object.entries(annotations).flatMap(([key, value]) => [
        `annotation ${key}`,
        ...(value.includes(",") ? [`list ${key}`] : []),
    ]);
}

/** Returns the kinds of weights that the backends of a step have, with those of the Service's own annotations. */
function weightsOf({ service, expect }: Case["steps"][number]): string[] {
    const stated = Object.keys(service?.metadata.annotations ?? {}).filter((key) => key.endsWith("weight"));
    const differ = expect.cloud.serverGroups.some(
        ({ backends }) => new Set(backends.map(({ weight }) => weight)).size > 1,
    );
    return differ ? ["", ...stated].map((key) => `weights that differ ${key}`) : [];
}

/** Returns what a case is about: annotations, fields of the Service, weights, faults, and the recorded calls. */
function featuresOf(file: string): Set<string> {
    const { cluster, cloudBefore, steps } = readCase(file);
    const names = (prefix: string, object: object = {}): string[] => Object.keys(object).map((key) => prefix + key);
    const ofStep = (step: Case["steps"][number]): string[] => {
        const { op, service, cloudCalls = [], fail, expect } = step;
        return [
            op,
            expect.error === null ? "no error" : "error",
            ...annotationsOf(service?.metadata.annotations),
            ...weightsOf(step),
            ...names("spec ", service?.spec),
            ...names("fails ", fail),
            ...cloudCalls.map(({ action }) => `outside ${action}`),
            ...(expect.mutations ?? []).map(({ action }) => action),
        ];
    };
    const found = [...names("cluster ", cluster), ...names("before ", cloudBefore), ...steps.flatMap(ofStep)];
    const folder = path.basename(path.dirname(file));
    return new Set([`plugin ${cluster.networkPlugin}`, ...found].map((feature) => `${folder}: ${feature}`));
}

/** Returns the fewest cases, as a greedy choice finds them, that have every feature of all cases. The same every time. */
export function sampleOf(files: readonly string[]): string[] {
    const cases = files.map((file) => ({ file, features: featuresOf(file) }));
    const left = new Set(cases.flatMap(({ features }) => [...features]));
    const chosen: string[] = [];
    while (left.size > 0) {
        const ranked = cases.map((one) => ({
            ...one,
            gain: [...one.features].filter((each) => left.has(each)).length,
        }));
        const best = ranked.reduce((one, other) => (other.gain > one.gain ? other : one));
        for (const feature of best.features) left.delete(feature);
        chosen.push(best.file);
    }
    return chosen.sort();
}
