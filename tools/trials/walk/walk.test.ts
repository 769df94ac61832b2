import { expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import * as path from "node:path";
import { REPOSITORY } from "../../../test/support/repository";

/** Lives for most kinds of change. `make walk` runs more. */
const LIVES = 12;

const main = path.join(REPOSITORY, "dist/tools/trials/main.js");

for (const kind of ["clb", "nlb"]) {
    test(`random lifecycles of a Service: each update is complete, destroy leaves nothing (${kind})`, () => {
        const { stdout, stderr, status } = spawnSync(
            process.execPath,
            [main, "walk", "--kind", kind, "--lives", String(LIVES), "--seed", "7"],
            {
                encoding: "utf8",
            },
        );
        expect([stdout + stderr, status]).toStrictEqual([stdout + stderr, 0]);
        const good = Number(/walk: (\d+) good/.exec(stdout)?.[1]);
        expect([stdout, good >= LIVES / 2]).toStrictEqual([stdout, true]);
    });
}
