/**
 * The example of sync and its demonstration, which checks each of its promises itself.
 * Only a run shows that the demonstration works from its first command to its last.
 *
 * Requirements: X24.
 */
import { expect, test } from "@jest/globals";
import { playDemo } from "../support/demo";

test("the example of sync follows scaling, node failures, rollouts and console edits", async () => {
    const kept = await playDemo("sync");
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
