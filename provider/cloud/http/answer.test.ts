import { expect, test } from "@jest/globals";
import {
    object,
    list,
    number,
    literalOf,
    optional,
    readAnswer,
    requiredNumber,
    requiredText,
    text,
    truth,
} from "./answer";
import { thrown } from "../../../test/support/thrown";

const read = <Schema extends Parameters<typeof readAnswer>[1]>(schema: Schema, answer: Record<string, unknown>) =>
    readAnswer("DescribeThings", schema, answer);

test("texts and numbers are taken for each other, and what is empty or null is absent", () => {
    const schema = object({ Name: text, Port: number, Id: requiredText, Weight: requiredNumber });
    expect(read(schema, { Name: 7, Port: "80", Id: 1, Weight: "0" })).toStrictEqual({
        Name: "7",
        Port: 80,
        Id: "1",
        Weight: 0,
    });
    const { Name, Port } = read(schema, { Name: "", Port: null, Id: "a", Weight: 1 });
    expect([Name, Port]).toStrictEqual([undefined, undefined]);
});

test("lists are found inside their wrapper; an absent or empty one holds nothing", () => {
    const schema = object({ Tags: list(object({ Key: requiredText }), "Tag") });
    expect(read(schema, { Tags: { Tag: [{ Key: "a" }] } }).Tags).toStrictEqual([{ Key: "a" }]);
    expect(read(schema, { Tags: {} }).Tags).toStrictEqual([]);
    expect(read(schema, {}).Tags).toBeUndefined();
});

test("words in any case, truth values, and objects that may be left out", () => {
    const schema = object({ Type: literalOf("Ecs", "Ip"), On: truth, Config: optional(object({ Status: text })) });
    expect(read(schema, { Type: "ecs", On: false, Config: null }).Type).toStrictEqual("Ecs");
    expect(read(schema, { Type: "IP", Config: { Status: "x" } }).Config?.Status).toBe("x");
});

test("an answer of another shape is an error with the action, every field, cause and remedy", () => {
    const schema = object({ Id: requiredText, Things: list(object({ Port: requiredNumber, Type: literalOf("ecs") })) });
    expect(String(thrown(() => read(schema, { Things: [{ Port: "http", Type: "vm" }] })))).toMatch(
        /^CloudError: DescribeThings failed: UnexpectedAnswer: the answer has no Id; Things\.0\.Port of the answer is no number; Things\.0\.Type of the answer is no value that is known \(1 try\)\n {2}cause: .*\n {2}remedy: /,
    );
});
