/** Outputs where a value must be known when the program runs: each is refused with its field, in JavaScript as in TypeScript. */
import * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, type FieldPath, formatDiagnostics } from "../../provider/diagnostics";
import { isOutput } from "./outputs";

/** What the SDK makes of an Output that is put into a text, or into JSON. */
const STRINGIFIED = /Calling \[to(?:String|JSON)\] on an \[Output<T>\]/;

/** Fields that hold an Output, a resource, or a text that an Output was put into. */
export function findOutputs(value: unknown, path: FieldPath = []): FieldPath[] {
    if (isOutput(value) || pulumi.Resource.isInstance(value)) {
        return [path];
    }
    if (typeof value === "string") {
        return STRINGIFIED.test(value) ? [path] : [];
    }
    if (typeof value !== "object" || value === null) {
        return [];
    }
    return Object.entries(value).flatMap(([key, item]) =>
        findOutputs(item, [...path, Array.isArray(value) ? Number(key) : key]),
    );
}

const TAKEN =
    "Outputs are taken for namespace, name, labels, selector and targetPort of the Service, in references, and for clusterId, vpcId, resourceGroupId, vswitches, kubeconfig and region";

/** Why fields cannot be Outputs. */
export function refuseOutputs(subject: string, fields: readonly FieldPath[]): Diagnostic[] {
    return fields.map((path) => ({
        code: "component-arguments",
        severity: "error",
        place: { subject, path: [...path] },
        cause: "this is an Output (or a text that an Output was put into), whose value is only known once another resource is made; which listeners, server groups and rules there are follows from it",
        remedy: `write the value itself here and in the other resource, and name that resource in dependsOn. ${TAKEN}; pulumi.interpolate puts an Output into a text`,
    }));
}

/** @throws RunError with every field that holds an Output. */
export function requirePlain(subject: string, value: unknown): void {
    const fields = findOutputs(value);
    if (fields.length > 0) {
        throw new pulumi.RunError(formatDiagnostics(refuseOutputs(subject, fields)));
    }
}
