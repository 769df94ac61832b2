/** The layout of a picture: a column for each kind of node, from left to right. */

import type { Graph, GraphEdge, GraphNode, NodeKind } from "./graph";

interface Point {
    readonly x: number;
    readonly y: number;
}

/** A node with its box; x and y are those of the upper left corner, in pixels. */
export interface Box extends Point {
    readonly node: GraphNode;
    readonly width: number;
    readonly height: number;
}

/** An edge with the points that it goes through. */
export interface Line {
    readonly edge: GraphEdge;
    readonly points: readonly Point[];
}

/** A picture with its size in pixels. */
interface Layout {
    readonly title: string;
    readonly width: number;
    readonly height: number;
    readonly boxes: readonly Box[];
    readonly lines: readonly Line[];
}

/** Width of a character and height of a line, in pixels; widths are ample, because fonts differ. */
export const CHARACTER = 7.2;
export const LINE = 16;

const PADDING = 10;
const MARGIN = 8;
const COLUMN_GAP = 28;
const ROW_GAP = 12;

/** The way of traffic. Members that are folded stand among the backends. */
const COLUMNS: readonly (readonly NodeKind[])[] = [
    ["service"],
    ["load-balancer"],
    ["listener"],
    ["group"],
    ["backend", "folded"],
];

/** Returns boxes and lines of a graph. Nodes of a column stand in order, each in the middle of what it leads to. */
export function layoutOf({ title, nodes, edges }: Graph): Layout {
    const columns = COLUMNS.map((kinds) => nodes.filter(({ kind }) => kinds.includes(kind)));
    const boxes = new Map<string, Box>();
    const childrenOf = ({ id }: GraphNode): Box[] =>
        edges.flatMap(({ from, to }) => (from === id ? (boxes.get(to) ?? []) : []));
    const filled = columns.filter(({ length }) => length > 0).map((column) => ({ column, width: widthOf(column) }));
    const width = filled.reduce((sum, one) => sum + one.width + COLUMN_GAP, 2 * MARGIN - COLUMN_GAP);
    let right = width - MARGIN;
    for (const { column, width: own } of filled.toReversed()) {
        let top = MARGIN;
        for (const node of column) {
            const height = node.lines.length * LINE + 2 * PADDING;
            const y = Math.max(top, (middleOf(childrenOf(node)) ?? top + height / 2) - height / 2);
            boxes.set(node.id, { node, x: right - own, y, width: own, height });
            top = y + height + ROW_GAP;
        }
        right -= own + COLUMN_GAP;
    }
    return {
        title,
        width,
        height: Math.max(0, ...[...boxes.values()].map(({ y, height }) => y + height)) + MARGIN,
        boxes: nodes.flatMap(({ id }) => boxes.get(id) ?? []),
        lines: edges.flatMap((edge) => lineOf(edge, boxes)),
    };
}

/** Boxes of a column have one width. */
function widthOf(column: readonly GraphNode[]): number {
    const longest = Math.max(...column.flatMap(({ lines }) => lines.map(({ length }) => length)));
    return Math.ceil(longest * CHARACTER) + 2 * PADDING;
}

/** The middle between the highest and the lowest box. */
function middleOf(boxes: readonly Box[]): number | undefined {
    if (boxes.length === 0) return undefined;
    const top = Math.min(...boxes.map(({ y }) => y));
    const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
    return (top + bottom) / 2;
}

/** The line from the right side of a box to the left side of another. */
function lineOf(edge: GraphEdge, boxes: ReadonlyMap<string, Box>): Line[] {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const start = { x: from.x + from.width, y: from.y + from.height / 2 };
    return [{ edge, points: [start, { x: to.x, y: to.y + to.height / 2 }] }];
}
