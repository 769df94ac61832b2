/** What a cluster said of itself in an earlier run against what it says now: names, marks and backends depend on it. */
import { formatSentences } from "../diagnostics";
import { defined } from "../schema/defined";

/** Facts that decide backends and networks, so that another answer of the cluster must not change them unseen. */
const PINNED = ["vpcId", "networkPlugin"] as const;
type PinnedFact = (typeof PINNED)[number];

/** Values of such facts. */
export type PinnedFacts = Readonly<Partial<Record<PinnedFact, string>>>;

/** What a run goes by that asked the cluster. */
export interface DiscoveredFacts {
    /** The Alibaba Cloud account that the cluster belongs to; absent if it does not say it. */
    readonly accountId?: string;
    /** The configured value of each pinned fact, else what the cluster says. */
    readonly facts: PinnedFacts;
    /** Those of them that are configured: what the user says may change. */
    readonly configured: readonly PinnedFact[];
}

/** Takes what a run goes by out of all facts. */
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
 * Why a run is refused whose cluster gives another answer than before, or none any more. What is configured is never refused.
 *
 * @param recorded what the last run went by; undefined for a Service whose runs have not asked the cluster yet.
 */
export function changedFacts(recorded: PinnedFacts = {}, { facts, configured }: DiscoveredFacts): string[] {
    return PINNED.filter((fact) => !configured.includes(fact))
        .filter((fact) => differs(fact, recorded[fact], facts[fact]))
        .map((fact) => describe(fact, recorded[fact], facts[fact]));
}

/** Without a network plugin backends are nodes, as with Flannel; a VPC that was never known was never relied on. */
function differs(fact: PinnedFact, before: string | undefined, now: string | undefined): boolean {
    return fact === "networkPlugin"
        ? (before ?? "flannel") !== (now ?? "flannel")
        : before !== undefined && before !== now;
}

function describe(fact: PinnedFact, before: string | undefined, now: string | undefined): string {
    const was = before === undefined ? `knew no ${fact}` : `went by ${fact} "${before}", as the cluster said`;
    const is = now === undefined ? "the cluster does not say it any more" : `the cluster says "${now}"`;
    const choices = [...new Set([before ?? now, now])].filter((value) => value !== undefined);
    return formatSentences({
        cause: `its last run ${was}, and now ${is}`,
        remedy:
            `state it: pulumi config set ${fact} ` +
            `${choices.join(" (as before) or ")}${choices.length > 1 ? " (as it is now)" : ""}; the preview then ` +
            "shows what changes",
    });
}
