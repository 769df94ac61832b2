import { alignColumns } from "../../diagnostics";
import { type Difference, REMEDIES, type AdoptionVerdict } from "./difference";

/** Heading per verdict. */
const HEADINGS: Readonly<Record<AdoptionVerdict, string>> = {
    refused: "cannot be taken over like this",
    differs: "not as the Service says",
    note: "worth knowing",
};

const ORDER: readonly AdoptionVerdict[] = ["refused", "differs", "note"];

/** True if the adoption has to be refused. */
export function isRefused(differences: readonly Difference[], allowChanges: boolean): boolean {
    return differences.some(({ verdict }) => verdict === "refused" || (verdict === "differs" && !allowChanges));
}

/** The differences as tables, the gravest first: object, setting, as it is, as the Service says. */
export function formatDifferences(differences: readonly Difference[]): string {
    return ORDER.flatMap((verdict) => {
        const rows = differences.filter((difference) => difference.verdict === verdict);
        return rows.length === 0 ? [] : [`${HEADINGS[verdict]}:`, ...table(rows)];
    }).join("\n");
}

function table(rows: readonly Difference[]): string[] {
    const cells = [
        ["object", "setting", "cloud", "Service"],
        ...rows.map(({ object, attribute, observed, desired }) => [object, attribute, observed, desired]),
    ];
    return alignColumns(cells).map((line) => `    ${line}`);
}

/** The refusal of a takeover, with what to do about it. */
export function formatRefusal(service: string, loadBalancerId: string, differences: readonly Difference[]): string {
    const remedies = (["refused", "differs"] as const)
        .filter((verdict) => differences.some((difference) => difference.verdict === verdict))
        .map((verdict) => `${REMEDIES[verdict]}; `);
    return (
        `Service ${service} cannot take over load balancer ${loadBalancerId} as it stands; nothing was changed.\n` +
        `${formatDifferences(differences)}\n` +
        "Cause: a takeover writes nothing to the load balancer, so both sides have to say the same. " +
        `Remedy: ${remedies.join("")}if the takeover is done already, take the Service off the list of those to adopt.`
    );
}
