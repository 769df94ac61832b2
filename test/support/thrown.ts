/** Returns the error that a function throws, and fails if it throws none. */
export function thrown(run: () => unknown): Error {
    try {
        run();
    } catch (error) {
        return error as Error;
    }
    throw new Error("nothing was thrown");
}
