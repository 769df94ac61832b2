import { test } from "@jest/globals";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as path from "node:path";
import { REPOSITORY } from "../../test/support/repository";

/** Enough for most kinds of change; `make walk` runs more. */
const LIVES = 12;

for (const kind of ["clb", "nlb"]) {
    test(`random lifecycles of a Service: each update is complete, destroy leaves nothing (${kind})`, () => {
        const { stdout, stderr, status } = spawnSync(
            process.execPath,
            [path.join(REPOSITORY, "dist/tools/walk/main.js"), "--kind", kind, "--lives", String(LIVES), "--seed", "7"],
            {
                encoding: "utf8",
            },
        );
        assert.equal(status, 0, stdout + stderr);
        const good = Number(/walk: (\d+) good/.exec(stdout)?.[1]);
        assert.ok(good >= LIVES / 2, stdout);
    });
}
