/** Where the nodes of a picture are, from left to right. */

import type { Graph, GraphEdge, GraphNode, NodeKind } from "./graph";

interface Point {
    readonly x: number;
    readonly y: number;
}

interface Size {
    readonly width: number;
    readonly height: number;
}

/** A node with its box; x and y are those of the upper left corner, in pixels. */
export interface Box {
    readonly node: GraphNode;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}

/** An edge with the points that it goes through. */
export interface Line {
    readonly edge: GraphEdge;
    readonly points: readonly Point[];
}

/** A picture with its size in pixels. */
export interface Layout {
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

/** Boxes and lines of a graph. The layout library is loaded when the first picture is drawn. */
export async function layoutOf({ title, nodes, edges }: Graph): Promise<Layout> {
    const dagre = await import("@dagrejs/dagre");
    const graph = new dagre.graphlib.Graph();
    graph.setGraph({ rankdir: "LR", nodesep: 12, ranksep: 28, marginx: MARGIN, marginy: MARGIN });
    graph.setDefaultEdgeLabel(() => ({}));
    const sizes = sizesOf(nodes);
    for (const node of nodes) graph.setNode(node.id, { ...sizes.get(node.id) });
    for (const { from, to } of edges) graph.setEdge(from, to);
    dagre.layout(graph);
    const { width = 0, height = 0 } = graph.graph() as Partial<Size>;
    return {
        title,
        width: Math.ceil(width),
        height: Math.ceil(height),
        boxes: nodes.map((node) => {
            const box = graph.node(node.id) as Size & Point;
            return {
                node,
                x: round(box.x - box.width / 2),
                y: round(box.y - box.height / 2),
                width: box.width,
                height: box.height,
            };
        }),
        lines: edges.map((edge) => ({
            edge,
            points: (graph.edge(edge.from, edge.to) as { readonly points: readonly Point[] }).points.map(
                ({ x, y }) => ({ x: round(x), y: round(y) }),
            ),
        })),
    };
}

/** Boxes of one kind have one width, so that they stand in line. */
function sizesOf(nodes: readonly GraphNode[]): Map<string, Size> {
    const widths = new Map<NodeKind, number>();
    for (const { kind, lines } of nodes) {
        const longest = Math.max(...lines.map((line) => line.length));
        widths.set(kind, Math.max(widths.get(kind) ?? 0, Math.ceil(longest * CHARACTER) + 2 * PADDING));
    }
    const sizeOf = ({ kind, lines }: GraphNode): Size => ({
        width: widths.get(kind) ?? 0,
        height: lines.length * LINE + 2 * PADDING,
    });
    return new Map(nodes.map((node) => [node.id, sizeOf(node)]));
}

/** Half a pixel is as exact as a picture has to be. */
const round = (value: number): number => Math.round(value * 2) / 2;
