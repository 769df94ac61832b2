import { expect, test } from "@jest/globals";
import { walkSync } from "./walk";

/** Each kind of group several times; `make walk KIND=sync` goes on from here. */
for (let seed = 0; seed < 20; seed++) {
    test(`1,000 random events of a cluster, seed ${seed}: the group holds what the model computes, and what is user-managed stays`, async () => {
        expect(await walkSync(seed, 1000)).toBeUndefined();
    });
}
