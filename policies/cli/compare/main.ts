/** `ack-loadbalancer compare`: what of each Service means something else with the other kind of load balancer. It reads files, and nothing else. */

import { compareKinds, needsChange } from "../../../provider/plan/kinds";
import { LOAD_BALANCER_TYPES, otherType } from "../../../provider/schema/load-balancer-type";
import { readArguments } from "../../check/arguments";
import { readInputs } from "../../check/inputs";
import { formatDiagnostics, type Output, UsageError } from "../../../provider/diagnostics";
import { type ComparedService, renderJson, renderTable } from "./render";

export const COMPARE_USAGE = `usage: ack-loadbalancer compare <file or folder>... [options]

Says of each Service of type LoadBalancer what means something else with the other kind of load balancer: a CLB's Service on an NLB, and an NLB's on a CLB.

  <file or folder>          manifests (*.yaml, *.yml, *.json); - reads standard input
  --to nlb|clb              only Services that do not have this kind yet
  --json                    print JSON
  --network-plugin, --created-at, --compatibility and other facts about the cluster as for check

Exit code: 0 nothing has to be changed, 1 something has to be changed first, 2 the command line or an input cannot be read.
`;

/** Runs the command line after `compare`. Gives the exit code. */
export function runCompare(argv: readonly string[], output: Output): number {
    try {
        const { to, rest } = takeTo(argv);
        const options = readArguments(rest);
        if (options === "help") {
            output.out(COMPARE_USAGE);
            return 0;
        }
        if (
            options.preview !== undefined ||
            options.config !== undefined ||
            !["table", "json"].includes(options.format)
        )
            throw new UsageError("--preview, --config and this --format are options of check");
        const { services, unreadable } = readInputs(options);
        const compared = services
            .filter(({ type }) => type === "LoadBalancer")
            .filter(({ loadBalancerType }) => to === undefined || otherType(loadBalancerType) === to)
            .map((service): ComparedService => ({
                service: service.name,
                from: service.loadBalancerType,
                to: otherType(service.loadBalancerType),
                differences: compareKinds(service),
            }));
        output.out((options.format === "json" ? renderJson : renderTable)(compared));
        if (unreadable.length > 0) {
            output.error(`${formatDiagnostics(unreadable)}\n`);
            return 2;
        }
        return compared.some(({ differences }) => differences.some(needsChange)) ? 1 : 0;
    } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        output.error(`error: ${error.message}\n\n${COMPARE_USAGE}`);
        return 2;
    }
}

/** `--to` is this command's own. */
function takeTo(argv: readonly string[]) {
    const index = argv.findIndex((part) => part === "--to" || part.startsWith("--to="));
    if (index === -1) return { to: undefined, rest: argv };
    const joined = argv[index]?.startsWith("--to=") === true;
    const text = joined ? argv[index]?.slice("--to=".length) : argv[index + 1];
    const to = LOAD_BALANCER_TYPES.find((type) => type === text);
    if (to === undefined) throw new UsageError(`--to: "${text ?? ""}" is no kind of load balancer; write nlb or clb`);
    return { to, rest: argv.filter((_, at) => at !== index && (joined || at !== index + 1)) };
}
