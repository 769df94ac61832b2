import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { credentials } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { ConfigureAnalyzerRequest, PolicyConfig } from "@pulumi/pulumi/proto/analyzer_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { type ChildProcess, spawn } from "node:child_process";
import * as path from "node:path";

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

/** Hands over a configuration as the engine does, and returns its problems. */
function configure(config: Record<string, Record<string, JavaScriptValue>>): Promise<string | undefined> {
    const request = new ConfigureAnalyzerRequest();
    for (const [rule, settings] of Object.entries(config)) {
        const entry = new PolicyConfig();
        entry.setProperties(Struct.fromJavaScript(settings));
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
