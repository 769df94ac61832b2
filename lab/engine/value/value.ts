/** Marker key that distinguishes special objects (secrets, assets, references) from plain maps on the wire and in state. */
export const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
/** Value of the marker key in a secret. */
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
/** Value of the marker key in an output value. */
export const OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
/** Value of the marker key in a resource reference. */
export const REFERENCE_SIGNATURE = "5cf8f73096256a8f31e491e813e4eb8e";
/** Text that stands for "not known yet" on the wire and in events. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A value whose plain text must never be stored, logged or shown. */
export class Secret {
    constructor(readonly element: Value) {}
}

/** A value that will be known only after the deployment has run. There is one instance, {@link UNKNOWN}. */
export class Unknown {
    private constructor() {}
    static readonly instance = new Unknown();
}
export const UNKNOWN = Unknown.instance;

/** A value together with what it depends on; programs send it when transforms are involved. */
export class OutputValue {
    constructor(
        /** Undefined when the value is not known yet. */
        readonly element: Value | undefined,
        readonly secret: boolean,
        readonly dependencies: readonly string[],
    ) {}
}

/** A property value as the engine works with it. Assets, archives and references stay maps that carry the marker key. */
export type Value = null | boolean | number | string | Value[] | ValueMap | Secret | Unknown | OutputValue;
export interface ValueMap {
    [key: string]: Value;
}

/** True for maps, including assets, archives and references. */
export function isMap(v: Value | undefined): v is ValueMap {
    return (
        typeof v === "object" &&
        v !== null &&
        !Array.isArray(v) &&
        !(v instanceof Secret) &&
        !(v instanceof Unknown) &&
        !(v instanceof OutputValue)
    );
}

/** True for maps that carry the marker key: assets, archives, references. They are compared as a whole. */
export function isSpecialMap(v: Value | undefined): v is ValueMap {
    return isMap(v) && typeof v[SIGNATURE_KEY] === "string";
}

/** True for maps without the marker key. */
export function isObject(v: Value | undefined): v is ValueMap {
    return isMap(v) && typeof v[SIGNATURE_KEY] !== "string";
}

/** False for null and for unknown output values: such a property counts as absent in comparisons. */
export function hasValue(v: Value | undefined): boolean {
    return v !== undefined && v !== null && !(v instanceof OutputValue && v.element === undefined);
}

/** True if a secret occurs anywhere inside. */
export function containsSecret(v: Value | undefined): boolean {
    if (v instanceof Secret) return true;
    if (v instanceof OutputValue) return v.secret || containsSecret(v.element);
    if (Array.isArray(v)) return v.some(containsSecret);
    return isMap(v) && Object.values(v).some(containsSecret);
}

/** True if an unknown occurs anywhere inside. */
export function containsUnknown(v: Value | undefined): boolean {
    if (v instanceof Unknown) return true;
    if (v instanceof Secret) return containsUnknown(v.element);
    if (v instanceof OutputValue) return v.element === undefined || containsUnknown(v.element);
    if (Array.isArray(v)) return v.some(containsUnknown);
    return isMap(v) && Object.values(v).some(containsUnknown);
}

/** Takes away all secret wrappers; the result must not be stored or shown. */
export function unwrapSecrets(v: Value): Value {
    if (v instanceof Secret) return unwrapSecrets(v.element);
    if (v instanceof OutputValue) return v.element === undefined ? UNKNOWN : unwrapSecrets(v.element);
    if (Array.isArray(v)) return v.map(unwrapSecrets);
    if (isMap(v)) return mapValues(v, unwrapSecrets);
    return v;
}

/** Applies a function to every value of a map. */
export function mapValues(m: ValueMap, f: (v: Value, key: string) => Value): ValueMap {
    const r: ValueMap = {};
    for (const k of Object.keys(m)) r[k] = f(m[k] as Value, k);
    return r;
}

/** Turns output values into secrets, unknowns or plain values; dependencies are lost. */
export function downgradeOutputs(v: Value): Value {
    if (v instanceof OutputValue) {
        const inner = v.element === undefined ? UNKNOWN : downgradeOutputs(v.element);
        return v.secret ? new Secret(inner) : inner;
    }
    if (v instanceof Secret) return new Secret(downgradeOutputs(v.element));
    if (Array.isArray(v)) return v.map(downgradeOutputs);
    if (isMap(v)) return mapValues(v, downgradeOutputs);
    return v;
}

/** URNs that the output values inside depend on. */
export function outputDependencies(v: Value, into: Set<string> = new Set()): Set<string> {
    if (v instanceof OutputValue) {
        for (const d of v.dependencies) into.add(d);
        if (v.element !== undefined) outputDependencies(v.element, into);
    } else if (v instanceof Secret) outputDependencies(v.element, into);
    else if (Array.isArray(v)) for (const e of v) outputDependencies(e, into);
    else if (isMap(v)) for (const e of Object.values(v)) outputDependencies(e, into);
    return into;
}

/** Structural equality; null and absent keys are the same, secrets equal only secrets. */
export function deepEquals(a: Value | undefined, b: Value | undefined): boolean {
    if (a === b) return true;
    if (a === undefined || b === undefined) return !hasValue(a) && !hasValue(b);
    if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((e, i) => deepEquals(e, b[i]));
    if (a instanceof Secret) return b instanceof Secret && deepEquals(a.element, b.element);
    if (a instanceof Unknown) return b instanceof Unknown;
    if (a instanceof OutputValue) {
        return (
            b instanceof OutputValue &&
            a.secret === b.secret &&
            (a.element === undefined) === (b.element === undefined) &&
            deepEquals(a.element, b.element)
        );
    }
    if (isMap(a)) return isMap(b) && mapEquals(a, b);
    return false;
}

/** {@link deepEquals} for maps. */
export function mapEquals(a: ValueMap, b: ValueMap): boolean {
    for (const k of Object.keys(a)) {
        if (k in b ? !deepEquals(a[k], b[k]) : hasValue(a[k])) return false;
    }
    for (const k of Object.keys(b)) if (!(k in a) && hasValue(b[k])) return false;
    return true;
}

/** Copies maps and lists; leaves are shared, they are immutable. */
export function copyValue(v: Value): Value {
    if (Array.isArray(v)) return v.map(copyValue);
    if (isMap(v)) return mapValues(v, copyValue);
    return v;
}
