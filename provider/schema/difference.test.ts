import { expect, test } from "@jest/globals";
import { attributeName, compare, type Traits } from "./difference";

const SAME: readonly (readonly [string, unknown, unknown])[] = [
    ["a number and its text", 80, "80"],
    ["a truth and its text", true, "true"],
    ["lists in another order", ["acl-1", "acl-2"], ["acl-2", "acl-1"]],
    ["maps in another order", { a: "1", b: true }, { b: "true", a: 1 }],
    ["nothing and an empty text", "", undefined],
    ["what is not asked for", undefined, "anything"],
];

for (const [what, desired, actual] of SAME) {
    test(`compare: ${what} are the same`, () =>
        expect(compare({}, { setting: desired }, { setting: actual })).toStrictEqual([]));
}

const OTHER: readonly (readonly [string, unknown, unknown, readonly string[]])[] = [
    ["another text", "rr", "wrr", ["setting: wrr, desired rr"]],
    ["what the cloud leaves out", "rr", undefined, ["setting: -, desired rr"]],
    ["a tag more in the cloud", { a: "1" }, { a: "1", b: "2" }, ["setting.b: 2, desired -"]],
    ["a tag with a name of objects", {}, { constructor: "1" }, ["setting.constructor: 1, desired -"]],
    ["a list with one more", ["acl-1"], ["acl-1", "acl-2"], ["setting: acl-1,acl-2, desired acl-1"]],
];

for (const [what, desired, actual, expected] of OTHER) {
    test(`compare: ${what} is reported`, () =>
        expect(
            compare({}, { setting: desired }, { setting: actual }).map(
                (one) => `${one.attribute}: ${one.observed}, desired ${one.desired}`,
            ),
        ).toStrictEqual(expected));
}

const TRAITS: Traits = {
    access: { inputs: ["aclStatus"], restricts: true },
    "access.type": { inputs: ["aclType"] },
    scheduler: { anyCase: true },
    name: { change: "kept" },
};

test("compare: a part without traits has those of its attribute, and others change in place", () => {
    const desired = { access: { status: "on", type: "white" }, scheduler: "Wrr", name: "a", weight: 1 };
    const observed = { access: { status: "off", type: "black" }, scheduler: "wrr", name: "b", more: 2 };
    const nature = { change: "in place", harmless: false, opens: false };
    expect(compare(TRAITS, desired, observed)).toMatchObject([
        { attribute: "access.status", ...nature, inputs: ["aclStatus"], opens: true },
        { attribute: "access.type", ...nature, inputs: ["aclType"] },
        { attribute: "scheduler", ...nature, inputs: ["scheduler"], change: "ignored" },
        { attribute: "name", ...nature, inputs: ["name"], change: "kept", harmless: true },
        { attribute: "weight", ...nature, inputs: ["weight"] },
        { attribute: "more", ...nature, inputs: ["more"], observed: "2", desired: "-" },
    ]);
});

test("attributes are named in the words of annotations", () => {
    expect(["tls.certId", "tls.domains.a", "tags.team", "zoneMaps"].map(attributeName)).toStrictEqual([
        "certificate (cert-id)",
        "certificate of a",
        "tag team",
        "zoneMaps",
    ]);
});
