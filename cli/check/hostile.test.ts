/** Manifests of strangers, as a pull request brings them: what a pipeline prints of them, and how long it takes. */
import { beforeEach, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { onTestFinished } from "../../test/support/finished";
import { runCheck } from "./main";

let folder: string;
beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-hostile-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
});

const write = (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text);

async function check(...argv: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
    let text = "";
    const take = (more: string): void => void (text += more);
    const code = await runCheck(argv, { out: take, error: take });
    return { code, text };
}

const EVIL = "web\n##vso[task.setvariable variable=PATH]x\n::error::x\u001b[2J\u009b1m";

/** A Service with a text in every place that is quoted. */
const service = (text: string): string =>
    JSON.stringify({
        apiVersion: "v1",
        kind: "Service",
        metadata: {
            name: text,
            namespace: text,
            annotations: {
                [`service.beta.kubernetes.io/alibaba-cloud-loadbalancer-${text}`]: "on",
                "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-additional-resource-tags": `${text}=1,${text}=2`,
                "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-domain-extensions": `${text}:crt-1`,
                "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-preserve-lb-on-delete": text,
            },
        },
        spec: {
            type: "LoadBalancer",
            loadBalancerClass: text,
            externalTrafficPolicy: text,
            loadBalancerSourceRanges: [text],
            selector: { a: "b" },
            ports: [{ port: 80, name: text, targetPort: text, protocol: text }],
        },
    });

for (const format of ["text", "junit", "json", "sarif"]) {
    test(`texts of manifests add no line, command or escape sequence to the output: ${format}`, async () => {
        write("::error::a.yaml", service(EVIL));
        write("b.yaml", `- ${JSON.stringify(EVIL)}`);
        write("c.yaml", JSON.stringify(EVIL));
        const { code, text } = await check("--format", format, folder);
        expect(code).toBe(2);
        expect(text).toContain("task.setvariable");
        if (format === "json") expect(JSON.stringify(JSON.parse(text))).toContain("##vso[");
        for (const line of text.split("\n")) expect(line).not.toMatch(/^\s*(?:##|::)/);
        expect(text).not.toMatch(/##vso|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    });
}

for (const [kind, argv] of [
    ["folder", (): string[] => [folder]],
    ["file", (): string[] => [path.join(folder, "x.yaml")]],
] as const) {
    test(`a link to the environment of the process prints none of it: ${kind}`, async () => {
        write("good.yaml", "");
        fs.symlinkSync("/proc/self/environ", path.join(folder, "x.yaml"));
        const { code, text } = await check(...argv());
        expect(code).toBe(2);
        expect(text).toMatch(/x\.yaml: cannot be read: it is a link out of its folder/);
        expect(text).not.toContain(process.env["PATH"]?.slice(0, 12));
    });
}

test("one file of YAML that refers to itself stops the check of no other", async () => {
    write("a.yaml", "&a {apiVersion: v1, kind: List, items: [*a]}");
    write("b.yaml", service("web"));
    const { code, text } = await check(folder);
    expect(code).toBe(2);
    expect(text).toMatch(/a\.yaml:1:41: error\[manifest-syntax\].*the alias is inside/);
    expect(text).toMatch(/checked: 1 Service$/m);
});

const SLOW: readonly (readonly [string, () => string])[] = [
    [
        "20,000 ports",
        () =>
            JSON.stringify({
                apiVersion: "v1",
                kind: "Service",
                metadata: { name: "web" },
                spec: {
                    type: "LoadBalancer",
                    selector: { a: "b" },
                    ports: Array.from({ length: 20_000 }, (_, index) => ({ port: index + 1, name: `p${index}` })),
                },
            }),
    ],
    ["1,000 copies of one Service", () => Array.from({ length: 1_000 }, () => service("web")).join("\n---\n")],
    ["100,000 diagnostics", () => "a\n---\n".repeat(100_000)],
    [
        "an annotation of 200,000 blanks",
        () =>
            JSON.stringify({
                apiVersion: "v1",
                kind: "Service",
                metadata: {
                    name: "web",
                    annotations: {
                        "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-preserve-lb-on-delete": `${" ".repeat(200_000)}x`,
                    },
                },
                spec: { type: "LoadBalancer", selector: { a: "b" }, ports: [{ port: 80 }] },
            }),
    ],
    ["50,000 anchors", () => `a:\n${Array.from({ length: 50_000 }, (_, index) => `- &a${index} x`).join("\n")}`],
];
for (const [what, text] of SLOW) {
    test(`${what}: takes seconds of the processor`, async () => {
        write("a.yaml", text());
        const began = process.cpuUsage();
        expect((await check(folder)).code).toBeLessThanOrEqual(2);
        const { user, system } = process.cpuUsage(began);
        expect((user + system) / 1e6).toBeLessThan(30);
    });
}
