import { expect, test } from "@jest/globals";
import { containedIn, familyOf, isCidr } from "./cidr";

test("what an address range is", () => {
    for (const good of ["10.0.0.0/8", "0.0.0.0/0", "10.0.0.1/32", "2001:db8::/32", "::/0"])
        expect([good, isCidr(good)]).toStrictEqual([good, true]);
    for (const bad of [
        "10.0.0.0",
        "10.0.0.0/33",
        "10.0.0.0/",
        "10.0.0/8",
        "2001:db8::/129",
        "10.0.0.0/8/8",
        "10.0.0.0/-1",
        "",
    ])
        expect([bad, isCidr(bad)]).toStrictEqual([bad, false]);
});

test("addresses in and out of ranges, of both IP versions", () => {
    const inside = containedIn(["10.0.0.0/8", "2001:db8::/32"]);
    expect(["10.255.0.1", "11.0.0.1", "2001:db8:1::1", "2001:db9::1"].map(inside)).toStrictEqual([
        true,
        false,
        true,
        false,
    ]);
    expect(["10.0.0.1", "::1"].map(familyOf)).toStrictEqual(["ipv4", "ipv6"]);
});
