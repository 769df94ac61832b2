/** The table of requirements as a page: pure functions. */
import { wrapMarkdown } from "../docs/wrap";
import { GROUPS, MEANINGS, type Row, split, STATUSES } from "./table";

/** The whole page. */
export function renderCoverage(rows: readonly Row[]): string {
    const groups = Object.entries(GROUPS).map(([letter, { title }]) =>
        renderGroup(
            letter,
            title,
            rows.filter(({ id }) => id.startsWith(letter)),
        ),
    );
    return `${wrapMarkdown([INTRODUCTION, renderSummary(rows), ...groups].join("\n\n"))}\n`;
}

const INTRODUCTION = `# Supported requirements

The requirements of Alibaba Cloud's documents on load balancing in ACK ("Configure CLB using annotations", "Notes on
service load balancing configuration", both versions of "FAQ about Services", and "Use LoadBalancer Services in ACK Edge
clusters"), row by row, with the files that implement a requirement and the tests that verify it. A test fails if a file
or test in this table does not exist, or if the test's file does not name the requirement.

${STATUSES.map((status) => `- **${status}**: ${MEANINGS[status]}.`).join("\n")}`;

function renderSummary(rows: readonly Row[]): string {
    const line = (name: string, of: readonly Row[]) =>
        `| ${[name, of.length, ...STATUSES.map((status) => of.filter((row) => row.status === status).length)].join(" | ")} |`;
    const groups = Object.entries(GROUPS).map(([letter, { title }]) =>
        line(
            `${letter}. ${title}`,
            rows.filter(({ id }) => id.startsWith(letter)),
        ),
    );
    return [
        `| group | rows | ${STATUSES.join(" | ")} |`,
        `|---|--:|${STATUSES.map(() => "--:|").join("")}`,
        ...groups,
        line("all", rows),
    ].join("\n");
}

function renderGroup(letter: string, title: string, rows: readonly Row[]): string {
    return [
        `## ${letter}. ${title}`,
        "",
        "| id | requirement | status | where | test | remark |",
        "|---|---|---|---|---|---|",
        ...rows.map(renderRow),
    ].join("\n");
}

function renderRow(row: Row): string {
    const where = row.where.map((file) => `[${file}](../../${file})`);
    const tests = row.tests.map((reference) => {
        const [file, title = ""] = split(reference);
        return `[${file.split("/").at(-1) ?? ""}](../../${file}): ${title}`;
    });
    return `| ${[row.id, row.requirement, row.status, where.join("<br>"), tests.join("<br>"), row.note ?? ""].map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
}
