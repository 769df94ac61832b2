/**
 * The example of sync and its demonstration, which checks each of its promises itself.
 *
 * Requirements: X24.
 */
import { expect, test } from "@jest/globals";
import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import { REPOSITORY } from "../../lab";

test("the example of sync: scaling, a node that is not ready, a rollout with readiness gates and a console edit, without a run", async () => {
    const demo = path.join(REPOSITORY, "dist/examples/sync/demo.js");
    const { stdout } = await promisify(execFile)(process.execPath, [demo], {
        cwd: REPOSITORY,
        maxBuffer: 1 << 24,
        env: { ...process.env, PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    });
    const kept = stdout.split("\n").flatMap((line) => (line.startsWith("  ✓ ") ? [line.slice(4)] : []));
    for (const promise of [
        "the controller has taken over",
        "weights are the seven pods",
        "node-1 takes no traffic",
        "the controller has opened every pod's gate",
        "the backend is back",
        "the number of replicas is the one difference",
        "the cloud is empty",
    ])
        expect(kept).toContain(promise);
});
