/** Properties as they travel between engine and plugin, secret wrappers included. */
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonMap = { [name: string]: Json };

/** Stands for a value that is not known during a preview. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export const isMap = (value: Json | undefined): value is JsonMap =>
    typeof value === "object" && value !== null && !Array.isArray(value);
export const isSecret = (value: Json | undefined): boolean => isMap(value) && value[signatureKey] === secretSignature;
export const asSecret = (value: Json): Json => (isSecret(value) ? value : { [signatureKey]: secretSignature, value });

/** The value without secret wrappers. */
export function plain<T extends Json>(value: T): T;
export function plain(value: Json): Json {
    if (Array.isArray(value)) return value.map((inner) => plain(inner));
    if (!isMap(value)) return value;
    if (isSecret(value)) return plain(value["value"] ?? null);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

export function containsSecret(value: Json): boolean {
    if (Array.isArray(value)) return value.some(containsSecret);
    return isMap(value) && (isSecret(value) || Object.values(value).some(containsSecret));
}

export function containsUnknown(value: Json): boolean {
    if (value === unknown) return true;
    if (Array.isArray(value)) return value.some(containsUnknown);
    return isMap(value) && Object.values(value).some(containsUnknown);
}

export function withoutNulls(value: Json): Json {
    if (Array.isArray(value)) return value.map(withoutNulls);
    if (!isMap(value)) return value;
    return Object.fromEntries(
        Object.entries(value)
            .filter(([, inner]) => inner !== null)
            .map(([name, inner]) => [name, withoutNulls(inner)]),
    );
}

/**
 * Marks values as secret where they are secret in `inputs`. Objects are searched, lists are marked as a whole. The data
 * of a Secret is always secret.
 */
export function markSecrets(outputs: JsonMap, inputs: JsonMap | undefined): JsonMap {
    const result = { ...outputs };
    if (outputs["kind"] === "Secret") {
        for (const name of ["data", "stringData"])
            if (result[name] !== undefined) result[name] = asSecret(result[name]);
        return result;
    }
    for (const [name, input] of Object.entries(inputs ?? {})) {
        const output = result[name];
        if (output === undefined) continue;
        if (isMap(output) && !isSecret(output) && isMap(input) && !isSecret(input))
            result[name] = markSecrets(output, input);
        else if (containsSecret(input)) result[name] = asSecret(output);
    }
    return result;
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
    if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, i) => equal(value, b[i]));
    if (isMap(a) && isMap(b)) {
        const names = Object.keys(a);
        return names.length === Object.keys(b).length && names.every((name) => name in b && equal(a[name], b[name]));
    }
    return a === b;
}

export const fromStruct = (struct: Struct | undefined): JsonMap =>
    struct === undefined ? {} : (withoutNulls(struct.toJavaScript()) as JsonMap);

export const toStruct = (map: JsonMap): Struct =>
    Struct.fromJavaScript(withoutNulls(map) as { [name: string]: JavaScriptValue });
