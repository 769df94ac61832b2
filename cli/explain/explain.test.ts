/** Requirements: G11, G12, G21, G39. */
import { expect, test } from "@jest/globals";
import { explainError, runExplain } from "./main";

async function explain(argv: readonly string[], input = ""): Promise<{ code: number; out: string; error: string }> {
    const text = { out: "", error: "" };
    const code = await explainError(
        argv,
        { out: (part) => void (text.out += part), error: (part) => void (text.error += part) },
        () => input,
    );
    return { code, ...text };
}

test("an error code, a message in several words, and events on standard input are explained", async () => {
    expect((await explain(["NetworkConflict"])).out).toMatch(
        /^other-vpc\n {2}cause: .*\n {2}remedy: .*\n {2}see: .*\n$/,
    );
    expect(
        (await explain(["can", "not", "find", "loadbalancer,", "but", "it's", "defined", "in", "service"])).out,
    ).toMatch(/^load-balancer-lost\n/);
    const events =
        "Events:\n  Warning  SyncFailed  Error syncing load balancer [lb-1]: Code: RspoolVipExist " +
        "Message: there are vips";
    expect(await explain(["-"], events)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^server-group-in-use\n/),
    });
    expect((await explain(["-"], "Name: web\nEvents:  <none>\n")).out).toMatch(/^no-events\n/);
});

test("an error has the formats of a Service's explanation", async () => {
    expect((await explain(["NetworkConflict", "--format", "markdown"])).out).toMatch(
        /^## other-vpc\n\n[^]*### Remedy\n\n- /,
    );
    expect((await explain(["NetworkConflict", "--format", "html"])).out).toMatch(
        /^<!doctype html>[^]*<h1>other-vpc<\/h1>/,
    );
    expect(JSON.parse((await explain(["NetworkConflict", "--format", "json"])).out)).toMatchObject({
        code: "other-vpc",
    });
});

test("what is not known is no success", async () => {
    expect(await explain(["all is well"])).toMatchObject({ code: 1, out: "" });
});

test("nothing to explain is a mistake", async () => {
    for (const [argv, input] of [
        [[], ""],
        [["-"], " \n"],
        [[""], ""],
    ] as const)
        expect(await explain(argv, input)).toMatchObject({ code: 2, out: "", error: expect.stringMatching(/usage: /) });
    expect(await explain(["--help"])).toMatchObject({ code: 0, out: expect.stringMatching(/^usage: /) });
});

test("what is no name of a Service is an error or an event", async () => {
    const text = { out: "", error: "" };
    const output = {
        out: (part: string) => void (text.out += part),
        error: (part: string) => void (text.error += part),
    };
    expect(await runExplain(["NetworkConflict"], output)).toBe(0);
    expect(text.out).toMatch(/^other-vpc\n/);
});
