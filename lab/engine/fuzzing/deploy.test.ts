import { describe, expect, test } from "@jest/globals";
import { emptySnapshot, integrityError, urnName, type Snapshot } from "../state";
import { FakeCloud } from "./cloud";
import { deploy, FULL_UPDATE, type Outcome, type RunSpec } from "./deploy";
import type { ResourceSpec } from "./program";
import { Random } from "./random";

const resource = (name: string, spec: Partial<ResourceSpec> = {}): ResourceSpec => ({
    name,
    kind: "Thing",
    size: 1,
    zone: "a",
    mustDeleteFirst: false,
    parent: undefined,
    references: [],
    anchor: undefined,
    dependsOn: [],
    protect: false,
    retainOnDelete: false,
    deletedWith: undefined,
    ignoreSize: false,
    deleteBeforeReplace: undefined,
    aliases: [],
    ...spec,
});

const urn = (name: string): string => `urn:pulumi:dev::fuzz::test:index:Thing::${name}`;

/** Runs of one stack, one after the other. */
class Stack {
    readonly cloud: FakeCloud;
    private readonly random: Random;
    private state: Snapshot = emptySnapshot(undefined);

    /** @param seed decides how long each call takes */
    constructor(seed = 1) {
        this.random = new Random(seed);
        this.cloud = new FakeCloud(this.random);
    }

    async run(program: readonly ResourceSpec[], spec: Partial<RunSpec> = {}): Promise<Outcome> {
        const outcome = await deploy(this.cloud, program, this.state, { ...FULL_UPDATE, ...spec }, this.random);
        this.state = outcome.state;
        for (const { state } of outcome.saved) expect(integrityError(state.resources)).toBeUndefined();
        return outcome;
    }
}

const names = (outcome: Outcome): string[] =>
    outcome.state.resources.filter((r) => r.type.startsWith("test:")).map((r) => urnName(r.urn));

test("a renamed resource outside the targets is recorded once", async () => {
    const stack = new Stack();
    await stack.run([resource("a"), resource("old")]);
    const renamed = resource("new", { aliases: [urn("old")] });
    const outcome = await stack.run([resource("a"), renamed], { targets: [urn("a")] });
    expect(outcome.ok).toBe(true);
    expect(names(outcome)).toEqual(["a", "old"]);
});

test("what an excluded resource depends on is not recorded again under its former name", async () => {
    const stack = new Stack();
    await stack.run([resource("old"), resource("user", { references: ["old"] })]);
    const renamed = resource("new", { aliases: [urn("old")] });
    const outcome = await stack.run([renamed, resource("user", { references: ["new"] })], { excludes: [urn("user")] });
    expect(outcome.ok).toBe(true);
    expect(names(outcome)).toEqual(["new", "user"]);
});

test("a resource outside the targets stands after what it still depends on", async () => {
    const stack = new Stack();
    await stack.run([resource("a"), resource("user", { references: ["a"] })]);
    // The program registers both at once, and the change of the first takes longer than leaving the second alone.
    const outcome = await stack.run([resource("a", { size: 2 }), resource("user")], { excludes: [urn("user")] });
    expect(outcome.ok).toBe(true);
    expect(names(outcome)).toEqual(["a", "user"]);
});

test("a replacement whose deletion fails ends, with --continue-on-error too", async () => {
    const stack = new Stack();
    await stack.run([resource("a", { mustDeleteFirst: true })]);
    stack.cloud.faults.set("delete a", "refused");
    const program = [resource("a", { mustDeleteFirst: true, zone: "b" }), resource("b")];
    const outcome = await stack.run(program, { continueOnError: true });
    expect(outcome.ok).toBe(false);
    expect(names(outcome).sort()).toEqual(["a", "b"]);
    expect([...stack.cloud.objects.keys()].sort()).toEqual(["a-1", "b-2"]);
});

test("the copy that a failed deletion has left does not take the new one along", async () => {
    const stack = new Stack();
    const a = resource("a", { mustDeleteFirst: true });
    await stack.run([a, resource("b", { anchor: "a" })]);
    stack.cloud.faults.set("delete b", "refused");
    await stack.run([a, resource("b", { zone: "b" })]);
    stack.cloud.faults.clear();
    const outcome = await stack.run([{ ...a, zone: "b" }, resource("b", { zone: "b" })]);
    expect(outcome.ok).toBe(true);
    expect(names(outcome).sort()).toEqual(["a", "b"]);
    expect([...stack.cloud.objects.keys()].sort()).toEqual(["a-4", "b-3"]);
});

test("what is deleted along with a target is made again with the inputs of the program", async () => {
    const stack = new Stack();
    const a = resource("a", { mustDeleteFirst: true });
    await stack.run([a, resource("b", { anchor: "a" })]);
    const program = [{ ...a, zone: "b" }, resource("b", { anchor: "a" })];
    const outcome = await stack.run(program, { targets: [urn("a")] });
    expect(outcome.errors).toEqual([]);
    expect(outcome.state.resources.at(-1)?.inputs["anchor"]).toBe("arn:a-3");
});

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

describe.each([
    ["keeps its name", resource("b")],
    ["has a new name", resource("new", { aliases: [urn("b")] })],
])("what is deleted along with another and %s", (_, again) => {
    test.each(SEEDS)("is made again once it is gone: order %i", async (seed) => {
        const stack = new Stack(seed);
        const a = resource("a", { mustDeleteFirst: true });
        await stack.run([a, resource("b", { anchor: "a" })]);
        // It depends on the first one no more, and is registered while that one is replaced.
        const outcome = await stack.run([{ ...a, zone: "b" }, again]);
        expect(outcome.errors).toEqual([]);
        expect(names(outcome).sort()).toEqual(["a", again.name]);
        expect(stack.cloud.objects.size).toBe(2);
    });
});

test.each(SEEDS)("what could not be deleted along with another is not made again: order %i", async (seed) => {
    const stack = new Stack(seed);
    const a = resource("a", { mustDeleteFirst: true });
    await stack.run([a, resource("b", { anchor: "a" })]);
    stack.cloud.faults.set("delete b", "refused");
    const outcome = await stack.run([{ ...a, zone: "b" }, resource("b"), resource("c")], { continueOnError: true });
    expect(outcome.ok).toBe(false);
    expect(names(outcome)).toHaveLength(stack.cloud.objects.size);
    const made = outcome.steps.filter((s) => s.urn === urn("b") && s.op === "create-replacement");
    // Registered early, it is replaced by itself; its old object stays behind until the next run.
    expect(names(outcome).filter((name) => name === "b")).toHaveLength(1 + made.length);
});

test("a destroy that leaves a component out leaves the provider of its children", async () => {
    const stack = new Stack();
    const parent = "urn:pulumi:dev::fuzz::test:index:Component::c";
    await stack.run([resource("c", { kind: "Component" }), resource("child", { parent: "c" })]);
    const outcome = await stack.run([], { kind: "destroy", excludes: [parent], withDependents: true });
    expect(outcome.ok).toBe(true);
    expect(names(outcome)).toEqual(["c", "child"]);
});

test("a destroy of a target that does not exist deletes the others, leaves the rest, and fails", async () => {
    const stack = new Stack();
    await stack.run([resource("a"), resource("b")]);
    const outcome = await stack.run([], { kind: "destroy", targets: [urn("a"), urn("nowhere")] });
    expect(outcome.ok).toBe(false);
    expect(outcome.errors).toEqual([
        `: Target '${urn("nowhere")}' could not be found in the stack. Did you forget to escape $ in your shell?`,
    ]);
    expect(names(outcome)).toEqual(["b"]);
    expect(outcome.steps.filter((s) => urnName(s.urn) === "b").map((s) => s.op)).toEqual(["same"]);
});

test("an existing object is taken into management as it is, and then made what the program wants", async () => {
    const stack = new Stack();
    await stack.run([resource("maker", { size: 1, retainOnDelete: true })]);
    const taken = resource("a", { size: 2, importId: "maker-1" });
    for (const preview of [true, false]) {
        const outcome = await stack.run([taken], { preview });
        expect(outcome.errors).toEqual([]);
        expect(outcome.changes).toEqual({ import: 1, update: 1, delete: 1, same: 1 });
        expect(outcome.steps.filter((s) => s.urn === urn("a")).map((s) => s.op)).toEqual(["import", "update"]);
    }
    const again = await stack.run([taken]);
    expect(again.changes).toEqual({ same: 2 });
    expect(names(again)).toEqual(["a"]);
});

test("an existing object that is what the program wants needs nothing more than to be read", async () => {
    const stack = new Stack();
    await stack.run([resource("maker")]);
    const calls = stack.cloud.calls.length;
    const program = [resource("maker"), resource("a", { importId: "maker-1" }), resource("b", { references: ["a"] })];
    const outcome = await stack.run(program);
    expect(outcome.errors).toEqual([]);
    expect(outcome.changes).toEqual({ same: 2, import: 1, create: 1 });
    expect(stack.cloud.calls.slice(calls).map((c) => c.op)).toEqual(["create"]);
    expect(outcome.state.resources.find((r) => r.urn === urn("a"))?.importID).toBe("maker-1");
    expect(outcome.state.resources.at(-1)?.inputs["refs"]).toEqual(["arn:maker-1"]);
});

test("an object that does not exist cannot be taken into management; others go on where that is allowed", async () => {
    const stack = new Stack();
    const program = [resource("a", { importId: "nowhere" }), resource("b"), resource("c", { references: ["a"] })];
    const outcome = await stack.run(program, { continueOnError: true });
    expect(outcome.ok).toBe(false);
    expect(outcome.errors[0]).toBe(`${urn("a")}: resource 'nowhere' does not exist`);
    expect(names(outcome)).toEqual(["b"]);
});

test("an object takes the place of another, which is deleted at the end", async () => {
    const stack = new Stack();
    await stack.run([resource("maker"), resource("a")]);
    const importId = [...stack.cloud.objects.keys()].find((id) => id.startsWith("maker")) ?? "";
    const outcome = await stack.run([resource("maker"), resource("a", { importId })]);
    expect(outcome.errors).toEqual([]);
    expect(outcome.steps.filter((s) => s.urn === urn("a")).map((s) => s.op)).toEqual([
        "import-replacement",
        "replace",
        "delete-replaced",
    ]);
    expect(names(outcome)).toEqual(["maker", "a"]);
});

test.each([
    ["refresh" as const, { targets: [urn("a")] }],
    ["refresh" as const, { excludes: [urn("b")] }],
    ["update" as const, { targets: [urn("a")] }],
])("a %s with the program reads only what it is about: %p", async (kind, scope) => {
    const stack = new Stack();
    const program = [resource("a"), resource("b")];
    await stack.run(program);
    const outcome = await stack.run(program, { kind, refresh: true, runProgram: true, ...scope });
    expect(outcome.errors).toEqual([]);
    expect(outcome.steps.filter((s) => s.op === "refresh").map((s) => urnName(s.urn))).toContain("a");
    expect(outcome.steps.filter((s) => s.op === "refresh").map((s) => urnName(s.urn))).not.toContain("b");
    expect(names(outcome).sort()).toEqual(["a", "b"]);
});
