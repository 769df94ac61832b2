/** Picture of a Service as SVG. Changes differ in colour, sign and border. */

import { escapeXml } from "../../command/page";
import type { SubjectReport } from "../model";
import { type Graph, type GraphNode, graphOf, type NodeKind } from "./graph";

/** Styles of pictures, for light and dark, with a contrast of at least 4.5 to 1 (WCAG AA). */
export const PICTURE_STYLE = `
.p{--ink:#1b1f24;--paper:#fff;--same:#57606a;--create:#116329;--update:#7d4e00;--replace:#8a2be2;--delete:#b3261e;\
--import:#0550ae;--keep:#0550ae}
@media(prefers-color-scheme:dark){.p{--ink:#e6edf3;--paper:#0d1117;--same:#9da7b1;--create:#56d364;--update:#e3b341;\
--replace:#d2a8ff;--delete:#ff8a80;--import:#79c0ff;--keep:#79c0ff}}
.p text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:var(--ink)}
.p .t{font-weight:bold}
.p rect{fill:var(--paper);stroke:var(--same);stroke-width:1}
.p path{fill:none;stroke:var(--same);stroke-width:1}
.p .create rect,.p path.create{stroke:var(--create);stroke-width:2}
.p .update rect,.p path.update{stroke:var(--update);stroke-width:2}
.p .replace rect,.p path.replace{stroke:var(--replace);stroke-width:3;stroke-dasharray:8 3}
.p .delete rect,.p path.delete{stroke:var(--delete);stroke-width:2;stroke-dasharray:3 3}
.p .delete text{text-decoration:line-through}
.p .import rect,.p path.import,.p .keep rect,.p path.keep{stroke:var(--import);stroke-width:2;\
stroke-dasharray:10 2 2 2}
`.trim();

/** Returns the picture of a Service as SVG, for a page with {@link PICTURE_STYLE}. */
export function drawSubject(subject: SubjectReport): string {
    const graph = graphOf(subject);
    const { width, height, boxes, lines } = layoutOf(graph);
    const name = escapeXml(graph.title);
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    const open = `<svg xmlns="http://www.w3.org/2000/svg" class="p" role="img" aria-label="${name}" ${size}>`;
    const paths = lines.map(({ change, points }) => `<path class="${change}" d="M${points.join("L")}"/>`);
    return `${open}<title>${name}</title>${paths.join("")}${boxes.map(drawBox).join("")}</svg>`;
}

function drawBox({ node, x, y, width, height }: Box): string {
    const round = node.kind === "backend" ? 0 : node.kind === "service" ? 14 : 5;
    const texts = node.lines.map((text, index) => {
        const title = index === 0 ? ' class="t"' : "";
        const length = Math.round(text.length * (CHARACTER - 0.2));
        const place = `x="${x + PADDING}" y="${y + 22 + index * LINE}" textLength="${length}"`;
        return `<text${title} ${place}>${escapeXml(text)}</text>`;
    });
    const rect = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}"/>`;
    return `<g class="${node.change}">${rect}${texts.join("")}</g>`;
}

/** Box of a node. x and y are those of its upper left corner, in pixels. */
export interface Box {
    readonly node: GraphNode;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}

/** Width of a character and height of a line, in pixels. The width is ample, because fonts differ. */
const CHARACTER = 7.2;
const LINE = 16;

const PADDING = 10;
const MARGIN = 8;
const COLUMN_GAP = 28;
const ROW_GAP = 12;

/** Kinds of nodes in each column, in the order in which traffic passes them. */
const COLUMNS: NodeKind[][] = [["service"], ["load-balancer"], ["listener"], ["group"], ["backend", "folded"]];

/** Returns boxes and lines of a graph: a column for each kind, each node in the middle of those that it leads to. */
export function layoutOf({ nodes, edges }: Graph) {
    const columns = COLUMNS.map((kinds) => nodes.filter(({ kind }) => kinds.includes(kind)));
    const filled = columns.filter(({ length }) => length > 0);
    const boxes = new Map<string, Box>();
    const width = filled.reduce((sum, column) => sum + widthOf(column) + COLUMN_GAP, 2 * MARGIN - COLUMN_GAP);
    let right = width - MARGIN;
    for (const column of filled.toReversed()) {
        const own = widthOf(column);
        let top = MARGIN;
        for (const node of column) {
            const height = node.lines.length * LINE + 2 * PADDING;
            const children = edges.flatMap(({ from, to }) => (from === node.id ? (boxes.get(to) ?? []) : []));
            const y = Math.max(top, (middleOf(children) ?? top + height / 2) - height / 2);
            boxes.set(node.id, { node, x: right - own, y, width: own, height });
            top = y + height + ROW_GAP;
        }
        right -= own + COLUMN_GAP;
    }
    // From the right side of a box to the left side of another, by points such as `10 20`.
    const lines = edges.flatMap((edge) => {
        const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
        if (from === undefined || to === undefined) return [];
        const middle = ({ y, height }: Box): number => y + height / 2;
        const points = [`${from.x + from.width} ${middle(from)}`, `${to.x} ${middle(to)}`];
        return [{ change: edge.change, points }];
    });
    const height = Math.max(0, ...[...boxes.values()].map((box) => box.y + box.height)) + MARGIN;
    return { width, height, boxes: nodes.flatMap(({ id }) => boxes.get(id) ?? []), lines };
}

function widthOf(column: readonly GraphNode[]): number {
    const longest = Math.max(...column.flatMap(({ lines }) => lines.map(({ length }) => length)));
    return Math.ceil(longest * CHARACTER) + 2 * PADDING;
}

function middleOf(boxes: readonly Box[]): number | undefined {
    if (boxes.length === 0) return undefined;
    const top = Math.min(...boxes.map(({ y }) => y));
    const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
    return (top + bottom) / 2;
}
