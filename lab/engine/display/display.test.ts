import { expect, test } from "@jest/globals";
import { isChange } from "../deploy";
import type { EngineEvent, StepFacts } from "../events";
import { makeUrn, newState, ROOT_STACK_TYPE, UNKNOWN_ID, type ResourceState } from "../state";
import { Secret, UNKNOWN, type ValueMap } from "../value";
import { diffDisplay, digestDisplay, progressDisplay, withMaskedSecrets, type Display, type DisplayOptions } from ".";
import { numberText } from "./literals";
import { quote } from "./words";

const TYPE = "pkg:index:Thing";
const URN = makeUrn("dev", "shop", "", TYPE, "a");
const ROOT = makeUrn("dev", "shop", "", ROOT_STACK_TYPE, "shop-dev");

interface Shown {
    stdout: string;
    stderr: string;
}

/** What a display writes of events. */
function show(make: (o: DisplayOptions) => Display, events: readonly EngineEvent[], change = {}): Shown {
    const shown = { stdout: "", stderr: "" };
    const display = make({
        action: "update",
        preview: true,
        stack: "dev",
        project: "shop",
        diff: false,
        json: false,
        showUrns: false,
        showConfig: false,
        showSecrets: false,
        truncate: false,
        showSames: false,
        showReads: false,
        showReplacementSteps: false,
        showPolicyRemediations: false,
        suppressOutputs: false,
        heartbeat: "",
        write: (t) => (shown.stdout += t),
        writeError: (t) => (shown.stderr += t),
        ...change,
    });
    const sink = withMaskedSecrets(display.sink);
    for (const e of events) sink(e);
    display.finish();
    return shown;
}

const thing = (inputs: ValueMap, outputs: ValueMap = {}, more: Partial<ResourceState> = {}): ResourceState =>
    newState({ urn: URN, type: TYPE, custom: true, id: "a-1", inputs, outputs, ...more });
const stack = (outputs: ValueMap): ResourceState =>
    newState({ urn: ROOT, type: ROOT_STACK_TYPE, custom: false, outputs });

function step(op: StepFacts["op"], now: ResourceState | undefined, more: Partial<StepFacts> = {}): StepFacts {
    const subject = now ?? more.old;
    return {
        op,
        urn: subject?.urn ?? "",
        type: subject?.type ?? "",
        provider: "",
        old: undefined,
        now,
        keys: [],
        diffs: [],
        detailedDiff: undefined,
        logical: true,
        internal: false,
        ...more,
    };
}
const begin = (s: StepFacts): EngineEvent => ({ kind: "begin", step: s, planning: true });
const outputs = (s: StepFacts): EngineEvent => ({ kind: "outputs", step: s, planning: true });
const message = (text: string, more: Partial<Extract<EngineEvent, { kind: "diagnostic" }>> = {}): EngineEvent => ({
    kind: "diagnostic",
    severity: "info",
    urn: "",
    message: `${text}\n`,
    ephemeral: false,
    stream: 0,
    ...more,
});
/** The lines of a property diff below the URN. */
const properties = (s: StepFacts): string => show(diffDisplay, [begin(s)]).stdout.replace(/^[^]*?\[urn=[^\]]*\]\n/, "");

test.each([
    [1, "1"],
    [1e20, "100000000000000000000"],
    [1e21, "1000000000000000000000"],
    [0.1, "0.1"],
    [123456.5, "123456.5"],
    [1234567.5, "1.2345675e+06"],
    [0.0001, "0.0001"],
    [0.00001234, "1.234e-05"],
    [1.5e-300, "1.5e-300"],
])("the number %d is written as Go does it", (n, text) => {
    expect(numberText(n)).toBe(text);
});

test("texts are quoted as Go does it", () => {
    const text = "a\x07\b\v\f\x01\x7f\u00a0\u200b\ufeffé😀\u{e0001}'\"\\\n\t\r";
    expect(quote(text)).toBe(`"a\\a\\b\\v\\f\\x01\\x7f\\u00a0\\u200b\\ufeffé😀\\U000e0001'\\"\\\\\\n\\t\\r"`);
});

test("keys are aligned to the longest in bytes", () => {
    expect(properties(step("create", thing({ größe: 1, x: 2 })))).toBe("    größe  : 1\n    x      : 2\n");
});

test("a changed path that ends at a map or a list shows what is different inside", () => {
    const old = thing({}, { spec: { kind: "x", ports: [1, 2] } });
    const now = thing({ spec: { kind: "x", ports: [1, 3] } });
    const detailedDiff: StepFacts["detailedDiff"] = new Map([["spec", { kind: "update", inputDiff: false }]]);
    expect(properties(step("update", now, { old, detailedDiff }))).toBe(
        [
            "  ~ spec: {",
            '        kind : "x"',
            "      ~ ports: [",
            "            [0]: 1",
            "          ~ [1]: 2 => 3",
            "        ]",
            "    }",
            "",
        ].join("\n"),
    );
});

test("what is not in the form of a path is the name of a property", () => {
    const detailedDiff: StepFacts["detailedDiff"] = new Map([["a[b", { kind: "update", inputDiff: true }]]);
    const s = step("update", thing({ "a[b": 2 }), { old: thing({ "a[b": 1 }), detailedDiff });
    expect(properties(s)).toBe("  ~ a[b: 1 => 2\n");
});

test("properties of the machinery do not count in lists either", () => {
    const of = (n: number): ResourceState => thing({ list: [{ name: "x", __defaults: n }], size: n });
    expect(properties(step("update", of(2), { old: of(1) }))).toBe(
        '    list: [\n        [0]: {\n            name      : "x"\n        }\n    ]\n  ~ size: 1 => 2\n',
    );
});

test("hidden paths are named, and their differences are not shown", () => {
    const of = (n: number): ResourceState =>
        thing({ noise: { at: n }, size: n, token: n }, {}, { hideDiff: ["token", "noise.at"] });
    const changed: StepFacts["detailedDiff"] = new Map([
        ["noise.at", { kind: "update", inputDiff: true }],
        ["size", { kind: "update", inputDiff: true }],
    ]);
    expect(properties(step("update", of(2), { old: of(1), detailedDiff: changed }))).toBe(
        "  ~ noise.at (hidden)\n  ~ size: 1 => 2\n",
    );
    expect(properties(step("update", of(2), { old: of(1) }))).toBe(
        "  ~ noise.at (hidden)\n  ~ token (hidden)\n    noise: {\n        at: 1\n    }\n  ~ size : 1 => 2\n",
    );
});

test("long texts are cut where that is asked for", () => {
    const text = `${"x".repeat(200)}\ny\nz\nlast`;
    const { stdout } = show(diffDisplay, [begin(step("create", thing({ text })))], { truncate: true });
    expect(stdout).toContain(`text: "${"x".repeat(150)}...\\ny\\nz\\n..."`);
});

test("one secret looks like another", () => {
    const of = (secret: string, size: number): ResourceState => thing({ password: new Secret(secret), size });
    const s = step("update", of("p2", 2), { old: of("p1", 1) });
    expect(properties(s)).toBe("    password: [secret]\n  ~ size    : 1 => 2\n");
    const line = show(progressDisplay, [begin(s)]).stdout.split("\n")[0];
    expect(line).toBe(" ~  pkg:index:Thing a update [diff: ~size]");
});

test("a provider that the run has yet to make has no id", () => {
    const provider = "urn:pulumi:dev::shop::pulumi:providers:pkg::mine";
    const s = step("update", thing({}, {}, { provider: `${provider}::${UNKNOWN_ID}` }), {
        old: thing({}, {}, { provider: `${provider}::1` }),
        provider: `${provider}::${UNKNOWN_ID}`,
    });
    expect(show(diffDisplay, [begin(s)]).stdout).toContain(`[provider: ${provider}::1 => ${provider}::[unknown]]`);
});

test("a preview of stack outputs leaves out what only the run will tell", () => {
    const now = stack({
        arn: UNKNOWN,
        name: "b",
        parts: { arn: UNKNOWN, size: 2 },
        password: new Secret("p2"),
        revealed: "p2",
        box: { "@isPulumiResource": true, id: UNKNOWN, size: 1 },
    });
    const old = stack({
        arn: "arn:1",
        name: "a",
        parts: { arn: "arn:1", size: 1 },
        password: new Secret("p1"),
        revealed: new Secret("p1"),
        box: {},
    });
    const s = step("same", now, { old });
    expect(show(progressDisplay, [begin(s), outputs(s)]).stdout).toContain(
        [
            "Outputs:",
            "  ~ box     : {",
            "      + size: 1",
            "    }",
            '  ~ name    : "a" => "b"',
            "  ~ parts   : {",
            "      ~ size: 1 => 2",
            "    }",
            '  ~ revealed: [secret] => "p2"',
        ].join("\n"),
    );
});

test("messages among property diffs go to stderr", () => {
    const { stdout, stderr } = show(diffDisplay, [message("hello"), message("careful", { severity: "warning" })]);
    expect(stdout).toBe("");
    expect(stderr).toBe("hello\nwarning: careful\n");
});

test("messages of a stream are one text, empty ones are none", () => {
    const on = (text: string, more = {}): EngineEvent => message(text, { stream: 7, ...more });
    const events = [
        begin(step("create", stack({}))),
        message("  "),
        on("half a ", { severity: "warning" }),
        on("line", { severity: "warning" }),
        message("two\nlines\n\n"),
        message("of one stream\n", { stream: 8 }),
        message("and its second line\n", { stream: 8 }),
        message("not to stay", { ephemeral: true }),
    ];
    const { stdout } = show(progressDisplay, events);
    expect(stdout.slice(stdout.indexOf("Diagnostics:"))).toBe(
        [
            "Diagnostics:",
            "  pulumi:pulumi:Stack (shop-dev):",
            "    two",
            "    lines",
            "",
            "    warning: half a line",
            "",
            "    of one stream",
            "    and its second line",
            "",
            "",
        ].join("\n"),
    );
    expect(show(progressDisplay, [begin(step("create", stack({}))), message("")]).stdout).not.toContain("Diagnostics");
});

test("the stack runs as soon as something is said of it", () => {
    const violation: EngineEvent = {
        kind: "violation",
        urn: ROOT,
        violation: {
            policy: "rule",
            pack: "pack",
            packVersion: "1.0.0",
            description: "",
            message: "no\n",
            level: "advisory",
            severity: "",
            urn: ROOT,
        },
    };
    const { stdout } = show(progressDisplay, [{ kind: "policyLoad", packs: 1, done: true }, violation]);
    expect(stdout.split("\n")[1]).toBe("    pulumi:pulumi:Stack shop-dev running ");
});

test.each(["create-replacement", "delete-replaced", "import-replacement"] as const)(
    "among property diffs %s is only shown on request",
    (op) => {
        const s = step(op, thing({}), { old: thing({}), logical: false });
        expect(show(diffDisplay, [begin(s)]).stdout).toBe("");
        expect(show(diffDisplay, [begin(s)], { showReplacementSteps: true }).stdout).toContain(`(${op})`);
        expect(show(progressDisplay, [begin(s)]).stdout).toContain("pkg:index:Thing a");
    },
);

test("reads are shown among property diffs and in a digest, and are a notice of the stack elsewhere", () => {
    const s = step("read", thing({}));
    expect(show(diffDisplay, [begin(s)]).stdout).toContain("> pkg:index:Thing: (read)");
    expect(show(digestDisplay, [begin(s)]).stdout).toContain('"op": "read"');
    const { stdout } = show(progressDisplay, [begin(s)]);
    expect(stdout).toContain("pulumi:pulumi:Stack shop-dev  read pkg:index:Thing a");
    expect(stdout).not.toContain("> ");
});

test("a summary counts what changes, and reads change nothing", () => {
    const summary: EngineEvent = {
        kind: "summary",
        preview: true,
        maybeCorrupt: false,
        seconds: 1,
        changes: { same: 2, read: 1, discard: 1, "read-replacement": 1, create: 1 },
        packs: [],
        errors: 0,
        result: "succeeded",
    };
    expect(show(diffDisplay, [summary]).stdout).toBe("Resources:\n    + 1 to create\n    2 unchanged\n");
    expect(Object.keys(summary.changes).filter(isChange)).toStrictEqual(["create"]);
});

test("in a digest, what a refresh finds stands in the place of the refresh", () => {
    const [old, now] = [thing({}, { size: 1 }), thing({}, { size: 2 })];
    const detailedDiff: StepFacts["detailedDiff"] = new Map([["size", { kind: "update", inputDiff: false }]]);
    const digest = (found: StepFacts, change = {}): { steps: { op: string; newState?: ValueMap }[] } =>
        JSON.parse(show(digestDisplay, [begin(step("refresh", old, { old })), outputs(found)], change).stdout) as never;
    expect(digest(step("update", now, { old, detailedDiff })).steps).toMatchObject([
        { op: "update", newState: { outputs: { size: 2 } } },
    ]);
    expect(digest(step("delete", undefined, { old })).steps.map((s) => s.op)).toStrictEqual(["delete"]);
    expect(digest(step("same", old, { old })).steps.map((s) => s.op)).toStrictEqual(["refresh"]);
});

test("a digest can leave out the outputs of the stack, and has no characters that mean something in HTML", () => {
    const events = [begin(step("create", stack({ token: "<b>" }))), begin(step("create", thing({ text: "<a>" })))];
    expect(show(digestDisplay, events).stdout).toContain("\\u003cb\\u003e");
    const { stdout } = show(digestDisplay, events, { suppressOutputs: true });
    expect(stdout).toContain("\\u003ca\\u003e");
    expect(stdout).not.toContain("\\u003cb\\u003e");
});
