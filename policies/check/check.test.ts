import { afterAll, expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { serviceObject } from "../cases/case";
import { CONTRACT_TYPE, KUBERNETES_SERVICE_TYPE, NETWORK_INSTANCE_TYPE, SERVICE_TYPE } from "../types";
import { run } from "./main";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ack-lb-check-"));
afterAll(() => void fs.rmSync(folder, { recursive: true }));

/** Writes a file of the test's folder. */
function file(name: string, text: string): string {
    const full = path.join(folder, name);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text);
    return full;
}

function check(...argv: string[]): { code: number; out: string; error: string } {
    const text = { out: "", error: "" };
    const code = run(["check", ...argv], {
        out: (part) => void (text.out += part),
        error: (part) => void (text.error += part),
    });
    return { code, ...text };
}

const manifest = (name: string, annotations = "", more = "") =>
    `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n  namespace: shop\n${annotations === "" ? "" : `  annotations:\n    ${annotations}\n`}spec:\n  type: LoadBalancer\n${more}  selector: {app: web}\n  ports:\n    - {port: 80, targetPort: 8080}\n`;

const GOOD = file("good/web.yaml", manifest("web"));
const BAD = file(
    "bad/web.yaml",
    `${manifest("web", "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type: Internet")}---\n${manifest("api", "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-shceduler: wrr")}`,
);

const URN = "urn:pulumi:dev::test::";
const step = (op: string, type: string, name: string, inputs: object, before?: object) => ({
    op,
    urn: `${URN}${type}::${name}`,
    newState: { urn: `${URN}${type}::${name}`, type, inputs, outputs: inputs, propertyDependencies: {} },
    ...(before === undefined ? {} : { oldState: { urn: `${URN}${type}::${name}`, type, inputs: before } }),
});

test("advice alone is a success; the table tells level, rule, Service, place, message and remedy", () => {
    const { code, out } = check(GOOD);
    expect(code).toBe(0);
    const [head, first, second] = out.split("\n");
    expect(head ?? "").toMatch(/^LEVEL +RULE +SERVICE +MESSAGE$/);
    expect(first ?? "").toMatch(
        /^advisory +exposure-open +Service shop\/web +\S+web\.yaml:4:9: open to the Internet on TCP:80, without an access control list$/,
    );
    expect(second ?? "").toMatch(/^ +remedy: set address-type to "intranet"/);
    expect(out).toMatch(/\n0 mandatory, 1 advisory; judged: 1 Services of manifests, 0 resources of a preview\n$/);
});

test("every mandatory violation of every Service is told, with file, line and column, and the exit code is 1", () => {
    const { code, out } = check(path.dirname(BAD));
    expect(code).toBe(1);
    expect(out).toMatch(
        /mandatory +annotations-values +Service shop\/web +\S+web\.yaml:7:73: metadata\.annotations.*"Internet" is not valid/,
    );
    expect(out).toMatch(
        /mandatory +annotations-values +Service shop\/api +\S+web\.yaml:20:5: metadata\.annotations.*there is no annotation/,
    );
    expect(out).toMatch(/remedy: did you mean ".*-scheduler"\?/);
});

test("levels and settings come from a file", () => {
    const strict = file("strict.json", JSON.stringify({ "exposure-open": "mandatory" }));
    expect(check(GOOD, "--config", strict).code).toBe(1);
    const lenient = file(
        "lenient.json",
        JSON.stringify({ all: "disabled", "exposure-open": { enforcementLevel: "mandatory", except: ["shop/w*"] } }),
    );
    expect(check(GOOD, "--config", lenient).code).toBe(0);
    const remediating = file("remediate.json", JSON.stringify({ "exposure-open": "remediate" }));
    expect(check(GOOD, "--config", remediating).code).toBe(1);
});

test("a configuration that cannot be right is told in full, and nothing is judged", () => {
    const wrong = file(
        "wrong.json",
        JSON.stringify({
            all: "loud",
            "no-rule": "mandatory",
            "quota-backends": { limit: 0, most: 3 },
            "exposure-tls": { minimum: "1.3" },
        }),
    );
    const { code, out, error } = check(GOOD, "--config", wrong);
    expect(code).toBe(2);
    expect(out).toBe("");
    for (const problem of [
        /there is no rule "no-rule"/,
        /all: "loud" is no level/,
        /quota-backends: limit must be an integer of 1 or more/,
        /quota-backends: there is no setting "most"; it has except, limit/,
        /exposure-tls: minimum must be one of 1\.0, 1\.1, 1\.2/,
    ]) {
        expect(error).toMatch(problem);
    }
});

test("facts about the cluster come from the command line", () => {
    const hostname = file(
        "hostname.yaml",
        manifest("web", "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-hostname: www.example.com"),
    );
    expect(check(hostname).code).toBe(0);
    const { code, out } = check(hostname, "--compatibility", "v2.1.0");
    expect(code).toBe(1);
    expect(out).toMatch(/annotations-version.*v2\.3\.0/);
});

const KEY = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const ZONES = `${KEY}zone-maps: "cn-hangzhou-a:vsw-1,cn-hangzhou-b:vsw-2"`;

test("a Service behind an NLB is judged as such, by what is known of the cluster", () => {
    const annotations = [
        ZONES,
        `${KEY}acl-id: acl-1`,
        `${KEY}server-group-type: Ip`,
        "service.beta.kubernetes.io/backend-type: eni",
    ].join("\n    ");
    const nlb = file("nlb/web.yaml", manifest("web", annotations, "  loadBalancerClass: alibabacloud.com/nlb\n"));
    const { code, out } = check(nlb, "--cluster-type", "edge", "--network-plugin", "terway-edge");
    assert.equal(code, 0, out);
    expect(out).toMatch(
        /advisory +annotations-scope +Service shop\/web .*acl-id"\]: the annotation applies to a CLB only, but the Service gets an NLB/,
    );
    expect(out).toMatch(
        /advisory +exposure-open +Service shop\/web .*open to the Internet on TCP:80, without a security group/,
    );
    expect(out).not.toMatch(/annotations-effects/);
    const flannel = check(nlb, "--cluster-type", "edge", "--network-plugin", "flannel");
    expect(flannel.code).toBe(1);
    expect(flannel.out).toMatch(/mandatory +annotations-exclusions .*flannel/i);
    const old = check(nlb, "--kubernetes-version", "v1.22.0", "--network-plugin", "terway-edge");
    expect(old.out).toMatch(/an NLB needs Kubernetes 1\.24 or later/);
});

test("a saved preview of an NLB tells what changes and cannot, and what interrupts", () => {
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
                step("create", NETWORK_INSTANCE_TYPE, "edge", {
                    addressType: "Internet",
                    tags: { "ack.aliyun.com": "c1" },
                }),
            ],
        }),
    );
    const { code, out } = check("--preview", preview);
    expect(code).toBe(1);
    expect(out).toMatch(
        /advisory +change-interrupts +Service shop\/web +addressType changes from "internet" to "intranet"/,
    );
    expect(out).toMatch(
        /mandatory +immutability-create-only +Service shop\/api +loadBalancerType cannot change from "nlb" to "clb"/,
    );
    expect(out).toMatch(/mandatory +naming-owner-tags +LoadBalancer edge/);
    expect(out).toMatch(/advisory +protection-switched-off +LoadBalancer edge/);
    expect(out).toMatch(/\n2 mandatory/);
});

test("what cannot be read is told, exit code 2, and the rest is judged all the same", () => {
    const broken = file("broken/a.yaml", "kind: [\n");
    const empty = path.join(folder, "empty");
    fs.mkdirSync(empty);
    const { code, out } = check(broken, path.join(folder, "nowhere.yaml"), empty, BAD);
    expect(code).toBe(2);
    expect(out).toMatch(/a\.yaml:\d+:\d+: error\[manifest-syntax\]/);
    expect(out).toMatch(/error: \S+nowhere\.yaml cannot be read: ENOENT/);
    expect(out).toMatch(/the folder holds no manifest/);
    expect(out).toMatch(/annotations-values/);
});

for (const [what, argv, message] of [
    ["no input", [], /name at least one file or folder/],
    ["an unknown option", ["--nonsense"], /Unknown option/],
    ["a word that is none", ["x.yaml", "--network-plugin", "calico"], /must be one of flannel, terway, terway-edge/],
    ["a kind of cluster that is none", ["x.yaml", "--cluster-type", "ask"], /must be one of ack, edge/],
    [
        "a plug-in that the cluster cannot have",
        ["x.yaml", "--cluster-type", "edge", "--network-plugin", "terway"],
        /an ACK Edge cluster runs Terway Edge or Flannel/,
    ],
    ["a version that is none", ["x.yaml", "--compatibility", "new"], /is not a Cloud Controller Manager version/],
    ["a range that is none", ["x.yaml", "--node-ports", "many"], /is not a range of ports/],
] as const) {
    test(`usage: ${what}`, () => {
        const { code, error } = check(...argv);
        expect(code).toBe(2);
        expect(error).toMatch(message);
        expect(error).toMatch(/usage: ack-loadbalancer check/);
    });
}

test("help is no error; an unknown command is", () => {
    expect(check("--help").code).toBe(0);
    const silent = { out: () => undefined, error: () => undefined };
    expect([run(["--help"], silent), run([], silent), run(["frobnicate"], silent)]).toStrictEqual([0, 2, 2]);
});

test("JSON holds the same, with places", () => {
    const { code, out } = check(BAD, "--json");
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
        { mandatory: 2, advisory: 2, services: 2, resources: 0 },
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

test("Services that stand in the files twice, and ports that two of them claim, are seen across files", () => {
    const again = file("again.yaml", manifest("web"));
    expect(check(GOOD, again).out).toMatch(
        /mandatory +lifecycle-twice +Service shop\/web +\S+again\.yaml:4:9: the Service is described twice/,
    );
});

test("standard input is read for -", () => {
    const { status, stdout } = spawnSync(process.execPath, ["dist/policies/check/main.js", "check", "-"], {
        input: manifest("web"),
        encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/stdin:4:9: open to the Internet/);
});

test("a saved preview is judged, with what was there before; deletions, secrets and unknown values are no violations", () => {
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
    const { code, out } = check("--preview", preview);
    expect(code).toBe(1);
    expect(out).toMatch(/mandatory +immutability-create-only +Service shop\/web +addressType cannot change/);
    expect(out).toMatch(/mandatory +immutability-create-only +Service shop\/api +addressType cannot change/);
    expect(out).toMatch(/advisory +exposure-open +masked +cannot be judged before the update/);
    expect(out).not.toMatch(/gone/);
    expect(out).toMatch(/2 mandatory/);
});

test("a file that is no preview is told as such", () => {
    const { code, out } = check("--preview", file("state.json", "{}"), "--preview", file("none.json", "nothing"));
    expect(code).toBe(2);
    expect(out).toMatch(/it is no JSON/);
    expect(check("--preview", path.join(folder, "state.json")).out).toMatch(/it has no steps/);
});
