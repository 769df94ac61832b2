import { expect, test } from "@jest/globals";
import { walkSync } from "./walk";

/** A share of what `make walk KIND=sync` runs: each kind of group once. */
for (const seed of [0, 1, 2, 3]) {
    test(`random events of a cluster, seed ${seed}: the group ends with what the model computes`, async () => {
        expect(await walkSync(seed, 300)).toBeUndefined();
    });
}
