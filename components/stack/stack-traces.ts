/** Call sites only for errors that say something: those that the SDK makes for its own bookkeeping are a third of the time of a program with hundreds of Services. */

/** Writes an error's stack; Node calls it when the stack is first read. */
type Formatter = NonNullable<typeof Error.prepareStackTrace>;

/**
 * Leaves the call sites out of the stacks of errors without a message. The SDK makes such an error for every resource and every property and reads its stack at once. Errors that
 * say something keep their stacks.
 */
export function omitBookkeepingStacks(format: Formatter | undefined = Error.prepareStackTrace): Formatter {
    return (error, callSites) => {
        if (error.message === "") return String(error);
        return format === undefined
            ? [String(error), ...callSites.map((site) => `    at ${site.toString()}`)].join("\n")
            : format(error, callSites);
    };
}

/** A module of the SDK whose function notes where each promise was made, for a message about promises that never end. */
export interface PromiseNotes {
    debuggablePromise?: (...args: readonly unknown[]) => unknown;
}

/** The SDK's own module, which is no part of its interface: an empty one where a version of the SDK has none. */
export function sdkPromiseNotes(load: (name: string) => unknown = require): PromiseNotes {
    try {
        return load("@pulumi/pulumi/runtime/debuggable") as PromiseNotes;
    } catch {
        return {};
    }
}

/** Notes promises without collecting call sites for them, which takes ten times as long as the promise. An SDK without the function is left as it is. */
export function omitPromiseStacks(module: PromiseNotes): void {
    const note = module.debuggablePromise;
    if (note === undefined) return;
    module.debuggablePromise = (...args) => {
        const limit = Error.stackTraceLimit;
        Error.stackTraceLimit = 0;
        try {
            return note(...args);
        } finally {
            Error.stackTraceLimit = limit;
        }
    };
}
