/** Takeover of a load balancer that exists: objects, differences, and their table. */
import { alignColumns } from "../diagnostics";
import type { ZoneMap } from "../schema/settings";
import type { Differing } from "./diff";

/** Ids of observed objects that become children of a Service by takeover; all others are created. */
export interface Adoption {
    readonly loadBalancerId: string;
    /** Only for an internal instance. */
    readonly vswitchId?: string;
    /** CLB only. */
    readonly instanceChargeType?: string;
    /** Access control list of the Service's source ranges. */
    readonly aclId?: string;
    /** Security group of the Service's source ranges, of an NLB. */
    readonly securityGroupId?: string;
    /** Observed zones of an NLB, if the Service requests others. */
    readonly zones?: readonly ZoneMap[];
    /** Internet Shared Bandwidth package of an NLB. */
    readonly bandwidthPackageId?: string;
    /** By key of the group. */
    readonly serverGroups: Readonly<Record<string, string>>;
    /** By key of the listener. */
    readonly listeners: Readonly<Record<string, string>>;
    /** By `key of the listener/domain`. */
    readonly domainExtensions: Readonly<Record<string, string>>;
    /** Plugin inputs that keep their observed values, by `instance`, key of the listener, or {@link groupKeep}. */
    readonly keep: Readonly<Record<string, readonly string[]>>;
}

/** Returns the key of a server group in {@link Adoption.keep}. */
export const groupKeep = (key: string): string => `group/${key}`;

/**
 * Effect of a difference on an adoption.
 * - refused: the object cannot be taken over like this.
 * - differs: it is taken over only where changes are allowed.
 * - note: it is taken over all the same; worth knowing.
 */
export type AdoptionVerdict = "refused" | "differs" | "note";

/** One attribute in which cloud and Service are not equal; empty for the object itself. */
export interface Difference extends Differing {
    readonly verdict: AdoptionVerdict;
    /** `load balancer`, `listener tcp:80`, `vServer group k8s/30080/…`. */
    readonly object: string;
}

/** Verdicts, the gravest first. */
const VERDICTS: Readonly<Record<AdoptionVerdict, { readonly heading: string; readonly remedy: string }>> = {
    refused: {
        heading: "cannot be taken over like this",
        remedy: "make both sides agree on what cannot be taken over, in the cloud or in the Service",
    },
    differs: {
        heading: "not as the Service says",
        remedy:
            "state in the Service's annotations what the cloud has (then nothing changes), or set allowChanges: " +
            "settings that differ are then taken over as they are and changed to " +
            "what the Service says by the first run without adopt, backends by this one",
    },
    note: {
        heading: "worth knowing",
        remedy: "nothing, if that is meant",
    },
};

/** True if the adoption has to be refused. */
export function isRefused(differences: readonly Difference[], allowChanges: boolean): boolean {
    return differences.some(({ verdict }) => verdict === "refused" || (verdict === "differs" && !allowChanges));
}

/** Formats differences as tables, the gravest first: object, setting, as it is, as the Service says. */
export function formatDifferences(differences: readonly Difference[]): string {
    return Object.entries(VERDICTS)
        .flatMap(([verdict, { heading }]) => {
            const rows = differences.filter((difference) => difference.verdict === verdict);
            const cells = rows.map(({ object, attribute, observed, desired }) => [
                object,
                attribute,
                observed,
                desired,
            ]);
            const table = alignColumns([["object", "setting", "cloud", "Service"], ...cells]);
            return rows.length === 0 ? [] : [`${heading}:`, ...table.map((line) => `    ${line}`)];
        })
        .join("\n");
}

/** Formats the refusal of a takeover, with what to do about it. */
export function formatRefusal(service: string, loadBalancerId: string, differences: readonly Difference[]): string {
    const remedies = (["refused", "differs"] as const)
        .filter((verdict) => differences.some((difference) => difference.verdict === verdict))
        .map((verdict) => `${VERDICTS[verdict].remedy}; `);
    return (
        `Service ${service} cannot take over load balancer ${loadBalancerId} as it stands; nothing was changed.\n` +
        `${formatDifferences(differences)}\n` +
        "Cause: a takeover writes nothing to the load balancer, so both sides have to say the same. " +
        `Remedy: ${remedies.join("")}if the takeover is done already, take the Service off the list of those to adopt.`
    );
}
