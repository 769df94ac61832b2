/** `ack-loadbalancer explain`: why a Service does not work; or cause and remedy of an error of the cloud or of a Service event, from the arguments or standard input alone. */

import { EXIT } from "../command/exit";
import { readInput } from "../command/input";
import { diagnose, formatDiagnosis } from "../../provider/alicloud/diagnose";
import type { Output } from "../command/line";

export const EXPLAIN_USAGE = `usage: ack-loadbalancer explain <namespace>/<name> [options]
       ack-loadbalancer explain <error code, message or event text>...
       kubectl describe service <name> | ack-loadbalancer explain -

Of a Service: looks at it in cluster and cloud, changes nothing, and says what is wrong, in the order of the way of a
packet, with evidence, remedy and document.

  --kubeconfig <file>       default: KUBECONFIG, ~/.kube/config, or the pod's service account
  --context <name>          context of the kubeconfig
  --region <id>             region of the cloud (default: the environment's)
  --profile <name>          profile of ~/.aliyun/config.json
  --format <format>         text, markdown, html, json (default text)

Of an error of the cloud's API or of a Service event: tells cause and remedy; docs/errors.md lists all that are known.

Exit code: 0 nothing broken was found, or the error is known; 1 something is broken, or the error is not known; 2 the command line
is invalid, or the cluster cannot be read.
`;

/** A Service by its name; no error code or message looks like it. */
const SERVICE_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Runs the command line after `explain`. Gives the exit code. */
export async function runExplain(argv: readonly string[], output: Output): Promise<number> {
    if (!argv.some((word) => SERVICE_NAME.test(word))) return explainError(argv, output);
    const { explainService } = await import("./service.js");
    return explainService(argv, EXPLAIN_USAGE, output);
}

/** Explains an error by the table of all that are known. */
export function explainError(
    argv: readonly string[],
    output: Output,
    readText: () => string = () => readInput("-"),
): number {
    if (argv[0] === "--help" || argv[0] === "-h") {
        output.out(EXPLAIN_USAGE);
        return EXIT.ok;
    }
    const text = argv.length === 1 && argv[0] === "-" ? readText() : argv.join(" ");
    if (text.trim() === "") {
        output.error(`error: give an error code, a message or the text of an event\n\n${EXPLAIN_USAGE}`);
        return EXIT.unreadable;
    }
    const found = diagnose(text);
    if (found === undefined) {
        output.error("nothing is known of this error; docs/errors.md lists all that are known\n");
        return EXIT.found;
    }
    output.out(`${found.code}\n${formatDiagnosis(found)}\n`);
    return EXIT.ok;
}
