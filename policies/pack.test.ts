import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { credentials } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/analyzer_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { type ChildProcess, spawn } from "node:child_process";
import * as path from "node:path";
import { plain, resource, UNKNOWN } from "../test/support/policies/case";
import type { PreviewResource } from "./subjects";

let pack: ChildProcess;
let client: AnalyzerClient;

/** The pack as the engine starts it: it prints the port of its server. */
beforeAll(async () => {
    pack = spawn(process.execPath, ["../dist/policies/pack.js"], {
        cwd: path.resolve("policies"),
        stdio: ["ignore", "pipe", "inherit"],
    });
    const port = await new Promise((resolve) =>
        pack.stdout?.once("data", (text: Buffer) => resolve(text.toString().trim())),
    );
    client = new AnalyzerClient(`127.0.0.1:${String(port)}`, credentials.createInsecure());
});

afterAll(() => {
    client.close();
    pack.kill();
});

type Configuration = Record<string, Record<string, JavaScriptValue>>;

/** Hands over a configuration as the engine does; gives what is wrong with it. */
function configure(
    config: Configuration,
    levels: Record<string, pb.EnforcementLevel> = {},
): Promise<string | undefined> {
    const request = new pb.ConfigureAnalyzerRequest();
    for (const [rule, settings] of Object.entries(config)) {
        const entry = new pb.PolicyConfig();
        entry.setProperties(Struct.fromJavaScript(settings));
        entry.setEnforcementlevel(levels[rule] ?? pb.EnforcementLevel.ADVISORY);
        request.getPolicyconfigMap().set(rule, entry);
    }
    return new Promise((resolve) => client.configure(request, (error) => resolve(error?.details)));
}

test("unknown rules and settings in --policy-pack-config are refused with the nearest name", async () => {
    expect(await configure({ "exposure-opn": {}, "quota-listeners": { limitt: 5 }, "wholly-other": {} })).toBe(
        [
            'error[policy-config]: quota-listeners: there is no setting "limitt"\n    remedy: did you ' +
                'mean "limit"?\n    source: docs/policies.md, Configuration',
            'error[policy-config]: there is no rule "exposure-opn"\n    remedy: did you mean ' +
                '"exposure-open"?\n    source: docs/policies.md, Configuration',
            'error[policy-config]: there is no rule "wholly-other"\n    remedy: write an object with ' +
                "the names of rules, or all, as keys; docs/policies.md lists the rules\n    source: " +
                "docs/policies.md, Configuration",
        ].join("\n"),
    );
    expect(
        await configure({ all: {}, "exposure-open": { except: ["shop/web"] }, "quota-listeners": { limit: 5 } }),
    ).toBeUndefined();
});

test("a text in place of another value, which may be a secret, is not quoted", async () => {
    const refused = await configure({
        "quota-listeners": { limit: "s3cret", except: "s3cret" },
        "annotations-values": { cluster: { edgeLink: "s3cret", clusterType: "aks" } },
    });
    expect(refused).toMatch(/quota-listeners: limit: a text is not allowed\n +remedy: write an integer of 1 or more/);
    expect(refused).toMatch(/quota-listeners: except: a text is not allowed\n +remedy: write a list of strings/);
    expect(refused).toMatch(
        /annotations-values: cluster.clusterType: "aks" is not allowed\n +remedy: write one of ack/,
    );
    expect(refused).not.toMatch(/s3cret/);
});

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const secret = (value: JavaScriptValue) => ({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value });

/** Shows a resource to the pack as the engine does; gives the level and text of each finding of a rule. */
async function judge({ type, urn, name, props }: PreviewResource, rule: string): Promise<string[]> {
    const request = new pb.AnalyzeRequest().setType(type).setUrn(urn).setName(name);
    request.setProperties(Struct.fromJavaScript(props as Record<string, JavaScriptValue>));
    const response = await new Promise<pb.AnalyzeResponse>((resolve, reject) =>
        client.analyze(request, (error, answer) => (error ? reject(error) : resolve(answer))),
    );
    const found = response.getDiagnosticsList().filter((one) => one.getPolicyname() === rule);
    const skipped = response.getNotApplicableList().filter((one) => one.getPolicyName() === rule);
    return [
        ...found.map((one) => `${["advisory", "mandatory"][one.getEnforcementlevel()]}: ${one.getMessage()}`),
        ...skipped.map(() => "not applicable"),
    ];
}

test("each rule has the level of the configuration, and a disabled one says nothing", async () => {
    const open = plain({ annotations: { scheduler: "wlcc" } });
    const levelsOf = async (level: pb.EnforcementLevel) => {
        await configure({ "annotations-values": {} }, { "annotations-values": level });
        return (await judge(open, "annotations-values")).map((text) => text.split(":")[0]);
    };
    expect(await levelsOf(pb.EnforcementLevel.MANDATORY)).toStrictEqual(["mandatory"]);
    expect(await levelsOf(pb.EnforcementLevel.ADVISORY)).toStrictEqual(["advisory"]);
    expect(await levelsOf(pb.EnforcementLevel.REMEDIATE)).toStrictEqual(["mandatory"]);
    expect(await levelsOf(pb.EnforcementLevel.DISABLED)).toStrictEqual([]);
});

test("a rule reads a secret without quoting it, cannot run on an unknown, skips other resources", async () => {
    await configure({ "annotations-values": {} }, { "annotations-values": pb.EnforcementLevel.MANDATORY });
    const annotated = (scheduler: unknown) => judge(plain({ annotations: { scheduler } }), "annotations-values");
    expect(await annotated(secret("wlcc"))).toStrictEqual([
        expect.stringMatching(/^mandatory: (?!.*wlcc).*\(secret\) is not valid/s),
    ]);
    expect(await annotated(UNKNOWN)).toStrictEqual([
        expect.stringMatching(
            /^advisory: can't run policy 'annotations-values' from policy pack 'ack-loadbalancer@v\S+' during preview: string value at \.metadata\.annotations\./,
        ),
    ]);
    const bucket = { ...plain(), type: "alicloud:oss/bucket:Bucket" };
    expect(await judge(bucket, "annotations-values")).toStrictEqual(["not applicable"]);
});

test("a level that the pack does not know is refused", async () => {
    expect(await configure({ "exposure-open": {} }, { "exposure-open": 9 as pb.EnforcementLevel })).toMatch(
        /exposure-open: enforcementLevel: 9 is not allowed\n +remedy: write advisory, mandatory or disabled/,
    );
});

test("a request that is malformed is answered with an error, and the pack goes on", async () => {
    await configure({ "annotations-values": {} }, { "annotations-values": pb.EnforcementLevel.MANDATORY });
    const error = await new Promise<Error | null>((resolve) =>
        client.makeUnaryRequest(
            "/pulumirpc.Analyzer/Analyze",
            () => Buffer.from([0x0a, 0xff, 0x01]),
            (bytes) => bytes,
            {},
            (failed) => {
                resolve(failed);
            },
        ),
    );
    expect(error?.message).toMatch(/^13 INTERNAL: Error deserializing request/);
    const bare = resource("alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer", null);
    expect(await judge(bare, "annotations-values")).toStrictEqual(["not applicable"]);
    expect(await judge(plain({ annotations: { scheduler: "wlcc" } }), "annotations-values")).toHaveLength(1);
});
