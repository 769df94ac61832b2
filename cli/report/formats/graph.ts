/** Graph of a Service (load balancer, listeners, server groups, backends), and its drawing by Mermaid. */

import type { GroupReport, SubjectReport } from "../model";
import type { Change } from "../step";
import * as words from "../sentences";

export type NodeKind = "service" | "load-balancer" | "listener" | "group" | "backend" | "folded";

/** Node with its lines of text; the first one is the title. */
export interface GraphNode {
    readonly id: string;
    readonly kind: NodeKind;
    readonly change: Change;
    readonly lines: readonly string[];
}

export interface GraphEdge {
    readonly from: string;
    readonly to: string;
    readonly change: Change;
}

export interface Graph {
    readonly title: string;
    readonly nodes: readonly GraphNode[];
    readonly edges: readonly GraphEdge[];
}

/** Longest line of a node, in characters. */
const LONGEST = 44;

/**
 * Returns the graph of a Service.
 *
 * @param most backends of a group that have a node each; the rest is one node.
 */
export function graphOf(subject: SubjectReport, most = 8): Graph {
    const { loadBalancer, listeners, groups } = subject;
    const root = node("service", "service", rootChange(subject), [subject.subject, words.describeVerdict(subject)]);
    const middle =
        loadBalancer === null
            ? undefined
            : node("lb", "load-balancer", loadBalancer.change, [
                  ...words.describeInstance(loadBalancer).split(/, /),
                  ...words.describeAddress(loadBalancer).split(/(?= → )/),
              ]);
    const origin = middle?.id ?? root.id;
    const alone = groups.filter(({ key }) => listeners.every(({ group }) => group !== key));
    const parts = groups.map((group) => groupGraph(group, most));
    return {
        title: `${subject.subject}: ${words.describeVerdict(subject)}`,
        nodes: [
            root,
            ...(middle === undefined ? [] : [middle]),
            ...listeners.map(listenerNode),
            ...parts.flatMap(({ nodes }) => nodes),
        ],
        edges: [
            ...(middle === undefined ? [] : [{ from: root.id, to: middle.id, change: middle.change }]),
            ...listeners.flatMap((listener) => [
                { from: origin, to: `l:${listener.key}`, change: listener.change },
                ...(listener.group === null
                    ? []
                    : [{ from: `l:${listener.key}`, to: `g:${listener.group}`, change: listener.change }]),
            ]),
            ...alone.map(({ key, change }) => ({ from: origin, to: `g:${key}`, change })),
            ...parts.flatMap(({ edges }) => edges),
        ],
    };
}

function rootChange({ verdict }: SubjectReport): Change {
    if (verdict === "creates") return "create";
    if (verdict === "deletes") return "delete";
    if (verdict === "adopts") return "import";
    if (verdict === "leaves") return "keep";
    return verdict === "nothing" ? "same" : "update";
}

const listenerNode = (listener: SubjectReport["listeners"][number]): GraphNode =>
    node(`l:${listener.key}`, "listener", listener.change, ["listener", words.describeListener(listener)]);

function groupGraph(group: GroupReport, most: number): Pick<Graph, "nodes" | "edges"> {
    const { key, id, change, synced, pending } = group;
    const { shown, folded } = words.foldBackends(group, most);
    const own = node(`g:${key}`, "group", change, [
        `server group ${key}`,
        ...(id === null ? [] : [id]),
        ...(synced ? ["kept by the sync controller"] : []),
        ...(pending === null ? [] : ["backends known at the update"]),
    ]);
    const members = shown.map((one) =>
        node(`b:${key}:${one.key}`, "backend", one.change, [
            ...(one.name === null ? [] : [one.name]),
            one.key,
            `weight ${words.arrow(one.before?.weight, one.after?.weight)}`,
            ...shareLine(words.arrow(one.before?.share, one.after?.share)),
        ]),
    );
    if (folded.length > 0) {
        const lines = words.describeFolded(folded).split(/: |, /);
        members.push(node(`f:${key}`, "folded", changeOfAll(folded.map((one) => one.change)), lines));
    }
    return {
        nodes: [own, ...members],
        edges: members.map((member) => ({ from: own.id, to: member.id, change: member.change })),
    };
}

const shareLine = (share: string): string[] => (share === "" ? [] : [`${share} %`]);

/** Returns the common change of folded nodes; update if they differ. */
function changeOfAll(changes: readonly Change[]): Change {
    const [first, ...others] = new Set(changes);
    return first !== undefined && others.length === 0 ? first : "update";
}

function node(id: string, kind: NodeKind, change: Change, lines: readonly string[]): GraphNode {
    const cut = lines.map((line) => words.shorten(line.trim(), LONGEST));
    const sign = words.SIGNS[change].trim();
    return {
        id,
        kind,
        change,
        lines: cut.map((line, index) => (index === 0 && sign !== "" ? `${sign} ${line}` : line)),
    };
}

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
