import { expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import * as path from "node:path";
import { REPOSITORY } from "../../../test/support/repository";
import { WHOLE } from "../../../test/support/sample";

const main = path.join(REPOSITORY, "dist/tools/trials/main.js");

/** Kinds of load balancers, and how often how many Services change. The others are made of the same parts. */
const [KINDS, CHANGES, SERVICES] = WHOLE
    ? [["clb", "nlb", "shared", "reused-clb", "attached-nlb", "joined-clb", "terway-nlb", "synced-clb"], 12, 4]
    : [["nlb", "reused-clb"], 2, 3];

/** A program of each kind. `make walk` runs more. */
for (const kind of KINDS) {
    test(`random changes end as a fresh creation, nothing is left, and what is said is so (${kind})`, () => {
        const counts = ["--lives", "1", "--changes", String(CHANGES), "--services", String(SERVICES)];
        const args = ["--kind", kind, "--seed", "7", ...counts];
        const { stdout, stderr, status } = spawnSync(process.execPath, [main, "walk", ...args], { encoding: "utf8" });
        expect([stdout + stderr, status]).toStrictEqual([stdout + stderr, 0]);
        const changes = Number(/walk: (\d+) changes/.exec(stdout)?.[1]);
        expect([stdout, changes >= 3 * CHANGES]).toStrictEqual([stdout, true]);
    });
}
