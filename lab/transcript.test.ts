import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsOf, difference, paragraphsOf } from "./transcript";

const run = (...output: string[]): string[] =>
    paragraphsOf(commandsOf(["$ pulumi up", ...output].join("\n"))[0]?.output ?? []);

test("a command's output ends where the demonstration checks it", () => {
    const [first, second] = commandsOf("────\n$ pulumi version\nv1\n  ✓ done\nchecked\n\n$ pulumi up\nUpdating");
    assert.deepEqual(first, { line: "$ pulumi version", output: ["v1"] });
    assert.deepEqual(second, { line: "$ pulumi up", output: ["Updating"] });
});

test("ids, times and heartbeats say nothing", () => {
    const one = run(" +  my:index:A lb-0001 created (0.42s)", "@ updating....", "Duration: 3s");
    const other = run(" +  my:index:A lb-0002 created (5s)", "Duration: 1m3s");
    assert.deepEqual(one, other);
});

test("independent resources come in any order, the rows of one resource in theirs", () => {
    const [a, b] = [" +  my:index:A a creating (0s) ", " +  my:index:A b creating (0s) "];
    const done = " +  my:index:A a created (1s) ";
    assert.deepEqual(run(a, b, done), run(b, a, done));
    assert.notDeepEqual(run(a, done, b), run(done, a, b));
});

test("a property diff is one paragraph, a component's late outputs are another", () => {
    const step = ["    + my:index:A: (create)", "        size: 1"];
    const other = ["    + my:index:B: (create)", "        size: 2"];
    const outputs = ["    --outputs:--", "    address: [unknown]"];
    const root = ["+ pulumi:pulumi:Stack: (create)"];
    assert.deepEqual(run(...root, ...step, ...other, ...outputs), run(...root, ...other, ...step, ...outputs));
    assert.notDeepEqual(run(...root, ...step), run(...root, "    + my:index:A: (create)", "        size: 2"));
});

test("the texts of policies are left out, their heads are not", () => {
    const head = "        - [advisory]  open  (my:index:A: a)";
    const refusal = run("Policies:", head, "          Opened to all.", "Resources:", "    + 1 created");
    assert.deepEqual(refusal, run("Policies:", head, "          Another text.", "Resources:", "    + 1 created"));
    assert.ok(refusal.includes(head));
});

test("a difference names what is only on one side", () => {
    assert.deepEqual(difference(["a", "b", "b"], ["b", "c"]), [
        "only here:\na",
        "only here:\nb",
        "only in the recording:\nc",
    ]);
});
