import { expect, test } from "@jest/globals";
import { Secret, UNKNOWN, type Value } from "../value";
import { goText } from "./gotext";

test.each<[Value | undefined, string]>([
    [undefined, "{<nil>}"],
    [10, "{10}"],
    [1000000, "{1e+06}"],
    [123456789, "{1.23456789e+08}"],
    [1e21, "{1e+21}"],
    [true, "{true}"],
    ["x", "{x}"],
    [["x", 1.5], "{[{x} {1.5}]}"],
    [{ b: 1, a: null }, "{map[a:{<nil>} b:{1}]}"],
    [UNKNOWN, "output<string>{}"],
    [new Secret("p"), "{&{{<secret>}}}"],
])("%p has the form of Go", (value, text) => {
    expect(goText(value)).toBe(text);
});
