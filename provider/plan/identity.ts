/** Cluster, account and facts of a stack: recorded in its first run, and compared before a run changes anything. */
import { formatSentences } from "../diagnostics";
import { defined } from "../schema/defined";

/** Cluster, account and region. An absent field is unknown. */
export interface StackIdentity {
    /** UID of the namespace kube-system. */
    readonly cluster?: string;
    /** API server of the cluster, a name for people: it may change. */
    readonly server?: string;
    readonly region?: string;
    /** Id of the Alibaba Cloud account. */
    readonly account?: string;
    /** Fingerprint of the access key, not the key. If it is recorded, the account need not be read. */
    readonly key?: string;
    /** Cluster facts of the last run that read them. */
    readonly facts?: PinnedFacts;
}

const MOVE_REMEDY = 'to move it on purpose set allowReplacement: ["identity"] for this run';

const PARTS = ["cluster", "account", "region"] as const;
type Part = (typeof PARTS)[number];

export interface IdentityComparison {
    /** Reasons to refuse the run. */
    readonly refused: readonly string[];
    /** Former place of the stack, if this run moves it on purpose. */
    readonly movedFrom?: StackIdentity;
    /** Identity to record. */
    readonly identity: StackIdentity;
}

/**
 * Compares the identity of a run with the recorded identity. Recorded fields stay if the run has no value.
 *
 * @param moves true if another identity is allowed. A cluster that cannot be identified is refused all the same
 */
export function compareIdentity(recorded: StackIdentity, now: StackIdentity, moves = false): IdentityComparison {
    const differing = PARTS.filter((part) => recorded[part] !== undefined && differs(part, recorded, now));
    const refused = differing.filter((part) => now[part] === undefined || !moves);
    const moved = differing.filter((part) => !refused.includes(part));
    return {
        refused: refused.map((part) => describe(part, recorded, now)),
        ...(moved.length === 0 ? {} : { movedFrom: recorded }),
        identity: { ...recorded, ...defined(now) },
    };
}

/**
 * True if a part differs. A cluster without a readable UID may be another cluster, and an unknown account is compared
 * once it is known.
 */
function differs(part: Part, recorded: StackIdentity, now: StackIdentity): boolean {
    return now[part] === undefined ? part === "cluster" && now.server !== undefined : now[part] !== recorded[part];
}

function describe(part: Part, recorded: StackIdentity, now: StackIdentity): string {
    switch (part) {
        case "cluster":
            return formatSentences({
                cause:
                    `it belongs to the cluster ${clusterName(recorded)}, but this run reaches ` +
                    (now.cluster === undefined
                        ? `${now.server}, which does not let this user read the namespace kube-system`
                        : clusterName(now)),
                remedy:
                    now.cluster === undefined
                        ? "allow this user to get the namespace kube-system (ClusterRole of docs/ram-policy.md), " +
                          "or correct kubeconfig or context"
                        : "correct kubeconfig or context (KUBECONFIG, kubectl config use-context); " + MOVE_REMEDY,
            });
        case "account":
            return formatSentences({
                cause:
                    `it belongs to the Alibaba Cloud account ${recorded.account}, ` +
                    `but the credentials of this run are those of ${now.account}`,
                remedy: "correct the credentials, the profile or the role; " + MOVE_REMEDY,
            });
        case "region":
            return formatSentences({
                cause: `it belongs to the region ${recorded.region}, but this run is for ${now.region}`,
                remedy: "correct alicloud:region, ALIBABA_CLOUD_REGION or account.region; " + MOVE_REMEDY,
            });
    }
}

/** Names a cluster by its UID and its server. */
export function clusterName({ cluster, server }: StackIdentity): string {
    return `${cluster ?? "(unknown)"}${server === undefined ? "" : ` (${server})`}`;
}

export function describeMove(from: StackIdentity, to: StackIdentity): string {
    const parts = PARTS.filter((part) => from[part] !== to[part]).map((part) =>
        part === "cluster"
            ? `the cluster ${clusterName(from)} to ${clusterName(to)}`
            : `the ${part} ${from[part]} to ${to[part]}`,
    );
    return `it moves from ${parts.join(", from ")}; what was made there stays, unless it is deleted by hand`;
}

/**
 * Returns the reason why a cluster id of the program is wrong, or undefined if it may be right.
 *
 * @param observed ids of ACK clusters that the nodes name, if they name any.
 */
export function otherClusterId(clusterId: string, observed: readonly string[]): string | undefined {
    return observed.length === 0 || observed.includes(clusterId)
        ? undefined
        : formatSentences({
              cause:
                  `its Cluster has the clusterId "${clusterId}", ` +
                  `but the nodes that this run reaches are those of the ACK cluster ${observed.join(", ")}`,
              remedy: `write clusterId "${observed.join('" or "')}", or correct kubeconfig or context`,
          });
}

/**
 * Returns the reason why a load balancer of a region cannot serve a Service, or undefined if it can, or if that is
 * unknown.
 *
 * @param region of the load balancer, or undefined if nothing names any.
 * @param observed regions that the nodes name, if they name any.
 */
export function otherRegion(region: string | undefined, observed: readonly string[]): string | undefined {
    return region === undefined || observed.length === 0 || observed.includes(region)
        ? undefined
        : formatSentences({
              cause:
                  `its load balancer is to be in the region ${region}, ` +
                  `but the nodes that this run reaches stand in ${observed.join(", ")}`,
              remedy:
                  `set account.region, or alicloud:region, to ${observed.join(" or ")}, ` +
                  "or correct kubeconfig or context",
          });
}

/** Facts that decide backends and networks. */
const PINNED = ["vpcId", "networkPlugin"] as const;
type PinnedFact = (typeof PINNED)[number];

export type PinnedFacts = Readonly<Partial<Record<PinnedFact, string>>>;

/** Facts of a run that asked the cluster. */
export interface DiscoveredFacts {
    /** Alibaba Cloud account of the cluster, absent if the cluster does not name it. */
    readonly accountId?: string;
    /** Configured value of each fact, else the cluster's. */
    readonly facts: PinnedFacts;
    /** Facts that are configured, and so may change. */
    readonly configured: readonly PinnedFact[];
}

export function pinnedFacts(
    facts: PinnedFacts,
    configured: PinnedFacts,
    { accountId }: { readonly accountId?: string },
): DiscoveredFacts {
    return {
        ...defined({ accountId }),
        facts: Object.fromEntries(PINNED.flatMap((fact) => (facts[fact] === undefined ? [] : [[fact, facts[fact]]]))),
        configured: PINNED.filter((fact) => configured[fact] !== undefined),
    };
}

/**
 * Returns the discovered facts that differ from the last run, as refusals. A configured fact is never refused.
 *
 * @param recorded facts of the last run, or undefined if it did not ask the cluster.
 */
export function changedFacts(recorded: PinnedFacts = {}, { facts, configured }: DiscoveredFacts): string[] {
    return PINNED.filter((fact) => !configured.includes(fact))
        .filter((fact) => factDiffers(fact, recorded[fact], facts[fact]))
        .map((fact) => describeFact(fact, recorded[fact], facts[fact]));
}

/** No network plugin means nodes as backends, as with Flannel. */
function factDiffers(fact: PinnedFact, before: string | undefined, now: string | undefined): boolean {
    return fact === "networkPlugin"
        ? (before ?? "flannel") !== (now ?? "flannel")
        : before !== undefined && before !== now;
}

function describeFact(fact: PinnedFact, before: string | undefined, now: string | undefined): string {
    const was = before === undefined ? `detected no ${fact}` : `detected ${fact} "${before}" from the cluster`;
    const is = now === undefined ? "it can no longer be detected" : `it is "${now}"`;
    const choices = [...new Set([before ?? now, now])].filter((value) => value !== undefined);
    return formatSentences({
        cause: `the last run ${was}; now ${is}`,
        remedy:
            `configure it: pulumi config set ${fact} ` +
            `${choices.join(" (as before) or ")}${choices.length > 1 ? " (as it is now)" : ""}; the preview then ` +
            "shows what changes",
    });
}
