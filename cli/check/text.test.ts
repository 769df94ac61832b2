/** Output of `ack-loadbalancer check` for a person, at the widths of terminals. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { terminalOf } from "../command/output";
import { onTestFinished } from "../../test/support/finished";
import { runCheck } from "./main";

const FOLDERS = ["testdata/manifests", "testdata/public"];
const GOLDEN = "testdata/golden/check";

/** Returns the output at a width, by default that of a pipe. */
async function checked(argv: readonly string[], columns = 100, colors = false): Promise<string> {
    let text = "";
    const out = (part: string) => void (text += part);
    const stream = { columns, hasColors: () => colors };
    await runCheck(argv, { out, error: out, terminal: terminalOf(stream) });
    return text;
}

/** Texts of remedies: each with the lines into which it is wrapped. */
const remediesOf = (text: string): string[] =>
    text
        .split(/\n(?= *→| *\d+:\d+ |\S)/)
        .filter((part) => part.trimStart().startsWith("→"))
        .map((part) =>
            part
                .replaceAll(/\s+/g, " ")
                .trim()
                .replace(/^→ (?:[a-z-]+(?:, [a-z-]+)*: )?/, ""),
        );

for (const columns of [80, 120]) {
    test(`all manifests in a terminal of ${columns} columns are as in ${GOLDEN}/${columns}.txt`, async () => {
        const text = await checked(FOLDERS, columns);
        const file = path.join(GOLDEN, `${columns}.txt`);
        if (process.env["UPDATE_GOLDEN"] === "1") fs.writeFileSync(file, text);
        expect(text).toBe(fs.readFileSync(file, "utf8"));
    });
}

const EACH = FOLDERS.flatMap((folder) => fs.readdirSync(folder).map((name) => path.join(folder, name))).filter((name) =>
    name.endsWith(".yaml"),
);

test("no line is wider than the terminal, and no remedy is repeated, together or for each file", async () => {
    for (const columns of [80, 100])
        for (const argv of [FOLDERS, ...EACH.map((file) => [file])]) {
            const text = await checked(argv, columns);
            // A single word can be wider: a value of the user.
            const wide = text.split("\n").filter((line) => line.length > columns && /\S\s+\S/.test(line.trim()));
            expect([argv, wide]).toStrictEqual([argv, []]);
            const remedies = remediesOf(text);
            expect([argv, remedies.length]).toStrictEqual([argv, new Set(remedies).size]);
        }
});

test("Services with a common finding share a line, and a common remedy is at the end", async () => {
    const text = await checked(["testdata/public/06-vgroup-port-space.yaml"]);
    expect(text.match(/restrict the clients of the instance's listeners/g)).toHaveLength(1);
    expect(text).toMatch(/remedies of several findings\n {2}→ exposure-open: restrict the clients/);
});

test("annotations have their short names; --verbose gives the full keys and the sources", async () => {
    const file = "testdata/public/08-exported.yaml";
    const text = await checked([file]);
    expect(text).not.toMatch(/service\.beta\.kubernetes\.io/);
    expect(text).toMatch(/ 11:7 +advisory +pg\/front: "alicloud-loadbalancer-address-type" is the legacy name of/);
    const verbose = await checked([file, "--verbose"]);
    expect(verbose).toMatch(/service\.beta\.kubernetes\.io\/alicloud-loadbalancer-address-type/);
    expect(verbose).toMatch(/source: Configure Classic Load Balancer \(CLB\) Using Annotations, introduction/);
});

test("a terminal with colours shows the level in colour, and nothing else changes", async () => {
    const file = "testdata/manifests/04-pay-by-bandwidth.yaml";
    const colored = await checked([file], 100, true);
    expect(colored).toContain("\u001b[33madvisory\u001b[39m");
    expect(colored.replaceAll(/\u001b\[\d+m/g, "")).toBe(await checked([file]));
});

test("a hundred findings of a file are shown, mandatory ones first, and the number of the others", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-many-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const ports = Array.from({ length: 120 }, (_, n) => `{port: 0, name: p${n}}`).join(", ");
    const spec = `{type: LoadBalancer, selector: {a: b}, ports: [${ports}]}`;
    const service = `{apiVersion: v1, kind: Service, metadata: {name: web}, spec: ${spec}}`;
    fs.writeFileSync(path.join(folder, "web.yaml"), service);
    const text = await checked([folder]);
    expect(text.match(/^ +\d+:\d+ +mandatory /gm)).toHaveLength(100);
    expect(text).toMatch(/^ {2}\d+ more are not shown; --format json has all$/m);
    expect(text).toMatch(/120 mandatory/);
    const json = JSON.parse(await checked(["--format", "json", folder])) as { violations: readonly unknown[] };
    expect(json.violations.length).toBeGreaterThanOrEqual(120);
});
