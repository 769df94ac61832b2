/** The engine is killed at random moments of an `up`: whatever the cloud then holds, the state knows of it. */
import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { killTree, ScratchProject } from "./testing";

const RESOURCES = 40;
const KILLS = 5;

// An object of the cloud is a file: made at once or not at all, also when its maker is killed.
const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const provider = {
    create: async (inputs) => {
        const id = inputs.label + "." + require("node:crypto").randomUUID();
        await new Promise((done) => setTimeout(done, 40));
        require("node:fs").writeFileSync(process.env.SCRATCH_OBJECTS + "/" + id, "");
        return { id, outs: { label: inputs.label } };
    },
};
for (let i = 0; i < ${RESOURCES}; i++) new pulumi.dynamic.Resource(provider, "thing-" + i, { label: "thing-" + i }, {}, "scratch", "Thing");
`;

test("killed at any moment, every object of the cloud is in the state, as a resource or as an operation that was under way", async () => {
    const project = new ScratchProject(PROGRAM);
    const folder = join(project.folder, "objects");
    mkdirSync(folder);
    project.env["SCRATCH_OBJECTS"] = folder;
    const objects = () => readdirSync(folder);
    try {
        let killed = 0;
        for (let round = 0; round < KILLS; round++) {
            const up = project.start("up", "--yes", "--skip-preview", "--parallel", "2");
            const ended = new Promise((done) => up.once("close", done));
            // From the first object on, anywhere within the time that the rest takes.
            const before = objects().length;
            while (up.exitCode === null && objects().length === before) await pause(5);
            await pause(Math.random() * 300);
            if (up.exitCode === null && up.pid !== undefined) {
                killTree(up.pid);
                killed++;
            }
            await ended;
            const state = project.state();
            const resources = (state.resources ?? []).map(({ id }) => id);
            const pending = (state.pending_operations ?? []).map(({ resource }) => resource.urn.split("::").at(-1));
            for (const object of objects()) {
                const label = object.split(".")[0];
                assert.ok(
                    resources.includes(object) || pending.includes(label),
                    `${object} is in the cloud and not in the state`,
                );
            }
            project.run("cancel", "--yes");
        }
        assert.ok(killed > 0, "no run was killed");
        project.run("up", "--yes", "--skip-preview");
        const things = (project.state().resources ?? []).filter(({ urn }) => urn.includes("thing-"));
        expect(things.length).toBe(RESOURCES);
        expect(project.run("preview", "--expect-no-changes")).toMatch(/unchanged/);
    } finally {
        project.remove();
    }
});
