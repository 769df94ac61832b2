/** The command line of `ack-loadbalancer check`. */

import { parseArgs } from "node:util";
import { formatCause } from "../../provider/diagnostics";
import { checkFacts } from "../../provider/kubernetes/service/check-facts";
import type { ClusterFacts } from "../../provider/schema/facts";

/** A command line that cannot be understood. Its message says why. */
export class UsageError extends Error {}

/** What is to be checked, and how. */
export interface CheckOptions {
    /** Files and folders of manifests; `-` is standard input. */
    readonly manifests: readonly string[];
    /** What `pulumi preview --json` printed. */
    readonly preview?: string;
    /** Levels and settings of rules. */
    readonly config?: string;
    readonly json: boolean;
    /** What is known of the cluster that the manifests are for. */
    readonly facts: ClusterFacts;
}

export const USAGE = `usage: ack-loadbalancer check [<file or folder>...] [options]

Judges Services of type LoadBalancer by the rules of the policy pack, without Pulumi and without a cluster.

  <file or folder>          manifests (*.yaml, *.yml, *.json); - reads standard input
  --preview <file>          what \`pulumi preview --json --show-sames\` printed
  --config <file>           levels and settings of rules, as for --policy-pack-config
  --json                    print JSON

What is known of the cluster that the manifests are for:
  --cluster-id <id>         --cluster-type ack|edge
  --network-plugin flannel|terway|terway-edge
  --compatibility <CCM>     --kubernetes-version <version>
  --created-at <date>       --kube-proxy-mode iptables|ipvs
  --vpc-id <id>             --vswitches <id,id>
  --node-ports <from-to>

Exit code: 0 nothing mandatory is violated, 1 something is, 2 the command line or an input cannot be read.
`;

const text = { type: "string" } as const;

/**
 * Reads the command line after `check`.
 *
 * @throws UsageError
 */
export function readArguments(argv: readonly string[]): CheckOptions | "help" {
    const { values, positionals } = parse(argv);
    if (values.help === true) return "help";
    if (positionals.length === 0 && values.preview === undefined)
        throw new UsageError("name at least one file or folder, or --preview");
    const facts: ClusterFacts = {
        clusterId: values["cluster-id"] ?? "(unknown)",
        ...given("clusterType", oneOf("cluster-type", values["cluster-type"], ["ack", "edge"] as const)),
        ...given("compatibility", values.compatibility),
        ...given(
            "networkPlugin",
            oneOf("network-plugin", values["network-plugin"], ["flannel", "terway", "terway-edge"] as const),
        ),
        ...given("createdAt", values["created-at"]),
        ...given("kubernetesVersion", values["kubernetes-version"]),
        ...given("kubeProxyMode", oneOf("kube-proxy-mode", values["kube-proxy-mode"], ["iptables", "ipvs"] as const)),
        ...given("vpcId", values["vpc-id"]),
        ...given("vswitches", values.vswitches?.split(",")),
        ...given("nodePortRange", range(values["node-ports"])),
    };
    const [problem] = checkFacts(facts);
    if (problem !== undefined) throw new UsageError(`${formatCause(problem)}; ${problem.remedy}`);
    return {
        manifests: positionals,
        ...given("preview", values.preview),
        ...given("config", values.config),
        json: values.json === true,
        facts,
    };
}

function parse(argv: readonly string[]) {
    try {
        return parseArgs({
            args: [...argv],
            allowPositionals: true,
            options: {
                preview: text,
                config: text,
                json: { type: "boolean" },
                help: { type: "boolean", short: "h" },
                "cluster-id": text,
                "cluster-type": text,
                compatibility: text,
                "network-plugin": text,
                "created-at": text,
                "kubernetes-version": text,
                "kube-proxy-mode": text,
                "vpc-id": text,
                vswitches: text,
                "node-ports": text,
            },
        });
    } catch (error) {
        throw new UsageError((error as Error).message);
    }
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { [name in Key]?: Value } {
    return value === undefined ? {} : ({ [key]: value } as { [name in Key]: Value });
}

function oneOf<Word extends string>(
    option: string,
    value: string | undefined,
    words: readonly Word[],
): Word | undefined {
    const word = words.find((one) => one === value);
    if (value !== undefined && word === undefined)
        throw new UsageError(`--${option} must be one of ${words.join(", ")}`);
    return word;
}

function range(value: string | undefined): ClusterFacts["nodePortRange"] | undefined {
    if (value === undefined) return undefined;
    const [from, to] = value.split("-").map(Number);
    return { from: from ?? NaN, to: to ?? NaN };
}
