import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type FieldPath, formatDiagnostic, formatPath, formatPosition } from "../../diagnostics";
import { readManifests } from ".";

const service = (name: string): string => `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n`;

function summary(text: string): { services: string[]; others: string[]; diagnostics: string[] } {
    const { services, others, diagnostics } = readManifests(text, "f.yaml");
    return {
        services: services.map((document) => document.subject),
        others: others.map((document) => document.subject),
        diagnostics: diagnostics.map(
            (diagnostic) =>
                `${diagnostic.place.position === undefined ? "?" : formatPosition(diagnostic.place.position)} ` +
                diagnostic.code,
        ),
    };
}

const bomb = [
    "a: &a [x,x,x,x,x,x,x,x,x,x]",
    ..."bcdefgh".split("").map((key, index) => `${key}: &${key} [${Array(10).fill(`*${"abcdefg"[index]}`).join(",")}]`),
].join("\n");

const texts: readonly [name: string, text: string, expected: ReturnType<typeof summary>][] = [
    ["nothing", "", { services: [], others: [], diagnostics: [] }],
    ["empty documents", "---\n---\n# only a comment\n---\nnull\n", { services: [], others: [], diagnostics: [] }],
    [
        "several documents",
        `${service("a")}---\n${service("b")}  namespace: x\n---\n` +
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n",
        { services: ["Service default/a", "Service x/b"], others: ["Deployment default/d"], diagnostics: [] },
    ],
    [
        "JSON",
        `{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "j"}}`,
        { services: ["Service default/j"], others: [], diagnostics: [] },
    ],
    [
        "files with byte order marks, one after the other",
        `\uFEFF${service("a")}---\n\uFEFF${service("b")}`,
        { services: ["Service default/a", "Service default/b"], others: [], diagnostics: [] },
    ],
    [
        "a byte order mark, which no editor shows, and a wrong first line",
        "\uFEFF- 7\n",
        { services: [], others: [], diagnostics: ["f.yaml:1:1 manifest-document"] },
    ],
    [
        "a list",
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata: {name: " +
            "a}\n- 7\n- apiVersion: v1\n  kind: List\n  items: [{apiVersion: v1, kind: Pod, metadata: " +
            "{name: p}}]\n",
        { services: ["Service default/a"], others: ["Pod default/p"], diagnostics: ["f.yaml:7:3 manifest-document"] },
    ],
    ["an empty list", "apiVersion: v1\nkind: List\nitems:\n", { services: [], others: [], diagnostics: [] }],
    [
        "a list whose items are none",
        "apiVersion: v1\nkind: List\nitems: 5\n",
        { services: [], others: [], diagnostics: ["f.yaml:3:8 manifest-document"] },
    ],
    [
        "a Service of another API",
        "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: k}\n",
        { services: [], others: ["Service default/k"], diagnostics: [] },
    ],
    [
        "no name",
        "apiVersion: v1\nkind: Service\n",
        { services: ["Service default/(no name)"], others: [], diagnostics: [] },
    ],
    ["not an object", "- a\n- b\n", { services: [], others: [], diagnostics: ["f.yaml:1:1 manifest-document"] }],
    ["a bare word", "hello", { services: [], others: [], diagnostics: ["f.yaml:1:1 manifest-document"] }],
    ["no kind", "\napiVersion: v1\n", { services: [], others: [], diagnostics: ["f.yaml:2:1 manifest-document"] }],
    ["no apiVersion", "kind: Service\n", { services: [], others: [], diagnostics: ["f.yaml:1:1 manifest-document"] }],
    [
        "duplicate keys",
        `${service("a")}  name: b\n`,
        { services: [], others: [], diagnostics: ["f.yaml:5:3 manifest-syntax"] },
    ],
    [
        "a syntax error does not hide the other documents",
        `a: [1,\n---\n${service("b")}`,
        { services: ["Service default/b"], others: [], diagnostics: ["f.yaml:2:1 manifest-syntax"] },
    ],
    [
        "an unknown tag",
        "apiVersion: v1\nkind: !Secret Service\n",
        { services: [], others: [], diagnostics: ["f.yaml:2:7 manifest-syntax"] },
    ],
    [
        "an alias without anchor",
        "a: *nowhere\n",
        { services: [], others: [], diagnostics: ["f.yaml:1:4 manifest-syntax"] },
    ],
    ["an alias bomb", bomb, { services: [], others: [], diagnostics: ["f.yaml:1:1 manifest-syntax"] }],
];

for (const [name, text, expected] of texts) {
    test(`read: ${name}`, () => expect(summary(text)).toStrictEqual(expected));
}

test("nesting too deep for the parser is an issue", () => {
    const { diagnostics } = readManifests("[".repeat(200_000));
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(
        diagnostics.every(
            (diagnostic) => diagnostic.code === "manifest-syntax" && diagnostic.place.position !== undefined,
        ),
    ).toBeTruthy();
});

test("reading never throws, and every diagnostic has a position", () => {
    const yamlish = fc
        .array(
            fc.constantFrom(
                "a",
                ":",
                " ",
                "\n",
                "-",
                "  ",
                "*a",
                "&a",
                "[",
                "]",
                "{",
                "}",
                "'",
                '"',
                "---\n",
                "...",
                "!!x ",
                "#",
                "|",
                ">",
                "<<: ",
                "? ",
                "%YAML 1.2\n",
                "\t",
                "é",
                "apiVersion: v1\n",
                "kind: List\n",
                "items:\n",
            ),
        )
        .map((parts) => parts.join(""));
    fc.assert(
        fc.property(fc.oneof(fc.string({ unit: "binary" }), yamlish), (text) => {
            const { diagnostics } = readManifests(text, "x");
            for (const diagnostic of diagnostics)
                expect(
                    Math.min(diagnostic.place.position?.line ?? 0, diagnostic.place.position?.col ?? 0),
                ).toBeGreaterThan(0);
        }),
        { numRuns: 2000 },
    );
});

const located = `apiVersion: v1
kind: Service
metadata:
  annotations: &shared
    a/b: "x"
    c/d: on
spec:
  ports:
  - port: 80
  more: *shared
  merged:
    <<: *shared
    own: 1
`;

const positions: readonly [FieldPath, "key" | "value", string][] = [
    [[], "value", "1:1"],
    [["metadata", "annotations", "a/b"], "value", "5:10"],
    [["metadata", "annotations", "a/b"], "key", "5:5"],
    [["spec", "ports", 0, "port"], "value", "9:11"],
    [["spec", "ports", 0, "targetPort"], "value", "9:5"],
    [["spec", "ports", 7], "value", "8:3"],
    [["spec", "selector"], "value", "7:1"],
    [["status", "loadBalancer"], "value", "1:1"],
    [["spec", "more", "c/d"], "value", "6:10"],
    [["spec", "merged", "c/d"], "key", "6:5"],
    [["spec", "merged", "own"], "value", "13:10"],
];

test("fields are located, missing ones at what should hold them", () => {
    const [document] = readManifests(located).services;
    for (const [path, part, expected] of positions) {
        const at = document?.locate(path, part);
        expect([formatPath(path), at === undefined ? undefined : formatPosition(at)]).toStrictEqual([
            formatPath(path),
            expected,
        ]);
    }
});

test("scalars are also known as they were written", () => {
    const [document] = readManifests(located).services;
    expect(document?.written(["metadata", "annotations", "c/d"])).toBe("on");
    expect(document?.written(["metadata"])).toBeUndefined();
});

test("a text that is no UTF-8 is refused as that, and none is quoted at length", () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(service("a"), "utf16le")]);
    for (const text of [utf16.toString("utf8"), Buffer.from(service("a"), "utf16le").toString("utf8")]) {
        const { services, diagnostics } = readManifests(text, "a.yaml");
        expect(services).toStrictEqual([]);
        expect(diagnostics.map(({ cause }) => cause)).toStrictEqual([expect.stringMatching(/looks like UTF-16/)]);
    }
    const [problem] = readManifests("word ".repeat(1000)).diagnostics;
    expect(problem?.cause).toMatch(/^expected a Kubernetes object, found the string "word /);
    expect(problem?.cause.length).toBeLessThan(150);
});

test("a directive that Kubernetes does not know is not called a tag", () => {
    const [problem] = readManifests(`%YAML 1.3\n---\n${service("a")}`).diagnostics;
    expect(problem?.cause).toBe("Unsupported YAML version 1.3");
    expect(problem?.remedy).toBe("remove it; Kubernetes does not know it either");
});

test("an anchor may be used as often as a folder has Services", () => {
    const items = Array.from({ length: 500 }, () => "- { metadata: { annotations: { a: *text } } }");
    const text = `x: &text intranet\napiVersion: v1\nkind: List\nitems:\n${items.join("\n")}\n`;
    expect(readManifests(text).diagnostics.every(({ cause }) => /has no kind/.test(cause))).toBe(true);
});

const SELVES: readonly (readonly [string, string, string])[] = [
    ["a list among its own items", "&a\napiVersion: v1\nkind: List\nitems: [*a]\n", "f.yaml:4:9"],
    ["a List that is its own item", "&a {apiVersion: v1, kind: List, items: [*a]}", "f.yaml:1:41"],
    ["annotations in themselves", `${service("a")}  annotations: &x {a: *x}\n`, "f.yaml:5:23"],
    ["a port in itself", `${service("a")}spec: {ports: [{port: &x [*x]}]}\n`, "f.yaml:5:27"],
    ["a selector in itself, deep down", `${service("a")}spec: {selector: &x {a: [{b: *x}]}}\n`, "f.yaml:5:30"],
    ["a key in itself", `${service("a")}spec: &x {? *x : 1}\n`, "f.yaml:5:13"],
    ["a merge of itself", `${service("a")}spec: &x {<<: *x}\n`, "f.yaml:5:15"],
    ["an anchor that was another's before", "a: &x 1\nb: &x [*x]\n", "f.yaml:2:8"],
];
for (const [what, text, at] of SELVES) {
    test(`YAML that refers to itself is a diagnostic, and the other documents are read: ${what}`, () => {
        const { services, diagnostics } = readManifests(`${text}\n---\n${service("other")}`, "f.yaml");
        expect(services.map(({ subject }) => subject)).toStrictEqual(["Service default/other"]);
        expect(diagnostics).toHaveLength(1);
        const [problem] = diagnostics;
        expect(problem?.cause).toMatch(/the alias is inside the value that its anchor names/);
        expect(problem?.place.position && formatPosition(problem.place.position)).toBe(at);
    });
}

test("an alias of an anchor beside it is none that refers to itself", () => {
    const text = `${service("a")}  annotations: {x: &x {y: &y 1}, z: *x}\nspec: {a: &x [*y], b: *x}\n`;
    expect(readManifests(text).diagnostics).toStrictEqual([]);
});

test("what is quoted of a value is short, and without secrets", () => {
    const environment =
        "PATH=/usr/bin\u0000ALIBABA_CLOUD_ACCESS_KEY_SECRET=abcdefghijkl\u0000PULUMI_CONFIG_PASSPHRASE=correct";
    const causes = [
        environment,
        "ALIBABA_CLOUD_ACCESS_KEY_SECRET=abcdefghijkl",
        "https://me:hunter2hunter2@git.example.com",
    ].flatMap((text) => readManifests(`"${text.replaceAll("\u0000", "\\0")}"`).diagnostics.map(({ cause }) => cause));
    expect(causes).toHaveLength(3);
    for (const cause of causes) {
        expect(cause).not.toMatch(/abcd|corr|hunt/);
        expect(cause.length).toBeLessThan(120);
    }
});

test("a text of more than 3 MB is refused as that", () => {
    const long = readManifests(`a: ${"x".repeat(3 * 1024 * 1024)}`, "f.yaml");
    expect(long.diagnostics.map(({ cause }) => cause)).toStrictEqual(["it holds 4 MB, and at most 3 MB are read"]);
});

test("aliases of all documents of a text may stand for 40,000 values together", () => {
    const aliases = (count: number): string => `x: &x 1\ny: [${Array(count).fill("*x").join(", ")}]\n`;
    const nested = `x: &x [${Array(99).fill("1").join(", ")}]\ny: [${Array(380).fill("*x").join(", ")}]\n`;
    const few = readManifests(`${service("a")}${aliases(1_000)}---\n${service("b")}${nested}`, "f.yaml");
    expect([few.services.length, few.diagnostics]).toStrictEqual([2, []]);
    const many = readManifests(`${service("a")}${nested}---\n${service("b")}${nested}---\n${service("c")}`, "f.yaml");
    expect(many.diagnostics.map(({ cause }) => cause)).toStrictEqual([
        "the aliases up to here stand for more than 40000 values",
    ]);
    expect(many.services.map(({ subject }) => subject)).toStrictEqual(["Service default/a", "Service default/c"]);
});

const KEYS: readonly (readonly [string, string, string])[] = [
    ["a text", "a: 1\nb: 2\na: 3\n", 'f.yaml:3:1: error[manifest-syntax]: f.yaml: the key "a" is there twice'],
    [
        "a number and its text",
        '{1: a, "1": b}',
        'f.yaml:1:8: error[manifest-syntax]: f.yaml: the key "1" is there twice',
    ],
    ["an alias", "a: &x b\n*x : 1\nb: 2\n", 'f.yaml:3:1: error[manifest-syntax]: f.yaml: the key "b" is there twice'],
    ["a list", "? [a]\n: 1\n", "f.yaml:1:3: error[manifest-syntax]: f.yaml: a key is a list or a mapping"],
    [
        "an alias of a mapping",
        "a: &x {}\n*x : 1\n",
        "f.yaml:2:1: error[manifest-syntax]: f.yaml: a key is a list or a mapping",
    ],
];
for (const [what, text, expected] of KEYS) {
    test(`a key that an object cannot have twice, or at all, is a syntax error: ${what}`, () => {
        const [problem, ...more] = readManifests(text, "f.yaml").diagnostics;
        expect(problem && formatDiagnostic(problem).split("\n")[0]).toBe(expected);
        expect(more).toStrictEqual([]);
    });
}

test("several merge keys of a mapping are no repeated key", () => {
    const text = `${service("a")}x: &x {a: 1}\ny: &y {b: 2}\nz: {<<: *x, <<: *y}\n`;
    const { services, diagnostics } = readManifests(text);
    expect(diagnostics).toStrictEqual([]);
    expect(services[0]?.object).toHaveProperty("z", { a: 1, b: 2 });
});

const scalars: readonly [string, unknown][] = [
    ["on", true],
    ["off", false],
    ["yes", true],
    ["80:43", "80:43"],
    ["2020-08-10", "2020-08-10"],
    ["0x10", 16],
    ["1.5", 1.5],
    ['"on"', "on"],
    ["~", null],
];

test("scalars mean what they mean to Kubernetes", () => {
    for (const [text, value] of scalars) {
        const [document] = readManifests(`${service("a")}x: ${text}\n`).services;
        expect([text, (document?.object as { x: unknown }).x]).toStrictEqual([text, value]);
    }
});

test("paths are printed as people write them", () => {
    expect(formatPath(["metadata", "annotations", 'a/"b"', 0, "x"])).toBe('metadata.annotations["a/\\"b\\""][0].x');
});
