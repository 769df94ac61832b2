/** Command line of `ack-loadbalancer report`. */

import { formatOf, readOptions } from "../command/command-line";
import { UsageError } from "../command/output";
import { REPORT_OPTIONS } from "../command/options";
import { type Format, FORMATS, type Verdict, VERDICTS } from ".";
import { defined } from "../../provider/schema/defined";

/** Conditions for exit code 1: verdicts, a mandatory violation, a public address that is released. */
const GATES = [...VERDICTS.slice(1), "violations", "address-released"] as const;

export type Gate = Exclude<Verdict, "nothing"> | "violations" | "address-released";

export interface ReportOptions {
    /** The saved preview; `-` is standard input. */
    readonly preview: string;
    readonly format: Format;
    readonly gates: readonly Gate[];
    /** Levels and settings of rules. */
    readonly config?: string;
    /** File to write to. Default: standard output. */
    readonly output?: string;
    /** Most characters of markdown. */
    readonly characters?: number;
}

export const REPORT_USAGE = `usage: ack-loadbalancer report <preview.json> [options]

Says what a preview does to the traffic of each Service. It reads what this prints, and nothing else:

  pulumi preview --json --show-sames > preview.json

  <preview.json>            the saved preview; - reads standard input
  --format <format>         ${FORMATS.join(", ")} (default text)
  --output <file>           write to a file
  --fail-on <gate,...>      exit with 1 at a verdict or a graver one, at mandatory violations of the rules, or
                            when a public address is released. From the least to the gravest:
                            ${VERDICTS.slice(1).join(", ")};
                            and violations, address-released
  --config <file>           levels and settings of rules, as for --policy-pack-config
  --max-characters <n>      most characters of markdown (default 65536, GitHub's limit; GitLab allows 1000000)
  --schema                  print the JSON schema of --format json

Exit code: 0 no gate is reached, 1 a gate is reached, 2 the command line or an input cannot be read.
`;

/**
 * Reads the command line after `report`.
 *
 * @throws UsageError
 */
export function readReportArguments(argv: readonly string[]): ReportOptions | "help" | "schema" {
    const { values, positionals } = readOptions(argv, REPORT_OPTIONS);
    if (values.help === true) return "help";
    if (values.schema === true) return "schema";
    const [preview, ...further] = positionals;
    if (preview === undefined) throw new UsageError("name the file with the preview");
    if (further.length > 0) throw new UsageError(`one preview at a time; unexpected argument ${further.join(", ")}`);
    const format = formatOf(values.format, FORMATS);
    const { config, output } = values;
    const characters = values["max-characters"];
    return {
        preview,
        format,
        gates: (values["fail-on"] ?? []).flatMap((list) => list.split(",")).map(gateOf),
        ...defined({ config, output }),
        ...(characters === undefined ? {} : { characters: numberOf(characters) }),
    };
}

function gateOf(text: string): Gate {
    const gate = GATES.find((one) => one === text);
    if (gate === undefined) throw new UsageError(`--fail-on: unknown gate "${text}"; use ${GATES.join(", ")}`);
    return gate as Gate;
}

function numberOf(text: string): number {
    if (!/^[1-9]\d{2,8}$/.test(text))
        throw new UsageError(`--max-characters: "${text}" is not allowed; write a number of 100 or more`);
    return Number(text);
}
