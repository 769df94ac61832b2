/**
 * Outputs in the arguments of a component: where they are taken, which of them have a value, and which are unknown in a
 * preview.
 */
import * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, type FieldPath, formatDiagnostics } from "../../provider/diagnostics";

/** Value for checks where the real value is an Output: a valid DNS label and id. It is never registered. */
export const KNOWN_LATER = "known-later";

/** True if the value is only known once the engine has resolved it. */
export function isOutput(value: unknown): value is pulumi.Output<unknown> | Promise<unknown> {
    return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Values by the names of their fields in messages. */
export type Fields = Readonly<Record<string, unknown>>;

export const outputsOf = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => isOutput(value)));

/** Returns the names of the fields that are unknown in this preview. */
export async function unknownFields(fields: Fields): Promise<string[]> {
    const found = Object.entries(outputsOf(fields)).map(async ([field, value]) =>
        (await isKnownOutput(pulumi.output(value))) ? [] : [field],
    );
    return (await Promise.all(found)).flat();
}

/** Returns the names of the fields whose Outputs resolve to no value. */
export function valueless(fields: Fields): pulumi.Output<string[]> {
    return pulumi
        .output(outputsOf(fields))
        .apply((known) => Object.keys(known).filter((field) => (known[field] ?? "") === ""));
}

/** Members of an Output that the SDK's types hide. */
const insideOf = <Value>(value: pulumi.Output<Value>) =>
    value as unknown as {
        readonly isKnown: Promise<boolean>;
        readonly isSecret: Promise<boolean>;
        promise(raw?: boolean): Promise<Value>;
    };

/** True if the value is known in this preview. */
export function isKnownOutput(value: pulumi.Output<unknown>): Promise<boolean> {
    return insideOf(value).isKnown;
}

/** Resolves an Output that is known, see {@link isKnownOutput}. */
export function promiseOf<Value>(value: pulumi.Output<Value>): Promise<Value> {
    return insideOf(value).promise();
}

/** Resolves an Output, whose value may have unknown parts. */
export function rawOf(value: pulumi.Output<unknown>): Promise<unknown> {
    return insideOf(value).promise(true);
}

/**
 * Reads the texts among the Outputs of a resource. It reads raw values, because in a preview the SDK treats absent
 * values as unknown.
 */
export function textsOf(resource: pulumi.Resource): pulumi.Output<Record<string, string>> {
    const texts = Object.entries(resource).map(async ([name, value]: [string, unknown]) => {
        const text = pulumi.Output.isInstance(value) ? await rawOf(value) : undefined;
        return typeof text === "string" && text !== "" ? [[name, text] as const] : [];
    });
    return pulumi.output(Promise.all(texts).then((found) => Object.fromEntries(found.flat())));
}

/** Prevents an unhandled rejection of an exported Output that fails before the SDK takes it over. */
export function exported<Value>(value: pulumi.Output<Value>): pulumi.Output<Value> {
    const { isKnown, isSecret } = insideOf(value);
    for (const part of [isKnown, isSecret]) part.catch(() => undefined);
    return value;
}

/** Text that the SDK produces for an Output in a template string or JSON. */
const STRINGIFIED = /Calling \[to(?:String|JSON)\] on an \[Output<T>\]/;

/** Returns the fields that hold an Output, a resource, or a text with a stringified Output. */
export function findOutputs(value: unknown, path: FieldPath = []): FieldPath[] {
    if (isOutput(value) || pulumi.Resource.isInstance(value)) return [path];
    if (typeof value === "string") return STRINGIFIED.test(value) ? [path] : [];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, item]) =>
        findOutputs(item, [...path, Array.isArray(value) ? Number(key) : key]),
    );
}

export async function secretFields(value: unknown, path: FieldPath = []): Promise<FieldPath[]> {
    if (pulumi.Output.isInstance(value)) return (await insideOf(pulumi.output(value)).isSecret) ? [path] : [];
    if (typeof value !== "object" || value === null) return [];
    const found = Object.entries(value).map(([key, item]) =>
        secretFields(item, [...path, Array.isArray(value) ? Number(key) : key]),
    );
    return (await Promise.all(found)).flat();
}

const TAKEN =
    "Outputs are taken for namespace, name, labels and selector of the Service, in references, " +
    "and for clusterId, vpcId, resourceGroupId, vswitches and kubeconfig of the cluster";

export const problem = (subject: string, path: FieldPath, cause: string, remedy: string): Diagnostic => ({
    code: "component-arguments",
    severity: "error",
    place: { subject, path },
    cause,
    remedy,
});

/** Builds an error for each field that must not be an Output. */
export const refuseOutputs = (subject: string, fields: readonly FieldPath[]): Diagnostic[] =>
    fields.map((path) =>
        problem(
            subject,
            path,
            "this is an Output (or a text that an Output was put into), " +
                "whose value is only known once another resource is made; " +
                "which listeners, server groups and rules there are follows from it",
            "write the value itself here and in the other resource, and name that resource in dependsOn. " +
                `${TAKEN}; pulumi.interpolate puts an Output into a text`,
        ),
    );

/** @throws RunError with all fields that hold an Output */
export function requirePlain(subject: string, value: unknown): void {
    const fields = findOutputs(value);
    if (fields.length > 0) throw new pulumi.RunError(formatDiagnostics(refuseOutputs(subject, fields)));
}

/**
 * Logs a message about a resource once that is registered. The SDK sends messages in their order, and one about a
 * resource waits for its URN: that of a refused resource would hold back all others, in later runs of the process too.
 *
 * @param log of `pulumi.log`, by severity
 */
export function logAbout(resource: pulumi.Resource, log: typeof pulumi.log.warn, message: string): void {
    void promiseOf(resource.urn).then(
        () => log(message, resource),
        () => undefined,
    );
}

/** Logs the fields that a preview does not know yet. */
export function announceUnknown(fields: Fields, name: string, component: pulumi.Resource): void {
    if (!pulumi.runtime.isDryRun()) return;
    void unknownFields(fields).then((unknown) => {
        if (unknown.length > 0)
            logAbout(
                component,
                pulumi.log.info,
                `Service ${name}: not known before pulumi up: ${unknown.join(", ")}. ` +
                    "Names, ownership marks and backends that follow from it are shown as unknown, " +
                    "and are computed and checked in the up; everything else is checked now.",
            );
    });
}
