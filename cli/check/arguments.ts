/** Command line of `ack-loadbalancer check`. */

import { z } from "zod";
import { readOptions } from "../command/command-line";
import { UsageError } from "../command/output";
import { CHECK_OPTIONS } from "../command/options";
import { checkFacts } from "../../provider/service/service";
import type { ClusterFacts } from "../../provider/schema/facts";
import { CLUSTER_FACTS, parseData } from "../../policies/subjects/parse";
import { defined } from "../../provider/schema/defined";

const CHECK_FORMATS = ["text", "json", "sarif", "junit"] as const;

export type CheckFormat = (typeof CHECK_FORMATS)[number];

export interface CheckOptions {
    /** Files and folders of manifests; `-` is standard input. */
    readonly manifests: readonly string[];
    /** Saved preview. */
    readonly preview?: string;
    /** Levels and settings of rules. */
    readonly config?: string;
    readonly format: CheckFormat;
    /** Facts about the cluster that the manifests are for. */
    readonly facts: ClusterFacts;
}

export const CHECK_USAGE = `usage: ack-loadbalancer check [<file or folder>...] [options]

Checks Services of type LoadBalancer by the rules of the policy pack, without Pulumi and without a cluster.

  <file or folder>          manifests (*.yaml, *.yml, *.json); - reads standard input
  --preview <file>          what \`pulumi preview --json --show-sames\` printed
  --config <file>           levels and settings of rules, as for --policy-pack-config
  --format <format>         text (the default), json, sarif or junit

Facts about the cluster that the manifests are for:
  --cluster-id <id>         --cluster-type ack|edge
  --network-plugin flannel|terway|terway-edge
  --compatibility <CCM>     --kubernetes-version <version>
  --created-at <date>       --kube-proxy-mode iptables|ipvs
  --vpc-id <id>             --vswitches <id,id>
  --node-ports <from-to>

Exit code: 0 no mandatory violation, 1 mandatory violations, 2 the command line or an input cannot be read.
`;

const { shape } = CLUSTER_FACTS;

/** Options that set facts of the cluster. */
const FACT_OPTIONS = {
    clusterId: "cluster-id",
    clusterType: "cluster-type",
    networkPlugin: "network-plugin",
    compatibility: "compatibility",
    kubernetesVersion: "kubernetes-version",
    createdAt: "created-at",
    kubeProxyMode: "kube-proxy-mode",
    vpcId: "vpc-id",
    vswitches: "vswitches",
    nodePortRange: "node-ports",
} as const satisfies Partial<Record<keyof ClusterFacts, keyof typeof CHECK_OPTIONS>>;

const ARGUMENTS = z.strictObject({
    preview: z.string().optional(),
    config: z.string().optional(),
    format: z.enum(CHECK_FORMATS).optional(),
    help: z.boolean().default(false),
    "cluster-id": shape.clusterId,
    "cluster-type": shape.clusterType,
    "network-plugin": shape.networkPlugin,
    compatibility: shape.compatibility,
    "kubernetes-version": shape.kubernetesVersion,
    "created-at": shape.createdAt,
    "kube-proxy-mode": shape.kubeProxyMode,
    "vpc-id": shape.vpcId,
    vswitches: z
        .string()
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

type Arguments = z.output<typeof ARGUMENTS>;

/**
 * Reads the command line after `check`.
 *
 * @throws UsageError
 */
export function readCheckArguments(argv: readonly string[]): CheckOptions | "help" {
    const { values, positionals } = parse(argv);
    if (values.help) return "help";
    if (positionals.length === 0 && values.preview === undefined)
        throw new UsageError("name at least one file or folder, or --preview");
    const facts = factsOf(values);
    const [problem] = checkFacts(facts);
    if (problem !== undefined) {
        const option = FACT_OPTIONS[problem.place.path?.[0] as keyof typeof FACT_OPTIONS];
        throw new UsageError(`--${option}: ${problem.cause}; ${problem.remedy}`);
    }
    const { preview, config, format = "text" } = values;
    return {
        manifests: positionals,
        ...defined({ preview, config }),
        format,
        facts,
    };
}

function parse(argv: readonly string[]): { readonly values: Arguments; readonly positionals: readonly string[] } {
    const { values, positionals } = readOptions(argv, CHECK_OPTIONS);
    const parsed = parseData(ARGUMENTS, values);
    if (parsed.problems === undefined) return { values: parsed.data, positionals };
    throw new UsageError(
        parsed.problems.map(({ path, cause, remedy }) => `--${path.join(".")}: ${cause}; ${remedy}`).join("\n"),
    );
}

function factsOf(values: Arguments): ClusterFacts {
    const given = Object.entries(FACT_OPTIONS)
        .map(([fact, option]) => [fact, values[option]] as const)
        .filter(([, value]) => value !== undefined);
    return { clusterId: "(unknown)", offline: true, ...(Object.fromEntries(given) as Partial<ClusterFacts>) };
}
