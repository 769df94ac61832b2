/**
 * The example of the way from a CLB to an NLB, which checks each of its steps itself.
 *
 * Requirements: F23.
 */
import { expect, test } from "@jest/globals";
import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "../../lab";

test("from a CLB to an NLB: both serve the same pods, each step is a preview and has its way back, and the old one goes", async () => {
    const demo = path.join(REPOSITORY, "dist/examples/migrate-clb-to-nlb/demo.js");
    const { stdout } = await promisify(execFile)(process.execPath, [demo], {
        cwd: REPOSITORY,
        maxBuffer: 1 << 24,
        env: { ...process.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    });
    const kept = stdout.split("\n").flatMap((line) => (line.startsWith("  ✓ ") ? [line.slice(4)] : []));
    for (const promise of [
        "the zones are missing",
        "an NLB is created",
        "the NLB is gone",
        "explain finds nothing broken with shop",
        "explain finds nothing broken with shop-nlb",
        "backends and weights are the same",
        "the report names the address that is released",
        "one NLB is left",
    ])
        expect(kept).toContain(promise);
    expect(kept.filter((line) => line === "nothing is written to the load balancer that serves clients")).toHaveLength(
        5,
    );
});
