import { expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import * as path from "node:path";
import { REPOSITORY } from "../../../test/support/repository";

const main = path.join(REPOSITORY, "dist/tools/trials/main.js");

/** Kinds of load balancers. The others are made of the same parts. */
const SAMPLE = ["nlb", "shared", "reused-clb"];

const KINDS = process.env["WHOLE"] === "1" ? [...SAMPLE, "clb", "attached-nlb"] : SAMPLE;

/** A program of each kind, whose Services change 12 times. `make walk` runs more. */
for (const kind of KINDS) {
    test(`random changes of Services end as a fresh creation does, and destroy leaves nothing (${kind})`, () => {
        const { stdout, stderr, status } = spawnSync(
            process.execPath,
            [main, "walk", "--kind", kind, "--lives", "1", "--seed", "7"],
            { encoding: "utf8" },
        );
        expect([stdout + stderr, status]).toStrictEqual([stdout + stderr, 0]);
        const changes = Number(/walk: (\d+) changes/.exec(stdout)?.[1]);
        expect([stdout, changes >= 36]).toStrictEqual([stdout, true]);
    });
}
