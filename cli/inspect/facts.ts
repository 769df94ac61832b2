/** Facts about the cluster by which a Service is judged, each with its origin. Pure. */

import { withDiscovered, type Discovery } from "../../provider/cluster/discovery";
import { defined } from "../../provider/schema/defined";
import type { ClusterFacts } from "../../provider/schema/facts";
import { backendTypeOf } from "../../provider/service/annotations";
import type { Settings } from "../../provider/schema/settings";
import type { Section } from "../command/page";
import type { StackConfiguration } from "./configuration";

/** Backends of a Service: network interfaces of pods, or nodes. */
export type BackendKind = "eni" | "ecs";

/** Names of the facts that decide how a Service is read, in the order in which they are shown. */
const JUDGING = {
    networkPlugin: "network plugin",
    kubeProxyMode: "kube-proxy mode",
    clusterType: "type of cluster",
    kubernetesVersion: "Kubernetes version",
    compatibility: "Cloud Controller Manager version to follow",
    createdAt: "creation date",
    vpcCidrs: "address ranges of the VPC",
    edgeLink: "link from the cloud to the edge",
    resourceGroupId: "resource group",
} as const satisfies Partial<Record<keyof ClusterFacts, string>>;

type JudgingFact = keyof typeof JUDGING;

/** Facts that are shown where they are not known, too. */
const ALWAYS_SHOWN: readonly JudgingFact[] = ["networkPlugin", "kubeProxyMode", "kubernetesVersion"];

/** Returns the table of the facts by which a Service was judged. */
export const describeFacts = ({ shown }: SeenFacts): Section => ({
    title: "Judged by these facts",
    table: {
        columns: ["fact", "value", "from"],
        rows: shown.map(({ fact, value = "not seen", from = "" }) => [
            { backends: fact, ...JUDGING }[fact],
            value,
            from,
        ]),
    },
});

/** Fact as it is shown. */
export interface ShownFact {
    readonly fact: JudgingFact | "backends";
    /** Absent: not seen. Nothing is judged by it. */
    readonly value?: string;
    readonly from?: string;
}

/** Answers of cluster, stack and cloud about a Service's surroundings. */
export interface FactSources {
    readonly discovery: Discovery;
    /** Undefined if the stack's configuration was not found. */
    readonly configuration: StackConfiguration | undefined;
    readonly settings: Pick<Settings, "backendType">;
    /** Facts in a ServerGroupBinding of the Service, which a run has written. */
    readonly binding?: BindingFacts | undefined;
    /** Kinds of backends by which the Service's server groups are named. */
    readonly named: readonly BackendKind[];
    /** Kinds of the Service's members in the cloud. */
    readonly members: readonly BackendKind[];
}

export interface BindingFacts extends Pick<ClusterFacts, "compatibility" | "vpcCidrs"> {
    readonly backendType?: BackendKind;
}

export interface SeenFacts {
    readonly facts: ClusterFacts;
    /** Undefined if nothing tells whether pods or nodes are the backends. */
    readonly backends: BackendKind | undefined;
    readonly shown: readonly ShownFact[];
}

/** Facts of an unknown cluster. Like the rules, they assume a vSwitch. */
export const UNKNOWN_CLUSTER: ClusterFacts = {
    clusterId: "(unknown)",
    vswitches: ["(of the cluster)"],
    // The API server has accepted the node ports.
    nodePortRange: { from: 1, to: 65535 },
};

/**
 * Returns the facts by which a Service is judged. A fact that the stack configures counts before the cluster's, as in a
 * run.
 *
 * The configuration of a program may be out of sight. What a run has made tells its backends then, and the cluster only
 * where nothing was made.
 */
export function factsOf({ discovery, configuration, settings, binding, named, members }: FactSources): SeenFacts {
    const bound = defined({ compatibility: binding?.compatibility, vpcCidrs: binding?.vpcCidrs });
    const configured = configuration?.facts ?? {};
    const known = withDiscovered({ ...bound, ...configured }, discovery);
    const judging = Object.keys(JUDGING) as JudgingFact[];
    const facts: ClusterFacts = {
        ...UNKNOWN_CLUSTER,
        ...defined(Object.fromEntries(judging.map((fact) => [fact, known[fact]]))),
    };
    const origin = (fact: JudgingFact): string =>
        configured[fact] !== undefined
            ? (configuration?.file ?? "")
            : fact in bound
              ? "the ServerGroupBinding"
              : "the cluster";
    const plugin = facts.networkPlugin;
    const answers: readonly (readonly [kind: BackendKind | undefined, from: string])[] = [
        [settings.backendType, "the Service (backend-type)"],
        [configuration && plugin && backendTypeOf({}, facts), `networkPlugin of ${origin("networkPlugin")}`],
        [binding?.backendType, "the ServerGroupBinding"],
        [single(named), "the name of its server group"],
        [single(members), "its members in the cloud"],
        [plugin && backendTypeOf({}, facts), `networkPlugin of ${origin("networkPlugin")}`],
    ];
    const [backends, from] = answers.find(([kind]) => kind !== undefined) ?? [];
    const shown = judging.flatMap((fact): ShownFact[] =>
        facts[fact] !== undefined
            ? [{ fact, value: [facts[fact]].flat().join(", "), from: origin(fact) }]
            : ALWAYS_SHOWN.includes(fact)
              ? [{ fact }]
              : [],
    );
    const words = backends && { eni: "pods", ecs: "nodes" }[backends];
    return {
        facts: settings.backendType === undefined ? withBackends(facts, backends) : facts,
        backends,
        shown: [{ fact: "backends", ...defined({ value: words, from }) }, ...shown],
    };
}

const single = (kinds: readonly BackendKind[]): BackendKind | undefined =>
    kinds.every((kind) => kind === kinds[0]) ? kinds[0] : undefined;

/** Returns facts with which these backends are the default. */
function withBackends(facts: ClusterFacts, kind: BackendKind | undefined): ClusterFacts {
    if (kind === undefined || backendTypeOf({}, facts) === kind) return facts;
    const { networkPlugin: _, createdAt: __, ...others } = facts;
    return kind === "eni" ? { ...others, networkPlugin: "terway" } : others;
}
