import { expect, test } from "@jest/globals";
import { setTimeout } from "node:timers/promises";
import { emptySnapshot, newState } from "../state";
import { Journal } from "./journal";
import type { Step } from "./steps";

const step = (name: string): Step =>
    ({
        op: "create",
        subject: newState({ urn: `urn:pulumi:s::p::t::${name}`, type: "t", custom: true }),
    }) as unknown as Step;

/** A journal whose writes take so many milliseconds of a clock that stands still otherwise. */
function journalOn(clock: { ms: number }, writeMs: number): { journal: Journal; written: number[] } {
    const written: number[] = [];
    const journal = new Journal(
        emptySnapshot(undefined),
        (snapshot) => {
            clock.ms += writeMs;
            written.push(snapshot.pendingOperations.length);
        },
        () => clock.ms,
    );
    return { journal, written };
}

test("what begins at the same time is written once, before any of it may act", async () => {
    const { journal, written } = journalOn({ ms: 0 }, 1);
    await Promise.all(["a", "b", "c"].map((name) => journal.begin(step(name))));
    expect(written).toEqual([3]);
});

test("after a write that took long, what begins meanwhile is collected for as long", async () => {
    const clock = { ms: 0 };
    const { journal, written } = journalOn(clock, 50);
    await journal.begin(step("a"));
    const second = journal.begin(step("b"));
    await setTimeout(5);
    const third = journal.begin(step("c"));
    expect(written).toEqual([1]);
    await Promise.all([second, third]);
    expect(written).toEqual([1, 3]);
});

test("a step does not begin if its note cannot be written", async () => {
    const journal = new Journal(emptySnapshot(undefined), () => {
        throw new Error("no space left on device");
    });
    await expect(journal.begin(step("a"))).rejects.toThrow("no space left");
});
