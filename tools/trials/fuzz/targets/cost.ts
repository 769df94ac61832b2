/** Time of the processor that manifests take by their size, in `check` and in the policy pack. */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as fc from "fast-check";
import { runCheck } from "../../../../cli/check/main";
import { configureRules } from "../../../../policies/rule/config";
import { judgeResource, judgeStack } from "../../../../policies/rule/judge";
import { RULES } from "../../../../policies/rules";
import { keyOfSetting, settingNames } from "../../../../provider/service/annotations";
import { readManifests } from "../../../../provider/service/manifests";
import { resource } from "../../../../test/support/policies/case";
import { KUBERNETES_SERVICE_TYPE } from "../../../../provider/schema/resource-types";
import { target } from "../target";

/** Length of a manifest in characters. */
const SIZE = 40 * 1024;

/** Most milliseconds of a manifest, for each of its characters. */
const MOST_MS = 1_000 / SIZE;

/** Most time of a manifest, compared with one of the same size that has plain Services only. */
const MOST = 6;

const service = (name: string, annotations: string, ports = "[{port: 80}]", more = ""): string =>
    `{apiVersion: v1, kind: Service, metadata: {name: ${name}, annotations: {${annotations}}}, ` +
    `spec: {type: LoadBalancer, selector: {a: b}, ports: ${ports}${more}}}`;

/** Repeats a part until the text around it is as long as a manifest. */
function filled(around: (parts: string) => string, part: (index: number) => string, between = ", "): string {
    const parts: string[] = [];
    for (let length = around("").length, index = 0; length < SIZE; index++) {
        const next = part(index);
        parts.push(next);
        length += next.length + between.length;
    }
    return around(parts.join(between));
}

const plain = (): string =>
    filled(
        (parts) => parts,
        (index) => service(`s${index}`, ""),
        "\n---\n",
    );

const key: fc.Arbitrary<string> = fc.oneof(
    fc.constantFrom(...settingNames).map(keyOfSetting),
    fc.constantFrom(
        "alicloud-",
        "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-",
        "service.beta.kubernetes.i/",
    ),
);

const unit = fc.oneof(
    fc.string({ minLength: 1, maxLength: 4 }),
    fc.constantFrom("a.", "-a", "-xxx", ".a", "tcp:80,", "80:443,", "a=b,", "eyJaaaaaaaa-", "://", "<", "${", " "),
);

const list = (items: string, before: string): string => `${before}apiVersion: v1\nkind: List\nitems: [${items}]\n`;

/** Kinds of manifests that have cost more than their size once, or could. */
const manifest: fc.Arbitrary<string> = fc.oneof(
    // A long value, and many entries of a list.
    fc.record({ key, unit }).map(({ key: of, unit: one }) =>
        filled(
            (value) => service("s", `"${of}": ${JSON.stringify(value)}`),
            () => one,
            "",
        ),
    ),
    // Many keys, unknown or misspelt, of one Service and of many.
    fc.record({ key, each: fc.constantFrom(1, 20, 10_000) }).map(({ key: of, each }) =>
        filled(
            (parts) => parts,
            (n) =>
                service(
                    `s${n}`,
                    Array.from({ length: Math.min(each, 800) }, (_, index) => `"${of}${index}": a`).join(", "),
                ),
            "\n---\n",
        ),
    ),
    // The same annotations by merge keys.
    fc.record({ key, some: fc.integer({ min: 1, max: 100 }) }).map(({ key: of, some }) =>
        filled(
            (items) =>
                list(items, `m: &m {${Array.from({ length: some }, (_, index) => `"${of}${index}": a`).join(", ")}}\n`),
            (index) => service(`s${index}`, "<<: *m"),
        ),
    ),
    // Aliases of Services and of ports.
    fc.constantFrom("*s", `{<<: *s}`, service("t", "", "[*p, *p, *p]")).map((part) =>
        filled(
            (items) => list(items, `p: &p {port: 80}\ns: &s ${service("s", "")}\n`),
            () => part,
        ),
    ),
    // Many ports, source ranges, labels of a selector and unknown fields.
    fc.constantFrom("{port: 0}", "{port: 80, name: a}", "x", "{port: 80, x: 1}").map((port) =>
        filled(
            (ports) => service("s", "", `[${ports}]`),
            () => port,
        ),
    ),
    fc.constantFrom("loadBalancerSourceRanges: [", "x: {", "finalizers: [").map((field) =>
        filled(
            (parts) => service("s", "", "[{port: 80}]", `, ${field}${parts}${field.endsWith("[") ? "]" : "}"}`),
            (index) => (field.endsWith("[") ? `10.0.${index % 300}.0/24` : `x${index}: a`),
        ),
    ),
);

const stars = fc.record({ part: fc.constantFrom("*", "*a", "a*", "**s"), times: fc.integer({ min: 1, max: 5_000 }) });

/** Returns the time of the processor that a call takes, in milliseconds: the least of at most three. */
async function costOf(call: () => unknown, most = 0): Promise<number> {
    let least = Infinity;
    for (let tries = 0; tries < 3 && least > most; tries++) {
        const began = process.cpuUsage();
        await call();
        const { user, system } = process.cpuUsage(began);
        least = Math.min(least, (user + system) / 1_000);
    }
    return least;
}

async function check(text: string): Promise<void> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-cost-"));
    fs.writeFileSync(path.join(folder, "a.yaml"), text);
    await runCheck([folder], { out: () => undefined, error: () => undefined }).finally(() =>
        fs.rmSync(folder, { recursive: true }),
    );
}

function judge(text: string, pattern: string): void {
    const configured = configureRules(RULES, { "exposure-open": { except: [pattern] } });
    const shown = readManifests(text).services.map(({ object }, index) =>
        resource(KUBERNETES_SERVICE_TYPE, object, { name: `s${index}` }),
    );
    for (const one of shown) judgeResource(configured, one);
    judgeStack(configured, shown);
}

/** Milliseconds for each character of plain Services, in `check` and in the pack. */
let usual: Promise<{ readonly check: number; readonly judge: number }> | undefined;

const measured = async () => ({
    check: (await costOf(() => check(plain()))) / SIZE,
    judge: (await costOf(() => judge(plain(), "*"))) / SIZE,
});

/** Returns the size of what the pack gets: aliases are written out there. */
const writtenOut = (text: string): number =>
    Math.max(SIZE, JSON.stringify(readManifests(text).services.map(({ object }) => object)).length);

export const COST = [
    target({
        name: "cost of manifests",
        good: { text: service("s", ""), pattern: { part: "*", times: 1 } },
        inputs: fc.record({ text: manifest, pattern: stars }),
        costly: true,
        take: async ({ text, pattern: { part, times } }) => {
            const { check: ofCheck, judge: ofJudge } = await (usual ??= measured());
            const limits = [
                ["check", Math.min(MOST * ofCheck, MOST_MS) * SIZE, () => check(text)],
                [
                    "the pack",
                    Math.min(MOST * ofJudge, MOST_MS) * writtenOut(text),
                    () => judge(text, part.repeat(times)),
                ],
            ] as const;
            for (const [host, most, call] of limits) {
                const cost = await costOf(call, most);
                if (cost > most)
                    throw new Error(`${host} took ${Math.round(cost)} ms, and may take ${Math.round(most)} ms`);
            }
        },
    }),
];
