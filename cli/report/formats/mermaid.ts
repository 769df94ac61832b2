/** Report as a Mermaid flowchart. */

import type { SubjectReport } from "../model";
import { type Graph, graphOf } from "../picture/graph";
import type { Change } from "../step";

/** Backends of a group that have a node each. */
const SHOWN = 6;

/** Most nodes of a diagram that GitHub draws. */
const MOST_NODES = 120;

const STYLES: Readonly<Record<Change, string>> = {
    same: "stroke:#57606a",
    create: "stroke:#116329,stroke-width:2px",
    update: "stroke:#7d4e00,stroke-width:2px",
    replace: "stroke:#8a2be2,stroke-width:3px,stroke-dasharray:8 3",
    delete: "stroke:#b3261e,stroke-width:2px,stroke-dasharray:3 3",
    import: "stroke:#0550ae,stroke-width:2px",
    keep: "stroke:#0550ae,stroke-width:2px",
};

/** Renders as many Services as a diagram can hold. */
export function renderMermaid(subjects: readonly SubjectReport[]): string {
    const all = subjects.map((subject) => graphOf(subject, SHOWN));
    const graphs = fitting(all);
    const rest = all.length - graphs.length;
    const lines = [
        "flowchart LR",
        ...graphs.flatMap((graph, index) => chart(graph, `s${index}`)),
        ...(rest === 0 ? [] : [`    rest["${rest} more, not drawn"]`]),
        ...Object.entries(STYLES).map(([change, style]) => `    classDef ${change} ${style}`),
    ];
    return `${lines.join("\n")}\n`;
}

function fitting(graphs: readonly Graph[]): Graph[] {
    let nodes = 0;
    return graphs.filter((graph, index) => {
        nodes += graph.nodes.length;
        return index === 0 || nodes <= MOST_NODES;
    });
}

function chart({ nodes, edges }: Graph, prefix: string): string[] {
    const names = new Map(nodes.map(({ id }, index) => [id, `${prefix}n${index}`]));
    return [
        ...nodes.map(
            ({ id, lines, change }) => `    ${names.get(id)}["${lines.map(escape).join("<br/>")}"]:::${change}`,
        ),
        ...edges.map(
            ({ from, to, change }) => `    ${names.get(from)} ${change === "delete" ? "-.->" : "-->"} ${names.get(to)}`,
        ),
    ];
}

/** Writes characters of the grammar as entities. */
const escape = (text: string): string =>
    text.replaceAll(/[^\p{L}\p{N} .,:/()%~+±→…-]/gu, (character) => `#${character.codePointAt(0)};`);
