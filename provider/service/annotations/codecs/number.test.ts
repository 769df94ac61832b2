import { expect, test } from "@jest/globals";
import { integer, refused } from "./text";

const parse = (type: ReturnType<typeof integer>, text: string): unknown => {
    const reading = type.parse(text);
    return refused(reading) ? reading.remedy : reading.value;
};

test("a special value is outside the range, and only in the one way of writing it", () => {
    const port = integer(1, 65535, "-1 is any port", -1);
    expect(port.allowed).toBe("-1, or a whole number from 1 to 65535 (-1 is any port)");
    expect(["-1", "1", "65535"].map((text) => parse(port, text))).toStrictEqual([-1, 1, 65535]);
    for (const text of ["-2", "-01", " -1", "0", "65536"])
        expect([text, typeof parse(port, text)]).toStrictEqual([text, "string"]);
    expect(parse(integer(1, 9), "-1")).toBe("write a whole number from 1 to 9");
});
