import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { fuzzTarget, inputsOf } from "./fuzz";
import { target } from "./target";
import { TARGETS } from "./targets";

for (const one of TARGETS) {
    test(`${one.name}: valid input is accepted`, async () => {
        await one.take(one.good);
    });

    test(`${one.name}: any input leads only to errors for users`, async () => {
        expect((await fuzzTarget(one, inputsOf(one, 300), 1)).failure).toBeUndefined();
    });
}

test("other errors and changes of shared prototypes are failures", async () => {
    const crash = target({
        name: "crash",
        good: 0,
        inputs: fc.integer({ min: 0, max: 9 }),
        take: (value) => {
            if (value > 3) throw new TypeError("no such member");
        },
    });
    expect((await fuzzTarget(crash, 100, 1)).failure).toMatch(/^seed 1: 4\nTypeError: no such member/);
    const pollute = target({
        name: "pollute",
        good: 1,
        inputs: fc.constant(1),
        take: () => void Object.assign(Object.prototype, { polluted: true }),
    });
    const { failure } = await fuzzTarget(pollute, 1, 1);
    delete (Object.prototype as { polluted?: boolean }).polluted;
    expect(failure).toMatch(/changed what all objects share/);
});
