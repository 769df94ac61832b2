/**
 * `ack-loadbalancer report` on recorded previews: golden files, gates and bad input. `UPDATE_GOLDEN=1` writes the
 * golden files anew.
 */
import { afterAll, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { REPORT } from "./model";
import { runReport } from "./main";

const PREVIEWS = path.join(__dirname, "../../testdata/previews");
const GOLDEN = path.join(__dirname, "../../testdata/golden/reports");

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-lb-report-"));
afterAll(() => void fs.rmSync(folder, { recursive: true }));

async function report(...argv: string[]): Promise<{ code: number; out: string; error: string }> {
    const text = { out: "", error: "" };
    const output = {
        out: (part: string) => void (text.out += part),
        error: (part: string) => void (text.error += part),
    };
    const code = await runReport(argv, output);
    return { code, ...text };
}

const preview = (name: string): string => path.join(PREVIEWS, `${name}.json`);

/** A file of the test's folder. */
function file(name: string, content: unknown): string {
    const full = path.join(folder, name);
    fs.writeFileSync(full, typeof content === "string" ? content : JSON.stringify(content));
    return full;
}

const NAMES = fs.readdirSync(PREVIEWS).map((name) => path.basename(name, ".json"));

for (const name of NAMES) {
    for (const [format, ending] of [
        ["text", "txt"],
        ["markdown", "md"],
    ] as const) {
        test(`the ${format} report on ${name} is as recorded`, async () => {
            const { code, out, error } = await report(preview(name), "--format", format);
            expect([code, error]).toStrictEqual([0, ""]);
            const golden = path.join(GOLDEN, `${name}.${ending}`);
            if (process.env["UPDATE_GOLDEN"] === "1") fs.writeFileSync(golden, out);
            expect(out).toBe(fs.readFileSync(golden, "utf8"));
        });
    }

    test(`the JSON report on ${name} fits its schema`, async () => {
        const { code, out } = await report(preview(name), "--format", "json");
        expect(code).toBe(0);
        const parsed = JSON.parse(out) as unknown;
        expect(REPORT.parse(parsed)).toStrictEqual(parsed);
    });
}

const VERDICTS: Readonly<Record<string, readonly [string, string]>> = {
    quickstart: ["creates", ""],
    nothing: ["nothing", ""],
    "local-scale": ["backends-only", ""],
    certificate: ["in-place", ""],
    protocol: ["replaces-listener", ""],
    rename: ["deletes", "203.0.113.11"],
    "address-type": ["replaces-address", "203.0.113.11"],
    deletion: ["deletes", "203.0.113.11"],
    preserved: ["deletes", ""],
    reuse: ["creates", ""],
    "reuse-deletion": ["deletes", ""],
    "nlb-zone": ["interrupts", "203.0.113.12"],
    nlb: ["creates", ""],
    refusal: ["nothing", ""],
};

test("every recorded preview has a verdict in the table", () => {
    expect(NAMES.filter((name) => !(name in VERDICTS))).toStrictEqual([]);
});

for (const [name, [verdict, released]] of Object.entries(VERDICTS)) {
    test(`the verdict on ${name} is ${verdict}`, async () => {
        const { out } = await report(preview(name), "--format", "json");
        const result = REPORT.parse(JSON.parse(out));
        expect(result.verdict).toBe(verdict);
        expect(result.losses.map(({ address }) => address).join()).toBe(released);
    });
}

test("a gate gives exit code 1 at its verdict or a graver one, and the report is still printed", async () => {
    const gate = async (name: string, ...gates: string[]): Promise<number> =>
        (await report(preview(name), ...gates.flatMap((one) => ["--fail-on", one]))).code;
    expect(await gate("certificate", "interrupts")).toBe(0);
    expect(await gate("nlb-zone", "interrupts")).toBe(1);
    expect(await gate("protocol", "interrupts")).toBe(1);
    expect(await gate("protocol", "replaces-address")).toBe(0);
    expect(await gate("protocol", "replaces-address,interrupts")).toBe(1);
    expect(await gate("preserved", "address-released")).toBe(0);
    expect(await gate("deletion", "replaces-address", "address-released")).toBe(1);
    const { out: wrapped, error } = await report(preview("rename"), "--fail-on", "address-released");
    const out = wrapped.replaceAll(/\s+/g, " ");
    expect(out).toMatch(
        /^PUBLIC ADDRESS RELEASED: 203\.0\.113\.11 of Service default\/shop-local: .*looks like a rename/,
    );
    expect(out).toMatch(/remedy: keep the name default\/shop-local: .* a stack has no setting that moves them/);
    expect(error).toBe("gate reached: address-released\n");
});

test("violations of rules stand at their Service, and a mandatory one is a gate", async () => {
    const strict = file("strict.json", { "exposure-open": "mandatory" });
    const { code, out } = await report(
        preview("nothing"),
        "--config",
        strict,
        "--fail-on",
        "violations",
        "--format",
        "json",
    );
    expect(code).toBe(1);
    const { subjects } = REPORT.parse(JSON.parse(out));
    expect(subjects.map(({ findings }) => findings.some(({ rule }) => rule === "exposure-open"))).toStrictEqual([
        true,
        true,
    ]);
    expect((await report(preview("nothing"), "--fail-on", "violations")).code).toBe(0);
});

test("a deletion that releases a public address violates address-released and address-protected", async () => {
    const rules = async (name: string, config: object): Promise<readonly (string | null)[]> => {
        const { out } = await report(preview(name), "--config", file("rules.json", config), "--format", "json");
        const { subjects } = REPORT.parse(JSON.parse(out));
        return subjects
            .flatMap(({ findings }) => findings.map(({ rule }) => rule))
            .filter((rule) => rule?.startsWith("address-"));
    };
    expect(await rules("deletion", {})).toStrictEqual(["address-released"]);
    expect(await rules("rename", {})).toStrictEqual(["address-released"]);
    expect(await rules("nlb-zone", {})).toStrictEqual(["address-released"]);
    expect(await rules("address-type", {})).toStrictEqual(["address-released"]);
    for (const name of ["preserved", "reuse-deletion", "nothing", "protocol"])
        expect(await rules(name, {})).toStrictEqual([]);
    const named = { "address-protected": { services: ["default/*"] } };
    expect(new Set(await rules("deletion", named))).toStrictEqual(new Set(["address-protected", "address-released"]));
    const check = await report(preview("deletion"), "--config", file("rules.json", named), "--fail-on", "violations");
    expect(check.code).toBe(1);
    const labelled = fs
        .readFileSync(preview("deletion"), "utf8")
        .replaceAll(
            '"service": "default/shop-local",',
            '"service": "default/shop-local", "labels": {"ack-loadbalancer.io/critical": "true"},',
        );
    expect((await report(file("labelled.json", labelled), "--fail-on", "violations")).code).toBe(1);
    expect(await rules("deletion", { "address-released": { except: ["default/shop-local"] } })).toStrictEqual([]);
});

test("addresses are released, although a run that failed has recorded what it asked for", async () => {
    const digest = JSON.parse(fs.readFileSync(preview("nlb-zone"), "utf8")) as {
        readonly steps: readonly {
            readonly urn: string;
            readonly oldState: { readonly inputs: object };
            readonly newState: { readonly inputs: object };
        }[];
    };
    for (const { urn, oldState, newState } of digest.steps) {
        if (/ServiceLoadBalancer::/.test(urn))
            for (const { inputs } of [oldState, newState]) Object.assign(inputs, { addressType: "intranet" });
        if (/LoadBalancerZones::/.test(urn)) Object.assign(newState.inputs, { addressType: "Intranet" });
    }
    const { out } = await report(file("failed.json", JSON.stringify(digest)), "--format", "json");
    expect(REPORT.parse(JSON.parse(out)).losses.map(({ address }) => address)).toStrictEqual([
        "203.0.113.12, 203.0.113.13",
    ]);
});

test("a cluster that cannot be read costs the names of backends, not the report", async () => {
    const { code, out, error } = await report(preview("local-scale"), "--kubeconfig", path.join(folder, "none"));
    expect([code, out]).toStrictEqual([0, (await report(preview("local-scale"))).out]);
    expect(error).toMatch(/^backends have no names:\nKubernetes: read the kubeconfig failed/);
});

test("a release is told at the top and not again among the findings, and a remedy once", async () => {
    const { out: wrapped } = await report(preview("deletion"));
    const out = wrapped.replaceAll(/\s+/g, " ");
    expect(out.match(/203\.0\.113\.11 .*it is deleted, and its load balancer with it/g)).toHaveLength(1);
    const changed = await report(preview("address-type"));
    expect(changed.out).not.toMatch(/address-released/);
    expect(changed.out.match(/remedy: put addressType back/g)).toHaveLength(1);
    const named = { "address-protected": { services: ["default/*"] } };
    const guarded = await report(preview("deletion"), "--config", file("guarded.json", named));
    expect(guarded.out).toMatch(/error\[address-protected\]/);
    expect(guarded.out.match(/remedy: keep the Service, or set the annotation/g)).toHaveLength(1);
});

test("advice that a Service had before is left out, and unchanged Services are named in one line", async () => {
    const { out } = await report(preview("nothing"));
    expect(out).toMatch(
        /^ack-loadbalancer\/dev: nothing changes for 2 Services\n\nUnchanged: Service default\/shop-local, Service default\/shop-web\n/,
    );
});

test("a failed preview has a first line that says so, and the failure is listed at its Service", async () => {
    const { out, code } = await report(preview("refusal"), "--fail-on", "violations");
    expect([code, out.split("\n", 1)[0]]).toStrictEqual([
        1,
        "ack-loadbalancer/dev: the preview failed: 1 of 2 Services refused",
    ]);

    const own = JSON.parse(fs.readFileSync(preview("nothing"), "utf8")) as { diagnostics?: object[] };
    const failing = (urn: string) => ({ severity: "error", message: "error: the cloud cannot be read\n", urn });
    own.diagnostics = [
        failing(
            "urn:pulumi:dev::ack-loadbalancer::ack-loadbalancer:index:ServiceLoadBalancer$pulumi-nodejs:dynamic/" +
                "ack-loadbalancer:ServiceContract::default/shop-web/tcp-80",
        ),
        failing("urn:pulumi:dev::ack-loadbalancer::pulumi:pulumi:Stack::ack-loadbalancer-dev"),
    ];
    const { out: text } = await report(file("failing.json", own));
    expect(text).toMatch(/^Service default\/shop-web: refused\n(?: {2}.*\n)+ {4}error: the cloud cannot be read$/m);
    expect(text).toMatch(/^Findings that belong to no Service\n {4}error: the cloud cannot be read$/m);
});

test("a warning, which the log prints without its severity, keeps its code and its place", async () => {
    const own = JSON.parse(fs.readFileSync(preview("nothing"), "utf8")) as { diagnostics?: object[] };
    own.diagnostics = [
        {
            severity: "warning",
            message:
                "warning: web.yaml:7:5: [annotation-scope] Service default/shop-web: has no effect\n    remedy: no\n",
            urn: "urn:pulumi:dev::ack-loadbalancer::ack-loadbalancer:index:ServiceLoadBalancer::default/shop-web",
        },
    ];
    const { subjects } = REPORT.parse(JSON.parse((await report(file("warned.json", own), "--format", "json")).out));
    const found = subjects.flatMap(({ findings }) => findings).find(({ rule }) => rule === "annotation-scope");
    expect(found).toMatchObject({ severity: "warning", position: "web.yaml:7:5", remedy: "no" });
});

test("a failure is listed at its Service even if the component has another name", async () => {
    const text = fs.readFileSync(preview("local-scale"), "utf8");
    const own = JSON.parse(text.replaceAll("::default/shop-local", "::storefront")) as { diagnostics?: object[] };
    const contract =
        "ack-loadbalancer:index:ServiceLoadBalancer$pulumi-nodejs:dynamic/ack-loadbalancer:ServiceContract";
    own.diagnostics = ["storefront", "storefront/tcp-80", "storefront2"].map((name) => ({
        severity: "error",
        message: `error: ${name} is refused\n`,
        urn: `urn:pulumi:dev::ack-loadbalancer::${contract}::${name}`,
    }));
    const renamed = file("component.json", own);
    const { subjects, findings } = REPORT.parse(JSON.parse((await report(renamed, "--format", "json")).out));
    const local = subjects.find(({ subject }) => subject === "Service default/shop-local");
    const failures = local?.findings.filter(({ rule }) => rule === null) ?? [];
    expect(failures.map(({ message }) => message)).toStrictEqual([
        "storefront is refused",
        "storefront/tcp-80 is refused",
    ]);
    const others = findings.filter(({ rule }) => rule === null);
    expect(others.map(({ message }) => message)).toStrictEqual(["storefront2 is refused"]);
    const before = REPORT.parse(JSON.parse((await report(preview("local-scale"), "--format", "json")).out));
    const groups = before.subjects.find(({ subject }) => subject === "Service default/shop-local")?.groups;
    expect(local?.groups).toStrictEqual(groups);
});

/** A preview that failed before any Service was registered, with the message of a run. */
const failedPreview = (message: string): object => ({
    steps: [
        {
            op: "create",
            urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev",
            newState: { type: "pulumi:pulumi:Stack" },
        },
    ],
    diagnostics: ["error: ", "error: an unhandled error occurred: "].map((prefix) => ({
        severity: "error",
        message: `${prefix}the manifests have problems; nothing was changed.\n${message}\n`,
    })),
});

test("a preview that failed has a report: each finding once, with its place", async () => {
    const typo =
        "services.yaml:7:5: error[annotation-unknown]: Service shop/web: there is no annotation schedulr\n" +
        "    remedy: did you mean scheduler?\n    source: Configure CLB\n" +
        'services.yaml:25:73: error[annotation-value]: Service shop/api: "Internet" is not valid\n' +
        '    remedy: write "internet"';
    const failing = file("typo.json", failedPreview(typo));
    const { code, out, error } = await report(failing);
    expect([code, error]).toStrictEqual([0, ""]);
    expect(out.split("\n", 1)[0]).toBe("shop/dev: the preview failed: 2 of 2 Services refused");
    expect(out.match(/error\[annotation-unknown\]: services\.yaml:7:5: Service shop\/web: there is no/g)).toHaveLength(
        1,
    );
    expect(out.match(/error\[annotation-value\]: services\.yaml:25:73: Service shop\/api/g)).toHaveLength(1);
    expect(out).toMatch(/remedy: did you mean scheduler\?/);
    const { findings } = REPORT.parse(JSON.parse((await report(failing, "--format", "json")).out));
    expect(findings.map(({ rule, position, source }) => [rule, position, source])).toStrictEqual([
        ["annotation-unknown", "services.yaml:7:5", "Configure CLB"],
        ["annotation-value", "services.yaml:25:73", null],
    ]);
    expect((await report(failing, "--format", "markdown")).out).toMatch(/services\.yaml:7:5/);
});

test("an exception of the program is a finding of several lines, without the SDK's colours", async () => {
    const message =
        "error: Running program '/app/index.js' failed with an unhandled exception:\nError: no region\n" +
        "\u001b[90m    at Module._load (node:internal:1:2)\u001b[39m {\n  code: \u001b[32m'X'\u001b[39m\n}\n";
    const failing = file("thrown.json", { ...failedPreview(""), diagnostics: [{ severity: "error", message }] });
    expect((await report(failing)).out).toContain(
        [
            "    error: Running program '/app/index.js' failed with an unhandled exception:",
            "        Error: no region",
            "            at Module._load (node:internal:1:2) {",
            "          code: 'X'",
            "        }",
        ].join("\n"),
    );
    for (const format of ["markdown", "html", "json"])
        expect((await report(failing, "--format", format)).out).not.toMatch(/\[90m|\[39m/);
});

test("a failed preview without a cause asks for the configuration, and calls nothing unchanged", async () => {
    const own = JSON.parse(fs.readFileSync(preview("nothing"), "utf8")) as { diagnostics?: object[] };
    own.diagnostics = [{ severity: "error", message: "error: preview failed\n" }];
    const failing = file("policy.json", own);
    const { out } = await report(failing);
    expect(out.split("\n", 1)[0]).toBe("ack-loadbalancer/dev: the preview failed");
    expect(out).toMatch(
        /its document names no cause: a policy may have refused it\n +remedy: give the configuration .*--config/,
    );
    expect(out).toMatch(/^Without a change before the preview failed: Service default\/shop-local/m);
    for (const format of ["text", "markdown", "html"])
        expect((await report(failing, "--format", format)).out).not.toMatch(/^Unchanged|>Unchanged/m);
    const strict = file("strict.json", { "access-local": "mandatory" });
    const named = await report(failing, "--config", strict);
    expect(named.out).toMatch(/error\[access-local\]/);
    expect(named.out).not.toMatch(/names no cause/);
});

test("an update that is refused cannot run: every gate is reached", async () => {
    for (const gate of ["interrupts", "address-released", "violations", "deletes"]) {
        const { code, error } = await report(preview("refusal"), "--fail-on", gate);
        expect([gate, code, error]).toStrictEqual([gate, 1, "the preview failed: the update cannot run\n"]);
    }
    expect((await report(preview("refusal"))).code).toBe(0);
});

test("without --show-sames the report says what it does not see", async () => {
    const digest = JSON.parse(fs.readFileSync(preview("local-scale"), "utf8")) as {
        steps: { op: string; urn: string }[];
    };
    const shortened = { ...digest, steps: digest.steps.filter(({ op }) => op !== "same") };
    const { code, error } = await report(file("short.json", shortened));
    expect(code).toBe(2);
    expect(error).toMatch(/has no Service of ack-loadbalancer\n {4}remedy: .*--show-sames/);

    // The engine always lists the root of the stack, and counts what it does not list.
    const steps = digest.steps.filter(({ op, urn }) => op !== "same" || urn.includes("::pulumi:pulumi:Stack::"));
    const added = JSON.parse(fs.readFileSync(preview("quickstart"), "utf8")) as typeof digest;
    const next = { steps: [...steps, ...added.steps.filter(({ urn }) => !urn.includes("::pulumi:pulumi:Stack::"))] };
    for (const [sames, complete] of [
        [19, false],
        [1, true],
    ] as const) {
        const saved = file("added.json", { ...next, changeSummary: { same: sames, create: 19 } });
        expect(REPORT.parse(JSON.parse((await report(saved, "--format", "json")).out)).complete).toBe(complete);
    }
});

test("a program's own component may have a type of any form", async () => {
    const text = fs.readFileSync(preview("local-scale"), "utf8");
    const inside = text.replaceAll("::ack-loadbalancer:index:", "::WebApp$ack-loadbalancer:index:");
    const digest = JSON.parse(inside) as { steps: object[] };
    const app = { op: "same", urn: "urn:pulumi:dev::ack-loadbalancer::WebApp::shop", newState: { type: "WebApp" } };
    const { code, out } = await report(file("nested.json", { ...digest, steps: [app, ...digest.steps] }));
    expect([code, out]).toStrictEqual([0, (await report(preview("local-scale"))).out]);
});

const step = (more: object): object => ({
    steps: [{ op: "create", urn: "urn:pulumi:dev::shop::a:b:C::x", newState: { type: "a:b:C" }, ...more }],
});

for (const [what, content, message] of [
    ["truncated JSON", '{"steps": [', /not valid JSON: .*\n {4}remedy: save what `pulumi preview --json` prints/],
    ["an empty file", "", /not valid JSON/],
    ["a list", [], /it has no steps/],
    ["another document", { kind: "Service" }, /it has no steps/],
    ["steps that are no list", { steps: {} }, /it has no steps/],
    ["another program's preview", step({}), /the preview of shop\/dev has no Service of ack-loadbalancer/],
    [
        "inputs that are null",
        step({ newState: { type: "a:b:C", inputs: null } }),
        /steps\[0\]\.newState\.inputs: null is not allowed/,
    ],
    ["a type that is no text", step({ newState: { type: 1 } }), /steps\[0\]\.newState\.type: 1 is not allowed/],
    [
        "a component with a type by the name of a method, as the engine allows",
        step({ newState: { type: "toString" } }),
        /the preview of shop\/dev has no Service of ack-loadbalancer/,
    ],
    ["a step without a URN", step({ urn: undefined }), /steps\[0\]\.urn: a value is missing/],
] as const) {
    test(`bad input is reported, with exit code 2: ${what}`, async () => {
        const { code, out, error } = await report(file("bad.json", content));
        expect([code, out]).toStrictEqual([2, ""]);
        expect(error).toMatch(message);
    });
}

test("a file that is not there, and wrong options, are reported with exit code 2", async () => {
    for (const [argv, message] of [
        [[path.join(folder, "none.json")], /none\.json: cannot be read/],
        [[], /name the file with the preview/],
        [["a", "b"], /one preview at a time/],
        [["a", "--format", "pdf"], /unknown format "pdf"; use text, markdown, json, html/],
        [
            ["a", "--fail-on", "toString"],
            /--fail-on: unknown gate "toString"; use backends-only, in-place, adopts, leaves, creates, /,
        ],
        [["a", "--max-characters", "x"], /--max-characters: "x" is not allowed/],
        [["a", "--loud"], /--loud/],
    ] as const) {
        const { code, out, error } = await report(...argv);
        expect([code, out]).toStrictEqual([2, ""]);
        expect(error).toMatch(message);
    }
});

test("secrets and unknown values are not shown, and break nothing", async () => {
    const text = fs.readFileSync(preview("local-scale"), "utf8").replaceAll('"203.0.113.11"', '"[secret]"');
    const { code, out } = await report(file("secret.json", text));
    expect(code).toBe(0);
    expect(out).not.toMatch(/secret/);
    expect(out).toMatch(/a new address \(public\)|203/);
});

test("--schema prints the schema of the JSON, which docs/report.schema.json is", async () => {
    const { code, out } = await report("--schema");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toStrictEqual(
        JSON.parse(fs.readFileSync(path.join(__dirname, "../../docs/report.schema.json"), "utf8")),
    );
});
