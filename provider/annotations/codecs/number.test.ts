import assert from "node:assert/strict";
import { test } from "node:test";
import { integer } from "./number";
import { refused } from "./type";

const parse = (type: ReturnType<typeof integer>, text: string): unknown => {
    const reading = type.parse(text, { allowMasked: false });
    return refused(reading) ? reading.remedy : reading.value;
};

test("a special value is outside the range, and only in the one way of writing it", () => {
    const port = integer(1, 65535, "-1 is any port", -1);
    assert.equal(port.allowed, "-1, or a whole number from 1 to 65535 (-1 is any port)");
    assert.deepEqual(
        ["-1", "1", "65535"].map((text) => parse(port, text)),
        [-1, 1, 65535],
    );
    for (const text of ["-2", "-01", " -1", "0", "65536"]) assert.equal(typeof parse(port, text), "string", text);
    assert.equal(parse(integer(1, 9), "-1"), "write a whole number from 1 to 9");
});
