/** `ack-loadbalancer explain`: cause and remedy of an error of the cloud, or of a Service event. It reads its arguments or standard input, and nothing else. */

import * as fs from "node:fs";
import { diagnose, formatDiagnosis } from "../../provider/alicloud/diagnose";
import type { Output } from "./output";

export const EXPLAIN_USAGE = `usage: ack-loadbalancer explain <error code, message or event text>...
       kubectl describe service <name> | ack-loadbalancer explain -

Tells cause and remedy of an error of the cloud's API or of a Service event; docs/errors.md lists all that are known.

Exit code: 0 the error is known, 1 it is not, 2 the command line is invalid.
`;

/** Exit codes of the command. */
const EXIT = { known: 0, unknown: 1, usage: 2 } as const;

/** Runs the command line after `explain`. Gives the exit code. */
export function runExplain(
    argv: readonly string[],
    output: Output,
    readInput: () => string = () => fs.readFileSync(0, "utf8"),
): number {
    if (argv[0] === "--help" || argv[0] === "-h") {
        output.out(EXPLAIN_USAGE);
        return EXIT.known;
    }
    const text = argv.length === 1 && argv[0] === "-" ? readInput() : argv.join(" ");
    if (text.trim() === "") {
        output.error(`error: give an error code, a message or the text of an event\n\n${EXPLAIN_USAGE}`);
        return EXIT.usage;
    }
    const found = diagnose(text);
    if (found === undefined) {
        output.error("nothing is known of this error; docs/errors.md lists all that are known\n");
        return EXIT.unknown;
    }
    output.out(`${found.code}\n${formatDiagnosis(found)}\n`);
    return EXIT.known;
}
