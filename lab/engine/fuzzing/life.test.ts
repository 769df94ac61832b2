import { expect, test } from "@jest/globals";
import { emptySnapshot, newState } from "../state";
import { FakeCloud } from "./cloud";
import { deploy, FULL_UPDATE, type Outcome } from "./deploy";
import * as invariants from "./invariants";
import { Life } from "./life";
import { Programs } from "./program";
import { Random } from "./random";

/** Seeds that have shown a fault of the engine or of a check. */
const FOUND = [166_085, 166_216];

test("random stacks keep the invariants", async () => {
    for (const seed of [...Array.from({ length: 500 }, (_, i) => i + 1), ...FOUND]) {
        const life = new Life(seed);
        const violation = await life.live();
        expect(violation && { seed, violation, history: life.history }).toBeUndefined();
    }
});

test("the same seed gives the same programs", () => {
    const first = new Programs(new Random(7)).create();
    expect(new Programs(new Random(7)).create()).toEqual(first);
});

test("a run that loses or repeats something is noticed", async () => {
    const random = new Random(3);
    const cloud = new FakeCloud(random);
    const program = new Programs(random).create();
    const before = emptySnapshot(undefined);
    const outcome = await deploy(cloud, program, before, FULL_UPDATE, random);
    const resources = outcome.state.resources;
    const lost: Outcome = { ...outcome, state: { ...outcome.state, resources: resources.slice(0, 2) } };
    expect(invariants.bookkeeping(cloud, new Set(), lost)).not.toEqual([]);
    expect(invariants.bookkeeping(cloud, new Set(), outcome)).toEqual([]);
    const reversed = { ...outcome.state, resources: [...resources].reverse() };
    expect(invariants.integrity({ ...outcome, saved: [{ state: reversed, objects: [] }] })).not.toEqual([]);
    expect(invariants.nothingChanges(cloud, outcome)).not.toEqual([]);
    expect(invariants.predicted({ ...outcome, steps: [] }, outcome)).not.toEqual([]);
    const stranger = newState({ urn: "urn:x", type: "test:index:Thing", custom: true, id: "x-1" });
    const invented = { ...outcome, state: { ...outcome.state, resources: [...resources, stranger] } };
    expect(invariants.bookkeeping(cloud, new Set(), invented)).not.toEqual([]);
    expect(invariants.goalState(cloud, program, invented)).not.toEqual([]);
});
