/** Pictures of the page, as SVG. Changes are seen in colour and in form: a sign, the border's dashes and its width. */

import type { SubjectReport } from "../model";
import { graphOf } from "../picture/graph";
import { type Box, CHARACTER, layoutOf, LINE, type Line } from "../picture/layout";

/** Styles of pictures, for light and dark. Contrast of text is at least 4.5 to 1 (WCAG AA). */
export const PICTURE_STYLE = `
.p{--ink:#1b1f24;--paper:#fff;--same:#57606a;--create:#116329;--update:#7d4e00;--replace:#8a2be2;--delete:#b3261e;--import:#0550ae;--keep:#0550ae}
@media(prefers-color-scheme:dark){.p{--ink:#e6edf3;--paper:#0d1117;--same:#9da7b1;--create:#56d364;--update:#e3b341;--replace:#d2a8ff;--delete:#ff8a80;--import:#79c0ff;--keep:#79c0ff}}
.p text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:var(--ink)}
.p .t{font-weight:bold}
.p rect{fill:var(--paper);stroke:var(--same);stroke-width:1}
.p path{fill:none;stroke:var(--same);stroke-width:1}
.p .create rect,.p path.create{stroke:var(--create);stroke-width:2}
.p .update rect,.p path.update{stroke:var(--update);stroke-width:2}
.p .replace rect,.p path.replace{stroke:var(--replace);stroke-width:3;stroke-dasharray:8 3}
.p .delete rect,.p path.delete{stroke:var(--delete);stroke-width:2;stroke-dasharray:3 3}
.p .delete text{text-decoration:line-through}
.p .import rect,.p path.import,.p .keep rect,.p path.keep{stroke:var(--import);stroke-width:2;stroke-dasharray:10 2 2 2}
`.trim();

/** Returns the picture of one Service, for a page that has {@link PICTURE_STYLE}. */
export function drawSubject(subject: SubjectReport): string {
    const { title, width, height, boxes, lines } = layoutOf(graphOf(subject));
    const name = escapeXml(title);
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    const open = `<svg xmlns="http://www.w3.org/2000/svg" class="p" role="img" aria-label="${name}" ${size}>`;
    return `${open}<title>${name}</title>${lines.map(line).join("")}${boxes.map(box).join("")}</svg>`;
}

function line({ edge, points }: Line): string {
    const way = points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
    return `<path class="${edge.change}" d="${way}"/>`;
}

/** Names of servers end what traffic passes, so that they have square corners. */
function box({ node, x, y, width, height }: Box): string {
    const round = node.kind === "backend" ? 0 : node.kind === "service" ? 14 : 5;
    const texts = node.lines.map(
        (text, index) =>
            `<text${index === 0 ? ' class="t"' : ""} x="${x + 10}" y="${y + 22 + index * LINE}" textLength="${Math.round(text.length * (CHARACTER - 0.2))}">${escapeXml(text)}</text>`,
    );
    return `<g class="${node.change}"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}"/>${texts.join("")}</g>`;
}

/** Text in XML and HTML. Characters that XML does not have are left out. */
export const escapeXml = (text: string): string =>
    text
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;")
        .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
