import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { isSingle, pulumiName } from "../bridge/names";
import { unknownProperty, type Property, type PropertyMap } from "../bridge/properties";
import type { Schema, SchemaMap } from "../terraform/schema";
import { resourceTypes } from "../types";
import { check, create, diff, update } from "./resources";

const words = [
    "",
    "a",
    "on",
    "off",
    "tcp",
    "http",
    "https",
    "udp",
    "internet",
    "intranet",
    "PayByTraffic",
    "Subscription",
    "80",
];
const odd: Property[] = [null, 5, true, "t", [], {}];

/** Any property for an attribute: mostly of its kind, now and then unknown or of another kind. */
function property(schema: Schema): fc.Arbitrary<Property> {
    return fc.oneof(
        { weight: 8, arbitrary: ofItsKind(schema) },
        { weight: 1, arbitrary: fc.constant<Property>(unknownProperty) },
        { weight: 1, arbitrary: fc.constantFrom(...odd) },
    );
}

function ofItsKind(schema: Schema): fc.Arbitrary<Property> {
    switch (schema.type) {
        case "string":
            return fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 4 }));
        case "int":
        case "float":
            return fc.oneof<fc.Arbitrary<Property>[]>(fc.integer({ min: -2, max: 70000 }), fc.constantFrom("5", "0"));
        case "bool":
            return fc.oneof<fc.Arbitrary<Property>[]>(fc.boolean(), fc.constantFrom("true", "false"));
        case "map":
            return fc.dictionary(
                fc.constantFrom("a", "b", "c.d", "aliyun:x"),
                fc.constantFrom<Property>("1", "", 7, unknownProperty),
            );
        default: {
            const element =
                schema.fields === undefined ? property(schema.elem ?? { type: "string" }) : properties(schema.fields);
            return isSingle(schema) ? element : fc.array(element, { maxLength: 3 });
        }
    }
}

function properties(fields: SchemaMap): fc.Arbitrary<PropertyMap> {
    const inputs = Object.entries(fields).filter(([, field]) => field.optional === true || field.required === true);
    return fc
        .record(Object.fromEntries(inputs.map(([name, field]) => [pulumiName(name, field), property(field)])), {
            requiredKeys: [],
        })
        .map((map) => ({ ...map }));
}

/** Errors of the real plugin too: a text instead of a number, and an update that would replace. */
const expected = /strconv\.|: expected|internal: expected diff/;

async function allowingRefusal<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
        return await work();
    } catch (error) {
        if (error instanceof Error && !(error instanceof TypeError) && expected.test(error.message)) return undefined;
        throw error;
    }
}

for (const type of resourceTypes.values()) {
    test(`${type.token}: check, preview and diff accept any input`, async () => {
        const urn = `urn:pulumi:dev::test::${type.token}::res`;
        const checked = (olds: PropertyMap, news: PropertyMap): Promise<PropertyMap | undefined> =>
            allowingRefusal(
                () => check(type, { urn, olds, news, seed: Buffer.alloc(32), autonaming: undefined }).inputs,
            );
        await fc.assert(
            fc.asyncProperty(properties(type.schema), properties(type.schema), async (first, second) => {
                const inputs = await checked({}, first);
                if (inputs === undefined) return;
                const made = await allowingRefusal(() => create(type, urn, inputs, 0, undefined));
                const news = await checked(inputs, second);
                if (made === undefined || news === undefined) return;
                const olds = { ...made.properties, id: "x-1" };
                const found = await allowingRefusal(() => diff(type, "x-1", olds, news, []));
                expect(found === undefined || found.replaces.every((name) => found.diffs.includes(name))).toBe(true);
                await allowingRefusal(() =>
                    update(type, { id: "x-1", urn, olds, news, ignored: [], timeout: 0 }, undefined),
                );
            }),
            { numRuns: 40 },
        );
    });
}
