/** Names of arguments: unknown and missing arguments are refused. */
import * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, formatDiagnostics } from "../../provider/diagnostics";
import { REPLACEABLE } from "../../provider/plan/immutability";
import { ANY, type Known, unknownNames } from "../../provider/service/annotations/unknown-names";
import { isOutput, problem } from "./outputs";

/** Names of the arguments of a type, all of them required by the compiler. */
export type NamesOf<Args> = { readonly [Name in keyof Args]-?: Known };

/** Returns names of arguments with any value. */
export function anyOf<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, typeof ANY>> {
    return Object.fromEntries(names.map((name) => [name, ANY])) as Record<Name, typeof ANY>;
}

/**
 * Refuses unknown and missing arguments.
 *
 * @throws RunError with all problems, each unknown name with the nearest known name
 */
export function requireArguments<Args extends object>(
    subject: string,
    args: Args,
    known: NamesOf<Args>,
    required: readonly (keyof Args & string)[] = [],
): void {
    const given: Partial<Args> = args ?? {};
    const problems = [
        ...unknownNames(given, known, isOutput).map(({ path, nearest }) =>
            problem(
                subject,
                path,
                "unknown argument: it would have no effect",
                nearest === undefined ? "remove it" : `did you mean "${nearest}"?`,
            ),
        ),
        ...required
            .filter((name) => isMissing(given[name]))
            .map((name) => problem(subject, [name], "it is missing, or empty", `give ${name}`)),
        ...unknownReplacements(subject, (given as { allowReplacement?: unknown }).allowReplacement),
    ];
    if (problems.length > 0) throw new pulumi.RunError(formatDiagnostics(problems));
}

const isMissing = (value: unknown): boolean => (typeof value === "string" ? value.trim() : (value ?? "")) === "";

/** Entries of `allowReplacement` that are not immutable settings. */
function unknownReplacements(subject: string, settings: unknown): Diagnostic[] {
    return Array.isArray(settings)
        ? settings.flatMap((setting: unknown, index) =>
              unknownNames({ [String(setting)]: undefined }, REPLACEABLE_NAMES).map(({ nearest }) =>
                  problem(
                      subject,
                      ["allowReplacement", index],
                      `"${String(setting)}" is no immutable setting`,
                      nearest === undefined ? `write one of ${REPLACEABLE.join(", ")}` : `did you mean "${nearest}"?`,
                  ),
              ),
          )
        : [];
}

const REPLACEABLE_NAMES = anyOf(...REPLACEABLE);
