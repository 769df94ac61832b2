import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { subject } from "../../../test/support/report";
import type { Change } from "../step";
import { graphOf } from "./graph";
import { type Box, layoutOf } from "./svg";

const apart = (one: Box, other: Box): boolean =>
    one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y;

/** Pairs of boxes that touch the same place. */
const overlaps = (boxes: readonly Box[]): string[] =>
    boxes.flatMap((one, index) =>
        boxes.slice(index + 1).flatMap((other) => (apart(one, other) ? [] : [`${one.node.id} and ${other.node.id}`])),
    );

for (const [backends, shown, listeners] of [
    [5, 8, 1],
    [200, 8, 1],
    [200, 200, 1],
    [200, 200, 3],
    [0, 8, 1],
] as const) {
    test(`${backends} backends, ${shown} shown, of ${listeners} listeners overlap nowhere and fit`, () => {
        const graph = graphOf(subject("web", backends, "update", listeners), shown);
        const { boxes, lines, width, height } = layoutOf(graph);
        expect(boxes.length).toBe(graph.nodes.length);
        expect(overlaps(boxes)).toStrictEqual([]);
        for (const box of boxes) {
            expect(box.x).toBeGreaterThanOrEqual(0);
            expect(box.y).toBeGreaterThanOrEqual(0);
            expect(box.x + box.width).toBeLessThanOrEqual(width);
            expect(box.y + box.height).toBeLessThanOrEqual(height);
        }
        expect(lines.every(({ points }) => points.length >= 2)).toBe(true);
    });
}

test("the check of overlaps finds them", () => {
    const box = (id: string, x: number): Box => ({
        node: { id, kind: "backend", change: "same", lines: [] },
        x,
        y: 0,
        width: 10,
        height: 10,
    });
    expect(overlaps([box("a", 0), box("b", 9)])).toStrictEqual(["a and b"]);
    expect(overlaps([box("a", 0), box("b", 10)])).toStrictEqual([]);
});

test("a large group is folded: what changes is shown first, and the rest is counted", () => {
    const many = subject("web", 200, "same");
    const [group] = many.groups;
    const changed = (group?.backends ?? []).map((one, index) =>
        index > 196 ? { ...one, change: "delete" as const, after: null } : one,
    );
    const graph = graphOf({ ...many, groups: group === undefined ? [] : [{ ...group, backends: changed }] }, 8);
    const members = graph.nodes.filter(({ kind }) => kind === "backend");
    expect(members.map(({ change }) => change)).toStrictEqual([
        ...Array<Change>(5).fill("same"),
        ...Array<Change>(3).fill("delete"),
    ]);
    const [rest] = graph.nodes.filter(({ kind }) => kind === "folded");
    expect(rest?.lines).toStrictEqual(["192 more", "192 unchanged", "96 % of new connections"]);
});

test("every edge of a graph leads from one of its nodes to another, whatever the size", () => {
    const sizes = fc.tuple(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 5 }), fc.nat({ max: 12 }));
    fc.assert(
        fc.property(sizes, ([backends, listeners, most]) => {
            const { nodes, edges } = graphOf(subject("web", backends, "create", listeners), most);
            const ids = new Set(nodes.map(({ id }) => id));
            expect(ids.size).toBe(nodes.length);
            expect(edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toStrictEqual([]);
            expect(edges.length).toBe(nodes.length - 1);
        }),
    );
});
