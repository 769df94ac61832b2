/** Returns a value that must exist. If it is absent, it throws with its name. */
export function found<T>(value: T | undefined, what: string): T {
    if (value === undefined) throw new Error(`${what} is missing`);
    return value;
}
