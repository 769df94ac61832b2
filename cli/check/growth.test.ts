/** Time of a check: it grows with the text of the manifests, whatever they are made of. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { onTestFinished } from "../../test/support/finished";
import { runCheck } from "./main";

const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";

const times = (count: number, text: (index: number) => string, between = ""): string =>
    Array.from({ length: count }, (_, index) => text(index)).join(between);

const service = (name: string, ports: string, annotations = ""): string =>
    `{apiVersion: v1, kind: Service, metadata: {name: ${name}, annotations: {${annotations}}}, ` +
    `spec: {type: LoadBalancer, selector: {a: b}, ports: ${ports}}}`;

const list = (items: string, before = ""): string => `${before}apiVersion: v1\nkind: List\nitems: [${items}]\n`;

const object = (fields: string): string => `apiVersion: v1\nkind: Thing\n${fields}\n`;

/** A dimension of a manifest: its text at a size, and the size to begin with. */
const DIMENSIONS: readonly (readonly [string, number, (size: number) => string])[] = [
    ["documents", 20, (size) => times(size, (index) => service(`s${index}`, "[{port: 80}]"), "\n---\n")],
    ["items of a List", 20, (size) => list(times(size, (index) => service(`s${index}`, "[{port: 80}]"), ", "))],
    [
        "Services with 300 ports by aliases",
        1,
        (size) =>
            list(
                times(size, (index) => service(`s${index}`, `[${times(300, () => "*port", ", ")}]`), ", "),
                `port: &port {port: 80, name: a}\n`,
            ),
    ],
    [
        "equal ports by aliases",
        60,
        (size) => service("s", `[&p {port: 80, name: a}, ${times(size, () => "*p", ", ")}]`),
    ],
    ["ports", 60, (size) => service("s", `[${times(size, (index) => `{port: ${index + 1}, name: p${index}}`, ", ")}]`)],
    [
        "wrong annotations",
        10,
        (size) =>
            service(
                "s",
                "[{port: 80}]",
                times(size, (n) => `${PREFIX}x${n}: a`, ", "),
            ),
    ],
    [
        "other annotations",
        2_000,
        (size) =>
            service(
                "s",
                "[{port: 80}]",
                times(size, (index) => `x${index}: a`, ", "),
            ),
    ],
    ["wrong documents", 300, (size) => times(size, () => "a\n---\n")],
    ["syntax errors", 100, (size) => times(size, () => "a: [\n---\n")],
    ["keys", 2_000, (size) => object(times(size, (index) => `k${index}: v\n`))],
    ["repeated keys", 300, (size) => object(times(size, () => "k: v\n"))],
    ["aliases", 600, (size) => object(`a: &a 1\nb: [${times(size, () => "*a", ", ")}]`)],
    ["aliases of an empty list", 500, (size) => object(`a: &a []\nb: [${times(size, () => "*a", ", ")}]`)],
    ["anchors", 60, (size) => object(`a: [${times(size, (index) => `&a${index} x, *a${index}`, ", ")}]`)],
    ["merges", 600, (size) => object(`a: &a {b: c}\nd: [${times(size, () => "{<<: *a, e: f}", ", ")}]`)],
    ["depth", 100, (size) => object(`a: ${"[".repeat(size)}${"]".repeat(size)}`)],
];

/** Returns the time of the processor that a check takes, in seconds. */
async function cost(text: string): Promise<number> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-growth-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    fs.writeFileSync(path.join(folder, "a.yaml"), text);
    const began = process.cpuUsage();
    expect(await runCheck([folder], { out: () => undefined, error: () => undefined })).toBeLessThanOrEqual(2);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1e6;
}

const GROWTH = 16;

for (const [what, size, text] of DIMENSIONS) {
    test(`the time of a check grows with the manifests, not with the square of their ${what}`, async () => {
        // The first times compile, and other work of a process only adds: the least time counts.
        const small = Math.min(...[await cost(text(size)), await cost(text(size)), await cost(text(size))]);
        // Far from linear growth and from quadratic growth.
        const most = small * GROWTH * 2.5;
        let large = Infinity;
        for (let tries = 0; tries < 5 && large > most; tries++)
            large = Math.min(large, await cost(text(size * GROWTH)));
        expect(large).toBeLessThanOrEqual(most);
    });
}
