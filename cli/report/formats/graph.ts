/** Graph of a Service (load balancer, listeners, server groups, backends), and its drawing by Mermaid. */

import type { GroupReport, LoadBalancerReport, SubjectReport, Verdict } from "../model";
import type { Change } from "../step";
import * as words from "../sentences";

export type NodeKind = "service" | "load-balancer" | "listener" | "group" | "backend" | "folded";

/** Node with its lines of text, of which the first is the title. */
export interface GraphNode {
    readonly id: string;
    readonly kind: NodeKind;
    readonly change: Change;
    readonly lines: readonly string[];
}

export interface Graph {
    readonly title: string;
    readonly nodes: readonly GraphNode[];
    /** Edges by the ids of their nodes. */
    readonly edges: readonly { readonly from: string; readonly to: string; readonly change: Change }[];
}

/** Longest line of a node, in characters. */
const LONGEST = 44;

/**
 * Returns the graph of a Service. @param most number of a group's backends with separate nodes. The rest share a node.
 */
export function graphOf(subject: SubjectReport, most = 8): Graph {
    const { loadBalancer, listeners, groups, verdict } = subject;
    const title = [subject.subject, words.describeVerdict(subject)];
    const nodes = [node("service", "service", ROOT_CHANGES[verdict] ?? "update", title)];
    const edges: { from: string; to: string; change: Change }[] = [];
    const add = (from: string, one: GraphNode): string => {
        nodes.push(one);
        edges.push({ from, to: one.id, change: one.change });
        return one.id;
    };
    const origin = loadBalancer === null ? "service" : add("service", balancerNode(loadBalancer));
    for (const one of listeners) {
        const lines = ["listener", words.listenerText(one)];
        const id = add(origin, node(`l:${one.key}`, "listener", one.change, lines));
        if (one.group !== null) edges.push({ from: id, to: `g:${one.group}`, change: one.change });
    }
    const served = new Set(listeners.map(({ group }) => group));
    for (const { key, change } of groups) if (!served.has(key)) edges.push({ from: origin, to: `g:${key}`, change });
    for (const group of groups) {
        const own = groupNode(group);
        nodes.push(own);
        for (const member of memberNodes(group, most)) add(own.id, member);
    }
    return { title: title.join(": "), nodes, edges };
}

/** Changes of a Service that represents all of its parts. Others are updates. */
const ROOT_CHANGES: Readonly<Partial<Record<Verdict, Change>>> = {
    nothing: "same",
    creates: "create",
    deletes: "delete",
    adopts: "import",
    leaves: "keep",
};

const balancerNode = (loadBalancer: LoadBalancerReport): GraphNode =>
    node("lb", "load-balancer", loadBalancer.change, [
        ...words.describeInstance(loadBalancer).split(/, /),
        ...words.describeAddress(loadBalancer).split(/(?= → )/),
    ]);

const groupNode = ({ key, id, change, synced, pending }: GroupReport): GraphNode =>
    node(`g:${key}`, "group", change, [
        `server group ${key}`,
        ...(id === null ? [] : [id]),
        ...(synced ? ["kept by the sync controller"] : []),
        ...(pending === null ? [] : ["backends known at the update"]),
    ]);

function memberNodes(group: GroupReport, most: number): GraphNode[] {
    const { shown, folded } = words.foldBackends(group, most);
    const members = shown.map(({ key, name, change, before, after }) => {
        const share = words.arrow(before?.share, after?.share);
        return node(`b:${group.key}:${key}`, "backend", change, [
            ...(name === null ? [] : [name]),
            key,
            `weight ${words.arrow(before?.weight, after?.weight)}`,
            ...(share === "" ? [] : [`${share} %`]),
        ]);
    });
    if (folded.length === 0) return members;
    const [change = "update", ...others] = new Set(folded.map((one) => one.change));
    const lines = words.describeFolded(folded).split(/: |, /);
    return [...members, node(`f:${group.key}`, "folded", others.length === 0 ? change : "update", lines)];
}

function node(id: string, kind: NodeKind, change: Change, lines: readonly string[]): GraphNode {
    const [title = "", ...others] = lines.map((line) => words.shorten(line.trim(), LONGEST));
    return { id, kind, change, lines: [`${words.CHANGE_WORDS[change].sign} ${title}`.trim(), ...others] };
}

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
    const all = subjects.map((subject) => graphOf(subject, 6));
    let drawn = 0;
    const graphs = all.filter(({ nodes }, index) => (drawn += nodes.length) <= MOST_NODES || index === 0);
    const rest = all.length - graphs.length;
    const lines = [
        "flowchart LR",
        ...graphs.flatMap((graph, index) => chart(graph, `s${index}`)),
        ...(rest === 0 ? [] : [`    rest["${rest} more, not drawn"]`]),
        ...Object.entries(STYLES).map(([change, style]) => `    classDef ${change} ${style}`),
    ];
    return `${lines.join("\n")}\n`;
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
