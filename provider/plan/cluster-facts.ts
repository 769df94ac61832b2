/**
 * Compares the discovered facts of a cluster with those of an earlier run: names, marks and backends depend on them.
 */
import { formatSentences } from "../diagnostics";
import { defined } from "../schema/defined";

/** Facts that decide backends and networks. */
const PINNED = ["vpcId", "networkPlugin"] as const;
type PinnedFact = (typeof PINNED)[number];

/** Values of these facts. */
export type PinnedFacts = Readonly<Partial<Record<PinnedFact, string>>>;

/** Facts of a run that asked the cluster. */
export interface DiscoveredFacts {
    /** Alibaba Cloud account of the cluster; absent if the cluster does not name it. */
    readonly accountId?: string;
    /** Configured value of each fact, else the cluster's. */
    readonly facts: PinnedFacts;
    /** Facts that are configured, and so may change. */
    readonly configured: readonly PinnedFact[];
}

/** Returns the pinned ones of all facts. */
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
 * Returns why a run is refused: the cluster answers otherwise than before. Configured facts are never refused.
 *
 * @param recorded facts of the last run; undefined if it did not ask the cluster.
 */
export function changedFacts(recorded: PinnedFacts = {}, { facts, configured }: DiscoveredFacts): string[] {
    return PINNED.filter((fact) => !configured.includes(fact))
        .filter((fact) => differs(fact, recorded[fact], facts[fact]))
        .map((fact) => describe(fact, recorded[fact], facts[fact]));
}

/** No network plugin means nodes as backends, as with Flannel. */
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
