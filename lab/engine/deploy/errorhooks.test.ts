import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import { ScratchProject } from "../testing";

/** A resource whose first create fails; its error hook prints what it receives, and asks for one more try. */
const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const fs = require("fs");
const tries = process.env.TRIES;
const provider = {
    create: async () => {
        const fs = require("fs");
        const tries = process.env.TRIES;
        const made = fs.existsSync(tries) ? Number(fs.readFileSync(tries, "utf8")) : 0;
        fs.writeFileSync(tries, String(made + 1));
        if (made < Number(process.env.FAILURES)) throw new Error("not yet " + made);
        return { id: "thing", outs: {} };
    },
};
const hook = new pulumi.ErrorHook("again", async (args) => {
    await pulumi.log.warn(args.failedOperation + " of " + args.name + ": " + args.errors.join(", "));
    return args.errors.length < 2;
});
class Thing extends pulumi.dynamic.Resource {
    constructor(name, opts) { super(provider, name, {}, opts); }
}
new Thing("flaky", { hooks: { onError: [hook] } });
`;

function up(failures: number): { text: string; tries: string; failed: boolean } {
    const project = new ScratchProject(PROGRAM);
    try {
        project.env["TRIES"] = `${project.folder}/tries`;
        project.env["FAILURES"] = String(failures);
        try {
            return { text: project.run("up", "--yes", "--skip-preview"), tries: project.read("tries"), failed: false };
        } catch (e) {
            return { text: String((e as { stdout?: unknown }).stdout), tries: project.read("tries"), failed: true };
        }
    } finally {
        project.remove();
    }
}

test("an error hook receives the failures, newest first, and decides on another try", () => {
    const healed = up(1);
    assert.deepEqual([healed.failed, healed.tries], [false, "2"], healed.text);
    expect(healed.text).toMatch(/create of flaky: not yet 0/);
    const lost = up(3);
    assert.deepEqual([lost.failed, lost.tries], [true, "2"], lost.text);
    expect(lost.text).toMatch(/create of flaky: not yet 1, not yet 0/);
});
