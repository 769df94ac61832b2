import { expect, test } from "@jest/globals";
import { walkSync } from "./walk";

/** Each kind of group is tried several times. `make walk KIND=sync` goes on from here. */
for (let seed = 0; seed < 10; seed++) {
    test(`1,000 random events of a cluster leave the members of the model, seed ${seed}`, async () => {
        expect(await walkSync(seed, 1000)).toBeUndefined();
    });
}
