/** Properties as they travel between engine and plugin. */

export type Property = string | number | boolean | null | undefined | Property[] | { [name: string]: Property };
export type PropertyMap = { [name: string]: Property };

/** Stands for a value that is not known during a preview. */
export const unknownProperty = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Names of the properties that were filled in by a check rather than given by the program. */
export const defaultsKey = "__defaults";
export const metaKey = "__meta";
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

export const isReserved = (name: string): boolean =>
    name === defaultsKey || name === metaKey || name === "__pulumi_raw_state_delta";

export const isMap = (value: Property): value is PropertyMap =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** The value without secret wrappers. */
export function withoutSecrets(value: Property): Property {
    if (Array.isArray(value)) return value.map(withoutSecrets);
    if (!isMap(value)) return value;
    if (value[signatureKey] === secretSignature) return withoutSecrets(value["value"]);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutSecrets(inner)]));
}

/** The properties without those that are `null`, at all depths of objects. */
export function withoutNulls(map: PropertyMap): PropertyMap {
    const result: PropertyMap = {};
    for (const [name, value] of Object.entries(map)) {
        if (value === null || value === undefined) continue;
        result[name] = stripNulls(value);
    }
    return result;
}

function stripNulls(value: Property): Property {
    if (Array.isArray(value)) return value.map(stripNulls);
    return isMap(value) ? withoutNulls(value) : value;
}

export function sameProperty(a: Property, b: Property): boolean {
    if (Array.isArray(a) || Array.isArray(b)) {
        return (
            Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => sameProperty(v, b[i]))
        );
    }
    if (isMap(a) && isMap(b)) {
        const names = Object.keys(a);
        return (
            names.length === Object.keys(b).length && names.every((name) => name in b && sameProperty(a[name], b[name]))
        );
    }
    return a === b;
}
