/** Returns a value that must exist; throws with its name otherwise. */
export function found<T>(value: T | undefined, what: string): T {
    if (value === undefined) throw new Error(`${what} is missing`);
    return value;
}
