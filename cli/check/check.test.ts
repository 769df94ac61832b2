import { afterAll, expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { serviceObject } from "../../test/support/policies/case";
import {
    CONTRACT_TYPE,
    KUBERNETES_SERVICE_TYPE,
    NLB_INSTANCE_TYPE,
    SERVICE_TYPE,
} from "../../provider/schema/resource-types";
import { run } from "../main";
import { runCheck } from "./main";
import { found } from "../../test/support/found";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-lb-check-"));
afterAll(() => void fs.rmSync(folder, { recursive: true }));

/** Writes a file of the test's folder. */
function file(name: string, text: string): string {
    const full = path.join(folder, name);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text);
    return full;
}

/** Members of a result that tests read. */
interface SarifResult {
    readonly ruleId: string;
    readonly ruleIndex: number;
    readonly level: string;
    readonly locations: readonly {
        readonly physicalLocation?: {
            readonly artifactLocation: { readonly uri: string };
            readonly region: { readonly startLine: number };
        };
    }[];
}

/** Runs the command, with a line for each violation unless another format is asked for. */
async function check(...argv: string[]): Promise<{ code: number; out: string; error: string }> {
    const text = { out: "", error: "" };
    const format = argv.includes("--format") ? [] : ["--format", "compact"];
    const code = await runCheck([...argv, ...format], {
        out: (part) => void (text.out += part),
        error: (part) => void (text.error += part),
    });
    return { code, ...text };
}

const manifest = (name: string, annotations = "", more = "") =>
    `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n  namespace: shop\n` +
    (annotations === "" ? "" : `  annotations:\n    ${annotations}\n`) +
    `spec:\n  type: LoadBalancer\n${more}  selector: {app: web}\n  ports:\n    - {port: 80, targetPort: 8080}\n`;

const GOOD = file("good/web.yaml", manifest("web"));
const BAD = file(
    "bad/web.yaml",
    `${manifest("web", "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type: Internet")}---\n` +
        `${manifest("api", "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-shceduler: wrr")}`,
);

const URN = "urn:pulumi:dev::test::";
const step = (op: string, type: string, name: string, inputs: object, before?: object) => ({
    op,
    urn: `${URN}${type}::${name}`,
    newState: { urn: `${URN}${type}::${name}`, type, inputs, outputs: inputs, propertyDependencies: {} },
    ...(before === undefined ? {} : { oldState: { urn: `${URN}${type}::${name}`, type, inputs: before } }),
});

test("a mistyped loadBalancerSourceRanges is a mandatory violation, with the line of the field", async () => {
    const mistyped = file("mistyped/web.yaml", manifest("web", "", "  loadBalancerSourceRangs: [10.0.0.0/8]\n"));
    const { code, out } = await check(mistyped);
    expect(code).toBe(1);
    expect(out).toMatch(
        /web\.yaml:8:3: mandatory\[annotations-service\]: Service shop\/web: .*spec\.loadBalancerSourceRangs: Kubernetes has no such field[^]*did you mean "loadBalancerSourceRanges"\?/,
    );
});

test("advisory violations alone are a success, and each has a remedy", async () => {
    const { code, out } = await check(GOOD, "--format", "text");
    expect(code).toBe(0);
    const [head, first, second] = out.split("\n");
    expect(head ?? "").toMatch(/web\.yaml$/);
    expect(first ?? "").toBe(
        "  4:9  advisory   shop/web: open to the Internet on TCP:80, without an access control list",
    );
    expect(second ?? "").toMatch(/^ +exposure-open$/);
    expect(out).toMatch(/^ +→ set address-type to "intranet"/m);
    expect(out).toMatch(/\n0 mandatory, 2 advisory; checked: 1 Service\n$/);
});

test("an editor gets one line for each violation, with file, line and column first", async () => {
    const { out } = await check(GOOD, "--format", "compact");
    expect(out).toMatch(
        /^\S+web\.yaml:4:9: advisory\[exposure-open\]: Service shop\/web: open to the Internet on TCP:80, .*; remedy: set/m,
    );
    expect(out.trimEnd().split("\n")).toHaveLength(3);
});

test("every mandatory violation is listed with file, line and column, and the exit code is 1", async () => {
    const { code, out } = await check(path.dirname(BAD));
    expect(code).toBe(1);
    expect(out).toMatch(
        /web\.yaml:7:73: mandatory\[annotations-values\]: Service shop\/web: metadata\.annotations.*"Internet" is not valid/,
    );
    expect(out).toMatch(
        /web\.yaml:20:5: mandatory\[annotations-values\]: Service shop\/api: metadata\.annotations.*there is no annotation/,
    );
    expect(out).toMatch(/remedy: did you mean ".*-scheduler"\?/);
});

test("standard input without any object is no success: the command before it may have failed", () => {
    for (const [text, code] of [
        ["", 2],
        ["# nothing\n---\n", 2],
        ["apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n", 0],
    ] as const) {
        const done = spawnSync(process.execPath, ["dist/cli/main.js", "check", "-"], {
            input: text,
            encoding: "utf8",
        });
        expect([done.status, /standard input holds no Kubernetes object/.test(done.stdout)]).toStrictEqual([
            code,
            code === 2,
        ]);
    }
});

test("--version tells the version of the package, beside every command", () => {
    const { version } = JSON.parse(fs.readFileSync("package.json", "utf8")) as { version: string };
    const done = spawnSync(process.execPath, [path.resolve("dist/cli/main.js"), "--version"], {
        encoding: "utf8",
    });
    expect([done.status, done.stdout]).toStrictEqual([0, `${version}\n`]);
});

test("SARIF: rules, results with levels and places, and inputs that cannot be read", async () => {
    const { code, out } = await check(BAD, "no-such-file.yaml", "--format", "sarif");
    expect(code).toBe(2);
    const { version, runs } = JSON.parse(out) as {
        version: string;
        runs: { tool: { driver: { rules: { id: string }[] } }; results: SarifResult[]; invocations: object[] }[];
    };
    const { tool, results, invocations } = found(runs[0], "the run");
    expect([version, runs.length]).toStrictEqual(["2.1.0", 1]);
    expect(invocations).toMatchObject([
        {
            executionSuccessful: false,
            exitCode: 2,
            toolExecutionNotifications: [{ descriptor: { id: "input-unreadable" } }],
        },
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(results[0]).toMatchObject({
        ruleId: "annotations-values",
        level: "error",
        locations: [
            {
                physicalLocation: {
                    artifactLocation: { uri: BAD },
                    region: { startLine: 7, startColumn: 73 },
                },
                logicalLocations: [{ fullyQualifiedName: "Service shop/web" }],
            },
        ],
    });
    expect(new Set(results.map(({ level }) => level))).toStrictEqual(new Set(["error", "warning"]));
});

test("SARIF: every result has a file, without which GitHub refuses all of them, by a URI", async () => {
    const urisOf = async (...argv: string[]): Promise<(string | undefined)[]> => {
        const { runs } = JSON.parse((await check(...argv, "--format", "sarif")).out) as {
            runs: { results: SarifResult[] }[];
        };
        const places = runs.flatMap(({ results }) => results.flatMap(({ locations }) => locations));
        for (const { physicalLocation } of places) expect(physicalLocation?.region.startLine).toBeGreaterThan(0);
        return [...new Set(places.map(({ physicalLocation }) => physicalLocation?.artifactLocation.uri))];
    };
    const preview = previewOf({ type: KUBERNETES_SERVICE_TYPE, inputs: serviceObject() });
    expect(await urisOf("--preview", preview)).toStrictEqual([preview]);
    const odd = file("a#b?c d%.yaml", manifest("web"));
    expect(await urisOf(odd)).toStrictEqual([path.join(path.dirname(odd), "a%23b%3Fc%20d%25.yaml")]);
});

test("a file that is named twice, or is in a folder that is named too, is checked once", async () => {
    const one = file("named/twice/web.yaml", manifest("web"));
    const folderOf = path.dirname(one);
    const { code, out } = await check(path.dirname(folderOf), folderOf, one, path.relative(".", one));
    expect([code, out]).toStrictEqual([0, (await check(path.dirname(folderOf))).out]);
    expect((await check("none.yaml", "none.yaml")).out.match(/input-unreadable/g)).toHaveLength(1);
});

test("Services on one port of an instance are reported at the second one", async () => {
    const sharing = (name: string): string => manifest(name, `${KEY}id: lb-1`);
    const { out } = await check(file("sharing.yaml", [sharing("web"), sharing("api")].join("---\n")));
    expect(out).toMatch(
        /sharing\.yaml:\d\d:\d+: mandatory\[reuse-port-claimed\]: load balancer lb-1: Services shop\/web and/,
    );
});

test("JUnit: mandatory violations are failures, unreadable inputs are errors, advice passes", async () => {
    const xml = (await check(BAD, "no-such-file.yaml", "--format", "junit")).out;
    const [, tests = "", failures = "", errors = ""] = /tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(xml) ?? [];
    const count = (tag: RegExp): string => String(xml.match(tag)?.length);
    expect([count(/<testcase /g), count(/<failure /g), count(/<error /g)]).toStrictEqual([tests, failures, errors]);
    expect(errors).toBe("1");
    expect(xml).toMatch(
        /<testcase classname="annotations-values" name="Service shop\/web"><failure message="[^"<]*&quot;Internet&quot; is not valid/,
    );
    expect((await check(GOOD, "--format", "junit")).out).toMatch(/tests="2" failures="0" errors="0"[^]*<system-out>/);
    const strict = file("nothing.json", JSON.stringify({ all: "disabled" }));
    expect((await check(GOOD, "--format", "junit", "--config", strict)).out).toMatch(/tests="1"[^]*no violation/);
});

test("a format that does not exist is refused", async () => {
    expect(await check(GOOD, "--format", "xml")).toMatchObject({
        code: 2,
        error: expect.stringMatching(/--format: "xml"/),
    });
});

test("what is not checked is said in one line", async () => {
    const others = file(
        "others.yaml",
        [
            "apiVersion: v1\nkind: Service\nmetadata: { name: a }\nspec: { type: ClusterIP, ports: [{ port: 80 }] }",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }",
        ].join("\n---\n"),
    );
    expect(await check(others)).toMatchObject({
        code: 0,
        out: "0 mandatory, 0 advisory; checked: 1 Service; not checked: 1 object of another kind\n",
    });
    const map = file("map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }");
    expect((await check(map)).out).toMatch(/; not checked: 1 object of another kind\n$/);
});

test("a Service with annotations of a load balancer, and none of its type, is checked", async () => {
    const id = "annotations: { service.beta.kubernetes.io/alibaba-cloud-loadbalancer-id: lb-1 }";
    const forgotten = `apiVersion: v1\nkind: Service\nmetadata: { name: a, ${id} }\nspec: { ports: [{ port: 80 }] }`;
    const { code, out } = await check(file("forgotten.yaml", forgotten));
    expect(code).toBe(0);
    expect(out).toMatch(/advisory\[lifecycle-type\]: Service default\/a: .*nothing is created/);
});

test("a type of Service that does not exist is a violation", async () => {
    for (const type of ["loadBalancer", "5"]) {
        const text = manifest("web").replace("LoadBalancer", type);
        const { code, out } = await check(file("misspelt.yaml", text));
        expect([type, code]).toStrictEqual([type, 1]);
        expect(out).toMatch(/:7:9: mandatory\[annotations-service\]: Service shop\/web: spec.type: /);
    }
});

test("labels, finalizers and session affinity are checked as in a run of the stack", async () => {
    const metadata = "metadata: { name: a, labels: { version: 1.10 }, finalizers: [service.k8s.alibaba/resources] }";
    const affinity = "sessionAffinityConfig: { clientIp: {} }";
    const spec = `spec: { ${affinity}, type: LoadBalancer, selector: { app: a }, ports: [{ port: 80 }] }`;
    const copied = file("copied.yaml", `apiVersion: v1\nkind: Service\n${metadata}\n${spec}`);
    const { out } = await check(copied);
    expect(out).toMatch(/:3:41: mandatory\[annotations-service\]: .*: metadata.labels.version: must be a string;/);
    expect(out).toMatch(/:3:61: mandatory\[annotations-service\]: .*: metadata.finalizers: .* manages this Service/);
    expect(out).toMatch(
        /:4:34: mandatory\[annotations-service\]: .*: spec.sessionAffinityConfig.clientIp: Kubernetes has/,
    );
});

test("a file that is named twice is read once", async () => {
    const twice = await check(GOOD, path.dirname(GOOD), path.join(path.dirname(GOOD), "..", "good", "web.yaml"));
    expect(twice).toStrictEqual(await check(GOOD));
});

test("levels and settings come from a file", async () => {
    const strict = file("strict.json", JSON.stringify({ "exposure-open": "mandatory" }));
    expect((await check(GOOD, "--config", strict)).code).toBe(1);
    const lenient = file(
        "lenient.json",
        JSON.stringify({ all: "disabled", "exposure-open": { enforcementLevel: "mandatory", except: ["shop/w*"] } }),
    );
    expect((await check(GOOD, "--config", lenient)).code).toBe(0);
    const remediating = file("remediate.json", JSON.stringify({ "exposure-open": "remediate" }));
    expect((await check(GOOD, "--config", remediating)).code).toBe(1);
});

test("an invalid configuration is reported in full, and nothing is checked", async () => {
    const wrong = file(
        "wrong.json",
        JSON.stringify({
            all: "loud",
            "no-rule": "mandatory",
            "quota-backends": { limit: 0, most: 3 },
            "exposure-tls": { minimum: "1.3" },
        }),
    );
    const { code, out, error } = await check(GOOD, "--config", wrong);
    expect(code).toBe(2);
    expect(out).toBe("");
    for (const problem of [
        /there is no rule "no-rule"\n +remedy: write an object with the names of rules/,
        /all: enforcementLevel: "loud" is not allowed\n +remedy: write advisory, mandatory or disabled\n/,
        /quota-backends: limit: 0 is not allowed\n +remedy: write an integer of 1 or more\n/,
        /quota-backends: there is no setting "most"\n +remedy: write one of except, limit, nlbLimit, enforcementLevel\n/,
        /exposure-tls: minimum: "1\.3" is not allowed\n +remedy: write one of 1\.0, 1\.1, 1\.2\n/,
    ]) {
        expect(error).toMatch(problem);
    }
});

for (const [what, config, message] of [
    [
        "no rules at all",
        null,
        /^error\[policy-config\]: null is not allowed\n +remedy: write an object with the names of rules/,
    ],
    [
        "a rule that is null",
        { "reuse-names": null },
        /reuse-names: null is not allowed\n +remedy: write advisory, .*, or an object of settings/,
    ],
    [
        "a list for all rules",
        { all: [] },
        /all: a list is not allowed\n +remedy: write advisory, .*, or an object of settings/,
    ],
    [
        "null for all rules",
        { all: null },
        /all: null is not allowed\n +remedy: write advisory, .*, or an object of settings/,
    ],
    [
        "a level that is null",
        { "reuse-names": { enforcementLevel: null } },
        /reuse-names: enforcementLevel: null is not allowed\n +remedy: write advisory, mandatory or disabled\n/,
    ],
    [
        "version 2 of the engine's configuration",
        { version: 2, policies: { all: "advisory" }, exceptions: {} },
        /the file is version 2 of Pulumi's policy configuration .*\n +remedy: give the object under policies alone/,
    ],
    [
        "environments of the engine's configuration",
        { environments: ["prod"], all: "advisory" },
        /the file is version 2 of Pulumi's policy configuration/,
    ],
    ["a level by the name of a method", { all: "toString" }, /all: enforcementLevel: "toString" is not allowed/],
    ["a rule by the name of a method", { toString: "mandatory" }, /there is no rule "toString"/],
    [
        "an item of the wrong type",
        { "exposure-open": { except: ["a", 1] } },
        /exposure-open: except\[1\]: 1 is not allowed\n +remedy: write a string/,
    ],
    [
        "a port out of range",
        { "backends-node-ports": { localTo: 70000 } },
        /localTo: 70000 is not allowed\n +remedy: write an integer from 1 to 65535/,
    ],
    [
        "a fact that is none",
        { "exposure-open": { cluster: { networkPlugin: "calico" } } },
        /cluster\.networkPlugin: "calico" is not allowed\n +remedy: write one of flannel, terway, terway-edge/,
    ],
    [
        "settings for all rules",
        { all: { except: [] } },
        /all: there is no setting "except"\n +remedy: write one of enforcementLevel/,
    ],
] as const) {
    test(`a configuration is refused: ${what}`, async () => {
        const { code, out, error } = await check(GOOD, "--config", file("refused.json", JSON.stringify(config)));
        expect([code, out]).toStrictEqual([2, ""]);
        expect(error).toMatch(message);
    });
}

test("facts about the cluster come from the command line", async () => {
    const hostname = file(
        "hostname.yaml",
        manifest("web", "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-hostname: www.example.com"),
    );
    expect((await check(hostname)).code).toBe(0);
    const { code, out } = await check(hostname, "--compatibility", "v2.1.0");
    expect(code).toBe(1);
    expect(out).toMatch(/annotations-version.*v2\.3\.0/);
});

const KEY = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const ZONES = `${KEY}zone-maps: "cn-hangzhou-a:vsw-1,cn-hangzhou-b:vsw-2"`;

test("a Service behind an NLB is checked as such, with the facts about the cluster", async () => {
    const annotations = [
        ZONES,
        `${KEY}acl-id: acl-1`,
        `${KEY}server-group-type: Ip`,
        "service.beta.kubernetes.io/backend-type: eni",
    ].join("\n    ");
    const nlb = file("nlb/web.yaml", manifest("web", annotations, "  loadBalancerClass: alibabacloud.com/nlb\n"));
    const { code, out } = await check(nlb, "--cluster-type", "edge", "--network-plugin", "terway-edge");
    expect([out, code]).toStrictEqual([out, 0]);
    expect(out).toMatch(
        /advisory\[annotations-scope\]: Service shop\/web: .*acl-id"\]: the annotation applies to a CLB only, but the Service gets an NLB/,
    );
    expect(out).toMatch(
        /advisory\[exposure-open\]: Service shop\/web: open to the Internet on TCP:80, without a security group/,
    );
    expect(out).not.toMatch(/annotations-effects/);
    const flannel = await check(nlb, "--cluster-type", "edge", "--network-plugin", "flannel");
    expect(flannel.code).toBe(1);
    expect(flannel.out).toMatch(/mandatory\[annotations-exclusions\]: .*flannel/i);
    const old = await check(nlb, "--kubernetes-version", "v1.22.0", "--network-plugin", "terway-edge");
    expect(old.out).toMatch(/an NLB needs Kubernetes 1\.24 or later/);
});

test("a saved preview of an NLB shows immutable fields that change, and interruptions", async () => {
    const nlb = (annotations: object, more: object = {}) =>
        serviceObject({
            annotations: { "zone-maps": "cn-hangzhou-a:vsw-1,cn-hangzhou-b:vsw-2", ...annotations },
            spec: { loadBalancerClass: "alibabacloud.com/nlb", ...more },
        });
    const preview = file(
        "nlb.json",
        JSON.stringify({
            steps: [
                step("update", KUBERNETES_SERVICE_TYPE, "web", nlb({ "address-type": "intranet" }), nlb({})),
                step("replace", KUBERNETES_SERVICE_TYPE, "api", { ...serviceObject({ name: "api" }) }, nlb({})),
                step("create", NLB_INSTANCE_TYPE, "edge", {
                    addressType: "Internet",
                    tags: { "ack.aliyun.com": "c1" },
                }),
            ],
        }),
    );
    const { code, out } = await check("--preview", preview);
    expect(code).toBe(1);
    expect(out).toMatch(
        /advisory\[change-interrupts\]: Service shop\/web: addressType changes from "internet" to "intranet"/,
    );
    expect(out).toMatch(
        /mandatory\[immutability-create-only\]: Service shop\/api: spec\.loadBalancerClass cannot change from an NLB to a CLB/,
    );
    expect(out).toMatch(/mandatory\[naming-owner-tags\]: LoadBalancer edge/);
    expect(out).toMatch(/advisory\[protection-switched-off\]: LoadBalancer edge/);
    expect(out).toMatch(/\n2 mandatory/);
});

test("what a manifest and the preview of its program violate alike is said once, with its place", async () => {
    const service = serviceObject({ name: "web" });
    const preview = file(
        "same.json",
        JSON.stringify({ steps: [step("create", KUBERNETES_SERVICE_TYPE, "web", service)] }),
    );
    const open = (out: string) =>
        out.match(/^.*\[exposure-open\]: Service shop\/web: open to the Internet on TCP:80/gm) ?? [];
    expect(open((await check("--preview", preview)).out)).toHaveLength(1);
    const both = await check(GOOD, "--preview", preview);
    expect(open(both.out)).toStrictEqual([expect.stringMatching(/web\.yaml:4:9: /)]);
    // A Service does not collide with itself.
    expect([both.code, both.out]).toStrictEqual([0, expect.stringContaining("\n0 mandatory, ")]);
});

test("SARIF: a file's name is a path of a URI, whatever is in it", async () => {
    const { out } = await check(file("odd/a:b #1?.yaml", manifest("web")), "--format", "sarif");
    expect(out).toMatch(/"uri": "[^"]*\/odd\/a%3Ab%20%231%3F\.yaml"/);
});

test("unreadable inputs are reported with exit code 2, and the rest is checked", async () => {
    const broken = file("broken/a.yaml", "kind: [\n");
    const empty = path.join(folder, "empty");
    fs.mkdirSync(empty);
    const { code, out } = await check(broken, path.join(folder, "nowhere.yaml"), empty, BAD);
    expect(code).toBe(2);
    expect(out).toMatch(/a\.yaml:\d+:\d+: error\[manifest-syntax\]/);
    expect(out).toMatch(
        /error\[input-unreadable\]: \S+nowhere\.yaml: cannot be read: ENOENT.*\n +remedy: name a file that exists/,
    );
    expect(out).toMatch(/the folder holds no manifest/);
    expect(out).toMatch(/annotations-values/);
});

for (const [what, argv, message] of [
    ["no input", [], /name at least one file or folder/],
    ["an unknown option", ["--nonsense"], /unknown option/],
    [
        "a word that is none",
        ["x.yaml", "--network-plugin", "calico"],
        /--network-plugin: "calico" is not allowed; write one of flannel, terway, terway-edge/,
    ],
    [
        "a kind of cluster that is none",
        ["x.yaml", "--cluster-type", "ask"],
        /--cluster-type: "ask" is not allowed; write one of ack, edge/,
    ],
    [
        "a plug-in that the cluster cannot have",
        ["x.yaml", "--cluster-type", "edge", "--network-plugin", "terway"],
        /an ACK Edge cluster runs Terway Edge or Flannel/,
    ],
    [
        "a version that is none",
        ["x.yaml", "--compatibility", "new"],
        /--compatibility: "new" is not a Cloud Controller Manager version/,
    ],
    [
        "a range that is none",
        ["x.yaml", "--node-ports", "many"],
        /--node-ports: "many" is not allowed; write a range of ports such as 30000-32767/,
    ],
] as const) {
    test(`usage: ${what}`, async () => {
        const { code, error } = await check(...argv);
        expect(code).toBe(2);
        expect(error).toMatch(message);
        expect(error).toMatch(/usage: ack-loadbalancer check/);
    });
}

test("help is no error; an unknown command is", async () => {
    expect((await check("--help")).code).toBe(0);
    const silent = { out: () => undefined, error: () => undefined };
    const codes = [["--help"], [], ["frobnicate"]].map((argv) => run(argv, silent));
    expect(await Promise.all(codes)).toStrictEqual([0, 2, 2]);
});

test("JSON holds the same, with places", async () => {
    const { code, out } = await check(BAD, "--format", "json");
    const answer = JSON.parse(out) as {
        version: number;
        exitCode: number;
        summary: object;
        violations: Record<string, unknown>[];
        unreadable: unknown[];
    };
    expect(code).toBe(1);
    expect([answer.version, answer.exitCode, answer.summary, answer.unreadable]).toStrictEqual([
        1,
        1,
        { mandatory: 2, advisory: 4, services: 2, resources: 0 },
        [],
    ]);
    const [first] = answer.violations;
    expect(Object.keys(first ?? {})).toStrictEqual([
        "level",
        "rule",
        "severity",
        "subject",
        "message",
        "remedy",
        "source",
        "file",
        "line",
        "col",
    ]);
    expect([first?.["rule"], first?.["line"], first?.["col"]]).toStrictEqual(["annotations-values", 7, 73]);
});

test("duplicate Services, and ports that two Services use, are found across files", async () => {
    const again = file("again.yaml", manifest("web"));
    expect((await check(GOOD, again)).out).toMatch(
        /again\.yaml:4:9: mandatory\[lifecycle-twice\]: Service shop\/web: the Service is defined twice, here and at \S+\.yaml:4/,
    );
});

test("standard input is read for -", () => {
    const { status, stdout } = spawnSync(process.execPath, ["dist/cli/main.js", "check", "-"], {
        input: manifest("web"),
        encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^stdin\n +4:9 +advisory +shop\/web: open to the Internet/);
});

test("a saved preview is checked; deletions, secrets and unknown values are no violations", async () => {
    const open = serviceObject();
    const internal = serviceObject({ annotations: { "address-type": "intranet" } });
    const preview = file(
        "preview.json",
        JSON.stringify({
            steps: [
                step("update", KUBERNETES_SERVICE_TYPE, "web", internal, open),
                { ...step("delete", KUBERNETES_SERVICE_TYPE, "gone", open), newState: undefined },
                step(
                    "create",
                    KUBERNETES_SERVICE_TYPE,
                    "masked",
                    serviceObject({ name: "masked", annotations: { "address-type": "[secret]" } }),
                ),
                step("update", CONTRACT_TYPE, "shop/api", {
                    service: "shop/api",
                    established: { addressType: "internet" },
                    requested: { addressType: "intranet" },
                }),
                step("create", SERVICE_TYPE, "broken", {
                    service: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
                    cluster: { clusterId: "c" },
                    settings: {},
                    ports: [],
                }),
            ],
        }),
    );
    const { code, out } = await check("--preview", preview);
    expect(code).toBe(1);
    expect(out).toMatch(/mandatory\[immutability-create-only\]: Service shop\/web: addressType cannot change/);
    expect(out).toMatch(/mandatory\[immutability-create-only\]: Service shop\/api: addressType cannot change/);
    expect(out).toMatch(/advisory\[exposure-open\]: masked: cannot be judged before the update/);
    expect(out).not.toMatch(/gone/);
    expect(out).toMatch(/2 mandatory/);
});

const previewOf = (newState: unknown): string =>
    file("refused-preview.json", JSON.stringify({ steps: [{ op: "create", urn: `${URN}a:b:C::web`, newState }] }));

for (const [what, state, message] of [
    [
        "inputs that are null",
        { type: "a:b:C", inputs: null },
        /error\[preview-format\]: \S+: steps\[0\]\.newState\.inputs: null is not allowed\n +remedy: write an object/,
    ],
    ["a type that is no text", { type: 5 }, /newState\.type: 5 is not allowed\n +remedy: write a type token/],
    ["a state without a type", {}, /newState\.type: a value is missing\n +remedy: write a type token/],
    ["a state that is a text", "web", /steps\[0\]\.newState: a text is not allowed\n +remedy: write an object/],
] as const) {
    test(`a preview is refused: ${what}`, async () => {
        const { code, out } = await check("--preview", previewOf(state));
        expect(code).toBe(2);
        expect(out).toMatch(message);
        expect(out).toMatch(/save what `pulumi preview --json` prints/);
    });
}

test("a component of a program may have a type of any form, even the name of a method", async () => {
    for (const type of ["toString", "WebApp", "acme:web:shop:App"])
        expect((await check("--preview", previewOf({ type }))).code).toBe(0);
});

test("a property of a preview that depends on nothing may be null", async () => {
    const state = { type: KUBERNETES_SERVICE_TYPE, inputs: serviceObject(), propertyDependencies: { spec: null } };
    expect((await check("--preview", previewOf(state))).code).toBe(0);
});

test("a Service without a valid port is open without a list of ports", async () => {
    const { out } = await check(file("ports.yaml", manifest("web").replace(/port: \d+/, "port: x")));
    expect(out).toMatch(/"x" is not a port/);
    expect(out).toMatch(/exposure-open\]: .*open to the Internet, without an access control list/);
});

test("a file that is no preview is reported", async () => {
    const { code, out } = await check("--preview", file("state.json", "{}"), "--preview", file("none.json", "nothing"));
    expect(code).toBe(2);
    expect(out).toMatch(/not valid JSON/);
    expect((await check("--preview", path.join(folder, "state.json"))).out).toMatch(/it has no steps/);
});
