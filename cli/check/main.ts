/** `ack-loadbalancer check`: checks files by the rules of the policy pack. */

import { z } from "zod";
import type { ClusterFacts } from "../../provider/schema/facts";
import { defined } from "../../provider/schema/defined";
import { checkFacts } from "../../provider/service/service";
import { ConfigError, configureRules } from "../../policies/rule/config";
import { RULES } from "../../policies/rules";
import { CLUSTER_FACTS, parseData } from "../../policies/subjects/parse";
import { describeOptions, type Options, readOptions, runCommand } from "../command/command-line";
import { NO_TERMINAL, type Output, UsageError } from "../command/output";
import { checkInputs } from "../report/rules";
import { exitCode, renderCheckJson, renderCompact, renderJunit, renderSarif } from "./formats";
import { readInputs } from "./inputs";
import { renderCheckText } from "./text";

const RENDERERS = {
    compact: renderCompact,
    json: renderCheckJson,
    sarif: renderSarif,
    junit: renderJunit,
} as const;

const OPTIONS = {
    preview: { value: "<file>", text: "what `pulumi preview --json --show-sames` printed" },
    config: { value: "<file>", text: "levels and settings of rules, as for --policy-pack-config" },
    format: { value: "<format>", text: "text (the default), compact (a line each), json, sarif or junit" },
    verbose: { text: "in text: keys of annotations in full, and the source of each rule" },
    // Facts about the cluster that the manifests are for.
    "cluster-id": { value: "<id>", text: "id of the cluster" },
    "cluster-type": { value: "<type>", text: "ack or edge" },
    "network-plugin": { value: "<name>", text: "flannel, terway or terway-edge" },
    compatibility: { value: "<CCM>", text: "version of the Cloud Controller Manager" },
    "kubernetes-version": { value: "<version>", text: "version of Kubernetes" },
    "created-at": { value: "<date>", text: "creation of the cluster" },
    "kube-proxy-mode": { value: "<mode>", text: "iptables or ipvs" },
    "vpc-id": { value: "<id>", text: "VPC of the cluster" },
    vswitches: { value: "<id,id>", text: "vSwitches of the control plane" },
    "node-ports": { value: "<from-to>", text: "range of node ports" },
} as const satisfies Options;

const USAGE = `usage: ack-loadbalancer check [<file or folder>...] [options]

Checks Services of type LoadBalancer by the rules of the policy pack, without Pulumi and without a cluster.

  <file or folder>          manifests (*.yaml, *.yml, *.json); - reads standard input
${describeOptions(OPTIONS)}

The options from --cluster-id on are facts about the cluster that the manifests are for.

Exit code: 0 no mandatory violation, 1 mandatory violations, 2 the command line or an input cannot be read.
`;

const { shape } = CLUSTER_FACTS;

const idOf = (pattern: RegExp, words: string) => z.string().regex(pattern).describe(words).exactOptional();

const ARGUMENTS = z.looseObject({
    format: z.enum(["text", "compact", "json", "sarif", "junit"]).default("text"),
    "cluster-id": idOf(/^[\w*…-]+$/, "an id of letters, digits, - and _, such as c82e6987e2961451182edacd74faf****"),
    "vpc-id": idOf(/^vpc-[\w*…-]+$/, "the id of a VPC, such as vpc-bp1****"),
    "cluster-type": shape.clusterType,
    "network-plugin": shape.networkPlugin,
    "kube-proxy-mode": shape.kubeProxyMode,
    vswitches: z
        .string()
        .regex(/^vsw-[\w*…-]+(?:,vsw-[\w*…-]+)*$/)
        .describe("ids of vSwitches with commas between them, such as vsw-bp1****,vsw-bp2****")
        .transform((ids) => ids.split(","))
        .optional(),
    "node-ports": z
        .string()
        .regex(/^\d+-\d+$/)
        .describe("a range of ports such as 30000-32767")
        .transform((range) => range.split("-").map(Number))
        .transform(([from = 0, to = 0]) => ({ from, to }))
        .optional(),
});

export const runCheck = (argv: readonly string[], output: Output): Promise<number> =>
    runCommand(USAGE, argv, output, () => check(argv, output), ConfigError);

function check(argv: readonly string[], output: Output): number {
    const { format, verbose, ...options } = readCheckArguments(argv);
    const inputs = readInputs(options);
    const violations = checkInputs(inputs, configureRules(RULES, inputs.config === undefined ? {} : inputs.config));
    output.out(
        format === "text"
            ? renderCheckText(inputs, violations, output.terminal ?? NO_TERMINAL, verbose)
            : RENDERERS[format](inputs, violations),
    );
    return exitCode(inputs, violations);
}

/** Reads the command line after `check`. @throws UsageError */
export function readCheckArguments(argv: readonly string[]) {
    const { values, positionals } = readOptions(argv, OPTIONS);
    const parsed = parseData(ARGUMENTS, values);
    if (parsed.problems !== undefined)
        throw new UsageError(
            parsed.problems.map(({ path, cause, remedy }) => `--${path.join(".")}: ${cause}; ${remedy}`).join("\n"),
        );
    const { format } = parsed.data;
    const { preview, config, verbose = false, format: _, ...given } = { ...values, ...parsed.data };
    if (positionals.length === 0 && preview === undefined)
        throw new UsageError("name at least one file or folder, or --preview");
    const set = Object.fromEntries(Object.entries(given).map(([option, value]) => [factOf(option), value]));
    const facts: ClusterFacts = { clusterId: "(unknown)", offline: true, ...set };
    const [problem] = checkFacts(facts);
    if (problem !== undefined) {
        const option = Object.keys(given).find((name) => factOf(name) === problem.place.path?.[0]);
        throw new UsageError(`--${option}: ${problem.cause}; ${problem.remedy}`);
    }
    return { manifests: positionals, ...defined({ preview, config }), format, verbose, facts };
}

/** Returns the fact that an option sets: `networkPlugin` of `network-plugin`. */
const factOf = (option: string): string =>
    option === "node-ports"
        ? "nodePortRange"
        : option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
