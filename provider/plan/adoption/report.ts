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
    const cells = [
        ["object", "setting", "cloud", "Service"],
        ...rows.map(({ object, setting, cloud, service }) => [object, setting, cloud, service]),
    ];
    const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
    return cells.map((row) =>
        `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
    );
}

/** What to do about each kind of difference. */
const REMEDIES: Readonly<Record<Verdict, string>> = {
    refused: "make both sides agree on what cannot be taken over, in the cloud or in the Service; ",
    differs:
        "state in the Service's annotations what the cloud has (then nothing changes), or set allowChanges: settings that differ are then taken over as they are and changed to " +
        "what the Service says by the first run without adopt, backends by this one; ",
    note: "",
};

/** The refusal of a takeover, with what to do about it. */
export function formatRefusal(service: string, loadBalancerId: string, divergences: readonly Divergence[]): string {
    const remedies = ORDER.filter((verdict) => divergences.some((divergence) => divergence.verdict === verdict)).map(
        (verdict) => REMEDIES[verdict],
    );
    return (
        `Service ${service} cannot take over load balancer ${loadBalancerId} as it stands; nothing was changed.\n${formatDivergences(divergences)}\n` +
        "Cause: a takeover writes nothing to the load balancer, so both sides have to say the same. " +
        `Remedy: ${remedies.join("")}if the takeover is done already, take the Service off the list of those to adopt.`
    );
}
