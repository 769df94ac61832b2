/** Writes an error's stack; Node calls it when the stack is first read. */
type Formatter = NonNullable<typeof Error.prepareStackTrace>;

/**
 * Leaves the call sites out of the stacks of errors without a message. The SDK makes such an error for every resource and every property,
 * for its own bookkeeping, and reads its stack at once: with hundreds of Services that is a third of the program's time. Errors that say something
 * keep their stacks.
 */
export function omitBookkeepingStacks(format: Formatter | undefined = Error.prepareStackTrace): Formatter {
    return (error, callSites) => {
        if (error.message === "") return String(error);
        return format === undefined
            ? [String(error), ...callSites.map((site) => `    at ${site.toString()}`)].join("\n")
            : format(error, callSites);
    };
}
