import { expect, test } from "@jest/globals";
import { commandsOf, difference, paragraphsOf } from "./transcript";

const run = (...output: string[]): string[] =>
    paragraphsOf(commandsOf(["$ pulumi up", ...output].join("\n"))[0]?.output ?? []);

test("the output of a command ends at the demonstration's check", () => {
    const [first, second] = commandsOf("────\n$ pulumi version\nv1\n  ✓ done\nchecked\n\n$ pulumi up\nUpdating");
    expect(first).toStrictEqual({ line: "$ pulumi version", output: ["v1"] });
    expect(second).toStrictEqual({ line: "$ pulumi up", output: ["Updating"] });
});

test("ids, times and heartbeats are ignored", () => {
    const one = run(" +  my:index:A lb-0001 created (0.42s)", "@ updating....", "Duration: 3s");
    const other = run(" +  my:index:A lb-0002 created (5s)", "Duration: 1m3s");
    expect(one).toStrictEqual(other);
});

test("independent resources have any order, the rows of one resource a fixed one", () => {
    const [a, b] = [" +  my:index:A a creating (0s) ", " +  my:index:A b creating (0s) "];
    const done = " +  my:index:A a created (1s) ";
    expect(run(a, b, done)).toStrictEqual(run(b, a, done));
    expect(run(a, done, b)).not.toStrictEqual(run(done, a, b));
});

test("a property diff is one paragraph, a component's late outputs are another", () => {
    const step = ["    + my:index:A: (create)", "        size: 1"];
    const other = ["    + my:index:B: (create)", "        size: 2"];
    const outputs = ["    --outputs:--", "    address: [unknown]"];
    const root = ["+ pulumi:pulumi:Stack: (create)"];
    expect(run(...root, ...step, ...other, ...outputs)).toStrictEqual(run(...root, ...other, ...step, ...outputs));
    expect(run(...root, ...step)).not.toStrictEqual(run(...root, "    + my:index:A: (create)", "        size: 2"));
});

test("the texts of policies are left out, their first lines are not", () => {
    const head = "        - [advisory]  open  (my:index:A: a)";
    const refusal = run("Policies:", head, "          Opened to all.", "Resources:", "    + 1 created");
    expect(refusal).toStrictEqual(run("Policies:", head, "          Another text.", "Resources:", "    + 1 created"));
    expect(refusal.includes(head)).toBeTruthy();
});

test("the text of a policy ends where the next resource of a property diff begins", () => {
    const head = "    pack@v1 [advisory]  open  (my:index:A: a)";
    const step = ["    + my:index:A: (create)", "        size: 1"];
    const recorded = run(`${head}Opened to all.`, "Service a: open.", ...step);
    expect(run(`${head} Opened to all.`, "      Service a: open.", ...step)).toStrictEqual(recorded);
    expect(recorded).toContain("    + my:index:A: (create)\n        size: 1");
});

test("a difference names the lines on one side only", () => {
    expect(difference(["a", "b", "b"], ["b", "c"])).toStrictEqual([
        "only here:\na",
        "only here:\nb",
        "only in the recording:\nc",
    ]);
});
