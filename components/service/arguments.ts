/** Arguments of components as JavaScript gives them: no compiler has looked at their names. */
import * as pulumi from "@pulumi/pulumi";
import { ANY, type Known, unknownNames } from "../../provider/annotations/unknown-names";
import { type Diagnostic, type FieldPath, formatDiagnostics } from "../../provider/diagnostics";
import { SERVICE_FIELDS } from "../../provider/kubernetes/service/fields";
import { IMMUTABLE_FIELD_RULES, type MoveTo } from "../../provider/plan";
import type { ReferenceArgs } from "./args";
import { isOutput } from "./outputs";

/** The names of some arguments, which the compiler holds against their type. */
export type NamesOf<Args> = { readonly [Name in keyof Args]-?: Known };

export const MOVE_NAMES: NamesOf<MoveTo> = { cluster: ANY, account: ANY, region: ANY };

/** A Service in code: whatever Kubernetes has in the spec of a Service is taken. */
export const SERVICE_NAMES = { namespace: ANY, name: ANY, labels: ANY, ...SERVICE_FIELDS.spec };

export const REFERENCE_NAMES: NamesOf<ReferenceArgs> = {
    vswitchId: ANY,
    certId: ANY,
    aclId: ANY,
    zoneVswitches: ANY,
    securityGroupIds: ANY,
    bandwidthPackageId: ANY,
    resourceGroupId: ANY,
};

/**
 * Refuses arguments that there are not, and the absence of those that there must be.
 *
 * @throws RunError with all of them, each with the nearest name that there is
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
                "there is no such argument, so that it would have no effect",
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

/** Settings that may change this time, but never could. */
function unknownReplacements(subject: string, settings: unknown): Diagnostic[] {
    return Array.isArray(settings)
        ? settings.flatMap((setting: unknown, index) =>
              unknownNames({ [String(setting)]: undefined }, REPLACEABLE).map(({ nearest }) =>
                  problem(
                      subject,
                      ["allowReplacement", index],
                      `"${String(setting)}" is no immutable setting`,
                      nearest === undefined
                          ? `write one of ${Object.keys(REPLACEABLE).join(", ")}`
                          : `did you mean "${nearest}"?`,
                  ),
              ),
          )
        : [];
}

const REPLACEABLE = Object.fromEntries(Object.keys(IMMUTABLE_FIELD_RULES).map((field) => [field, ANY]));

const problem = (subject: string, path: FieldPath, cause: string, remedy: string): Diagnostic => ({
    code: "component-arguments",
    severity: "error",
    place: { subject, path },
    cause,
    remedy,
});
