import { expect, test } from "@jest/globals";
import { alignColumns, formatDiagnostic, formatSentences, printable } from ".";

const TEXTS: readonly (readonly [string, string])[] = [
    ["Service default/web, 100 % ✓ 你好", "Service default/web, 100 % ✓ 你好"],
    ["web\n##vso[task.setvariable variable=PATH]x", "web\\x0a\\x23#vso[task.setvariable variable=PATH]x"],
    ["say ##[add-path]x", "say \\x23#[add-path]x"],
    ["::error::x", "\\x3a:error::x"],
    ["  ::set-output name=a::b", "  \\x3a:set-output name=a::b"],
    ["fd00::1, a::b", "fd00::1, a::b"],
    ["# a ## b", "# a ## b"],
    ["\u001b[2J\u009b31m\r\t\u0007\u007f", "\\x1b[2J\\x9b31m\\x0d\\x09\\x07\\x7f"],
    ["a\u2028b\u202eevil\u2066", "a\\u2028b\\u202eevil\\u2066"],
];
for (const [text, expected] of TEXTS) {
    test(`printable: ${JSON.stringify(text)}`, () => {
        expect(printable(text)).toBe(expected);
        expect(printable(printable(text))).toBe(expected);
    });
}

const EVIL = "x\n##vso[evil]\u001b[1m\n::error::y";

test("no text of a diagnostic writes a line of its own", () => {
    const diagnostic = {
        code: "manifest-document",
        severity: "error",
        place: { subject: EVIL, path: ["metadata", EVIL], position: { file: `::error::${EVIL}`, line: 1, col: 2 } },
        cause: EVIL,
        remedy: EVIL,
        source: EVIL,
    } as const;
    const lines = formatDiagnostic(diagnostic).split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^\\x3a:error::/);
    expect(formatSentences(diagnostic)).not.toContain("\n");
    expect([...lines, formatSentences(diagnostic)].join("")).not.toMatch(/##vso|\u001b/);
    expect(alignColumns([[EVIL, EVIL]])).toHaveLength(1);
    expect(alignColumns([[EVIL, EVIL]])[0]).not.toMatch(/##vso|[\u001b\n]/);
});
