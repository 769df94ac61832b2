import { EXIT } from "./exit";
import { type Output, UsageError } from "./line";

/**
 * Writes what has stopped a command, and gives the exit code: an invalid command line with the usage, an expected error
 * as it is.
 *
 * @throws any other error, which is a mistake of the program
 */
export function stopped(
    error: unknown,
    usage: string,
    output: Output,
    ...expected: readonly (abstract new (...args: never[]) => Error)[]
): number {
    if (error instanceof UsageError) output.error(`error: ${error.message}\n\n${usage}`);
    else if (error instanceof Error && expected.some((one) => error instanceof one)) output.error(`${error.message}\n`);
    else throw error;
    return EXIT.unreadable;
}
