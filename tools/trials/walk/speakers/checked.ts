/** The answers of `check` against those of a run. */
import { isDeepStrictEqual } from "node:util";
import { checkInputs } from "../../../../cli/report/rules";
import { configureRules } from "../../../../policies/rule/config";
import { RULES } from "../../../../policies/rules";
import { serviceOfManifest } from "../../../../policies/subjects";
import { isError } from "../../../../provider/diagnostics";
import { documentOf } from "../../../../provider/service/manifests";
import { parseService } from "../../../../provider/service/service";
import { OF_A_RUN } from "../../../../test/support/rules-of-a-run";
import { clusterOf, nameOf, serviceOf, type Version } from "../../service";
import type { Annotations, Draft } from "../versions";

/** Facts that a run finds in the cluster, and that the command line of `check` gives. */
const factsOf = (version: Version) => ({ ...clusterOf(version), vswitches: ["vsw-a"] });

const rules = configureRules(RULES, {}).filter(({ rule }) => OF_A_RUN.test(rule.name));

/** Returns the causes for which `check` refuses a Service. */
function refusedByCheck(version: Version): string[] {
    const subject = serviceOfManifest(documentOf(serviceOf(version)), { ...factsOf(version), offline: true });
    return checkInputs({ services: [subject], resources: [], removed: [] }, rules)
        .filter(({ level }) => level === "mandatory")
        .map(({ cause }) => cause)
        .toSorted();
}

/** Returns the causes for which a run refuses it. */
export const refusedByRun = (version: Version): string[] =>
    parseService(documentOf(serviceOf(version)), factsOf(version))
        .diagnostics.filter(isError)
        .map(({ cause }) => cause)
        .toSorted();

/** Returns a line if `check` and a run judge a manifest differently. */
export function disagreement(version: Version): string[] {
    const [check, run] = [refusedByCheck(version), refusedByRun(version)];
    if (isDeepStrictEqual(check, run)) return [];
    return [`${nameOf(version)}: check refuses it for [${check.join("; ")}], a run for [${run.join("; ")}]`];
}

/** Returns the causes for which a manifest is refused and which a text of errors lacks. */
export const unsaid = (version: Version, errors: string): string[] =>
    refusedByRun(version)
        .filter((cause) => !errors.includes(cause))
        .map((cause) => `${nameOf(version)}: check refuses it, and a preview does not: ${cause}`);

/** Returns a manifest between two that are right, which may be wrong: each annotation is of either, or misplaced. */
export function between(from: Version, { to, parts }: Pick<Draft, "to" | "parts">): Version {
    const [mine, theirs]: Annotations[] = [from.annotations ?? {}, to.annotations ?? {}];
    const names = Object.keys({ ...mine, ...theirs }).toSorted();
    const values = names.map((name) => mine?.[name] ?? theirs?.[name] ?? "");
    const [choices, swaps] = parts;
    const annotations = names.flatMap((name, index) => {
        const bit = (choices >>> (index % 31)) & 1;
        const own = (bit === 0 ? mine : theirs)?.[name];
        const isSwapped = ((swaps >>> (index % 29)) & 15) === 15;
        const value = isSwapped ? values[(index + 1) % values.length] : own;
        return value === undefined ? [] : [[name, value] as const];
    });
    const { ports } = (swaps & 1) === 0 ? from : to;
    return { ...from, ports, annotations: Object.fromEntries(annotations) };
}
