/** An answer of the cloud, before it is read. */
export type Json = { readonly [key: string]: unknown };

/** A text field; numbers are taken as text because the API is not consistent. Undefined where absent or empty. */
export function text(json: Json, key: string): string | undefined {
    const value = json[key];
    if (typeof value === "string") return value === "" ? undefined : value;
    return typeof value === "number" ? String(value) : undefined;
}

/** A text field that must be there. */
export function requireText(json: Json, key: string, action: string): string {
    const value = text(json, key);
    if (value === undefined) throw new Error(`${action}: the answer has no ${key}`);
    return value;
}

/** A number field; numeric text is taken too. Undefined where absent or not a number. */
export function number(json: Json, key: string): number | undefined {
    const value = json[key];
    if (typeof value === "number") return value;
    return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))
        ? Number(value)
        : undefined;
}

/** The objects of a list field, along a path of keys: `list(answer, "Tags", "Tag")`. Empty where any part is absent. */
export function list(json: Json, ...path: readonly string[]): Json[] {
    let value: unknown = json;
    for (const key of path) value = typeof value === "object" && value !== null ? (value as Json)[key] : undefined;
    return Array.isArray(value) ? value.filter((item): item is Json => typeof item === "object" && item !== null) : [];
}
