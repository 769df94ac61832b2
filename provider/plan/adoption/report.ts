import type { Divergence, Verdict } from "../../model/adoption";

/** What is written over each kind of difference. */
const HEADINGS: Readonly<Record<Verdict, string>> = {
    refused: "cannot be taken over like this",
    differs: "not as the Service says",
    note: "worth knowing",
};

const ORDER: readonly Verdict[] = ["refused", "differs", "note"];

/** Whether the takeover has to be refused. */
export function isRefused(divergences: readonly Divergence[], allowChanges: boolean): boolean {
    return divergences.some(({ verdict }) => verdict === "refused" || (verdict === "differs" && !allowChanges));
}

/** The differences as tables, the gravest first: object, setting, as it is, as the Service says. */
export function formatDivergences(divergences: readonly Divergence[]): string {
    return ORDER.flatMap((verdict) => {
        const rows = divergences.filter((divergence) => divergence.verdict === verdict);
        return rows.length === 0 ? [] : [`${HEADINGS[verdict]}:`, ...table(rows)];
    }).join("\n");
}

function table(rows: readonly Divergence[]): string[] {
    const cells = [["object", "setting", "cloud", "Service"], ...rows.map(({ object, setting, cloud, service }) => [object, setting, cloud, service])];
    const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    return cells.map((row) => `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd());
}

/** The refusal of a takeover, with what to do about it. */
export function formatRefusal(service: string, loadBalancerId: string, divergences: readonly Divergence[]): string {
    const differs = divergences.some(({ verdict }) => verdict === "differs");
    return (
        `Service ${service} cannot take over load balancer ${loadBalancerId} as it stands; nothing was changed.\n${formatDivergences(divergences)}\n` +
        "Cause: a takeover writes nothing to the load balancer, so both sides have to say the same. " +
        `Remedy: ${differs ? "state in the Service's annotations what the cloud has (then nothing changes), or set allowChanges: what differs is then taken over as it is and changed to what the Service says by the next run, backends by this one. " : ""}` +
        "If the takeover is done already, take the Service off the list of those to adopt."
    );
}
