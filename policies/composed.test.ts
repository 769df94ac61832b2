/** A pack of another author, which mixes rules of this package with its own, in the host of the policy SDK. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import type * as pb from "@pulumi/pulumi/proto/analyzer_pb";
import { type ChildProcess, spawn } from "node:child_process";
import * as path from "node:path";
import { plain, resource, UNKNOWN } from "../test/support/policies/case";
import { answerOf, requestOf, stackRequestOf } from "../test/support/policies/host";
import { CLB_INSTANCE_TYPE } from "../provider/schema/resource-types";
import type { PreviewResource } from "./subjects";

/** As docs/policies.md shows it. */
const PACK = `
    const { ApplicationLoadBalancer } = require("@pulumi/alicloud/slb");
    const { PolicyPack, validateResourceOfType } = require("@pulumi/policy");
    const { policyOf, RULES } = require("${path.resolve("dist/policies/index.js")}");
    new PolicyPack("ours", {
        policies: [
            ...RULES.filter(({ group }) => group !== "naming").map(policyOf),
            {
                name: "named",
                description: "Load balancers have names.",
                enforcementLevel: "mandatory",
                validateResource: validateResourceOfType(ApplicationLoadBalancer, ({ loadBalancerName }, _, report) => {
                    if (!loadBalancerName) report("it has no name");
                }),
            },
        ],
    });`;

let pack: ChildProcess;
let client: AnalyzerClient;

beforeAll(async () => {
    pack = spawn(process.execPath, ["-e", PACK], {
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

/** Returns the answer to a call as lines of rule, level and message. */
const answered = (call: (done: (error: ServiceError | null, answer: pb.AnalyzeResponse) => void) => void) =>
    new Promise<string[]>((resolve, reject) =>
        call((error, answer) => {
            if (error) reject(error);
            else resolve(answerOf(answer).said.map(({ rule, level, message }) => `${rule}, ${level}: ${message}`));
        }),
    );

const judge = (shown: PreviewResource) => answered((done) => client.analyze(requestOf(shown), done));

const judgeStack = (shown: readonly PreviewResource[]) =>
    answered((done) => client.analyzeStack(stackRequestOf(shown), done));

test("rules of both judge resources", async () => {
    expect(await judge(resource(CLB_INSTANCE_TYPE, { loadBalancerName: "" }))).toContainEqual(
        expect.stringMatching(/^named, mandatory: .*it has no name$/s),
    );
    expect(await judge(plain({ annotations: { scheduler: "wlcc" } }))).toContainEqual(
        expect.stringMatching(/^annotations-values, mandatory: .*"wlcc" is not valid/s),
    );
});

test("a rule does not run on an unknown value", async () => {
    expect(await judge(plain({ annotations: { scheduler: UNKNOWN } }))).toContainEqual(
        expect.stringMatching(/^annotations-values, advisory: can't run policy 'annotations-values' .* during preview/),
    );
});

test("advisory violations of several Services are one message of the stack", async () => {
    const open = ["web", "shop"].map((name) => plain({ name }));
    for (const one of open) expect((await judge(one)).join("\n")).not.toMatch(/exposure-open/);
    const found = (await judgeStack(open)).filter((text) => text.startsWith("exposure-open"));
    expect(found).toStrictEqual([
        expect.stringMatching(/^exposure-open, advisory: .*2 Services: shop\/web, shop\/shop: /s),
    ]);
});
