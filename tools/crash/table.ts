import { FAULTS, type Point } from "./rig";

const START = "<!-- crash table -->";
const END = "<!-- /crash table -->";

/** One row for each scenario: how many of the points healed, by what befell the call. */
export function renderTable(points: readonly Point[]): string {
    const scenarios = [...new Set(points.map(({ scenario }) => scenario))];
    const cell = (of: readonly Point[]): string => {
        if (of.length === 0) return "";
        const healed = of.filter(({ wrong }) => wrong.length === 0);
        const refreshed = healed.filter((point) => point.refreshed).length;
        return `${healed.length} of ${of.length}${refreshed === 0 ? "" : `, ${refreshed} by --refresh`}`;
    };
    const row = (name: string, of: readonly Point[]): string =>
        `| ${[name, ...FAULTS.map((kind) => cell(of.filter(({ fault }) => fault === kind)))].join(" | ")} |`;
    return [
        `| Run | ${FAULTS.join(" | ")} |`,
        `|${" --- |".repeat(FAULTS.length + 1)}`,
        ...scenarios.map((name) =>
            row(
                name,
                points.filter(({ scenario }) => scenario === name),
            ),
        ),
        row("all", points),
        "",
    ].join("\n");
}

/** A document with the table in its place. @throws Error if the place is not marked */
export function insertTable(document: string, table: string): string {
    const [start, end] = [document.indexOf(START), document.indexOf(END)];
    if (start < 0 || end < start) throw new Error(`the document has no ${START} … ${END}`);
    return `${document.slice(0, start + START.length)}\n\n${table}\n${document.slice(end)}`;
}
