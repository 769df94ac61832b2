/**
 * The example of the way from a CLB to an NLB, which checks each of its steps itself.
 * Only a run shows that the demonstration works from its first command to its last.
 *
 * Requirements: F23.
 */
import { expect, test } from "@jest/globals";
import { playDemo } from "../support/demo";

test("a Service moves from a CLB to an NLB in previewed steps that can be reverted", async () => {
    const kept = await playDemo("migrate-clb-to-nlb");
    for (const promise of [
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
