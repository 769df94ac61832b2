/** Copies data at any depth, with maps, sets and the classes of its objects. Functions are shared. */
export function copyOf<Data>(data: Data): Data {
    return copied(data) as Data;
}

function copied(data: unknown): unknown {
    if (typeof data !== "object" || data === null) return data;
    if (data instanceof Map) return new Map([...data].map(([key, value]) => [key, copied(value)]));
    if (data instanceof Set) return new Set([...data].map(copied));
    if (Array.isArray(data)) return data.map(copied);
    const copy = Object.create(Object.getPrototypeOf(data) as object) as Record<string, unknown>;
    for (const [key, value] of Object.entries(data)) copy[key] = copied(value);
    return copy;
}
