import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResourceValidationArgs, ResourceValidationPolicy } from "@pulumi/policy";
import { unknownCheckingProxy, UnknownValueError } from "@pulumi/policy";
import { exposure, immutability, rules } from "./index";
import { CONTRACT_TYPE, SERVICE_TYPE } from "./types";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What a rule reports of a resource, its properties as a preview shows them. */
async function reports(rule: ResourceValidationPolicy, type: string, props: Record<string, unknown>, config: object = {}): Promise<string[]> {
    const found: string[] = [];
    const args = { type, props: unknownCheckingProxy(props), name: "x", urn: "urn", opts: {}, getConfig: () => config } as unknown as ResourceValidationArgs;
    for (const validate of [rule.validateResource].flat()) {
        await validate?.(args, (message) => void found.push(message));
    }
    return found;
}

const ESTABLISHED = { addressType: "internet", clusterId: "c1" };
const CHANGED = { service: "shop/web", established: ESTABLISHED, requested: { ...ESTABLISHED, addressType: "intranet" } };
const OPEN = { service: "shop/web", addressType: "internet", ports: ["TCP:80"], settings: {} };

test("immutability: a changed create-only setting is reported; an unchanged one, a first one and other resources are not", async () => {
    assert.match((await reports(immutability, CONTRACT_TYPE, CHANGED)).join(), /Service shop\/web: addressType cannot change from "internet" to "intranet"/);
    assert.deepEqual(await reports(immutability, CONTRACT_TYPE, { ...CHANGED, requested: ESTABLISHED }), []);
    assert.deepEqual(await reports(immutability, CONTRACT_TYPE, { service: "shop/web", requested: ESTABLISHED }), []);
    assert.deepEqual(await reports(immutability, SERVICE_TYPE, OPEN), []);
});

test("immutability: a platform team may let a Service through", async () => {
    assert.deepEqual(await reports(immutability, CONTRACT_TYPE, CHANGED, { allow: ["shop/web"] }), []);
    assert.equal((await reports(immutability, CONTRACT_TYPE, CHANGED, { allow: ["shop/other"] })).length, 1);
});

test("exposure: an Internet-facing Service without an access control list is reported; an internal or a guarded one is not", async () => {
    assert.match((await reports(exposure, SERVICE_TYPE, OPEN)).join(), /shop\/web is open to the Internet on TCP:80/);
    assert.deepEqual(await reports(exposure, SERVICE_TYPE, { ...OPEN, addressType: "intranet" }), []);
    assert.deepEqual(await reports(exposure, SERVICE_TYPE, { ...OPEN, settings: { aclStatus: "on" } }), []);
    assert.deepEqual(await reports(exposure, SERVICE_TYPE, { ...OPEN, settings: { securityGroupIds: ["sg-1"] } }), []);
    assert.deepEqual(await reports(exposure, SERVICE_TYPE, { ...OPEN, sourceRanges: ["10.0.0.0/8"] }), []);
    assert.deepEqual(await reports(exposure, CONTRACT_TYPE, CHANGED), []);
});

test("a value that is not known yet is never taken for a good one", async () => {
    await assert.rejects(reports(exposure, SERVICE_TYPE, { ...OPEN, addressType: UNKNOWN }), UnknownValueError);
    await assert.rejects(reports(immutability, CONTRACT_TYPE, { ...CHANGED, requested: { addressType: UNKNOWN } }), UnknownValueError);
});

test("every rule says what it is, how grave it is and what to do", () => {
    for (const rule of rules) {
        assert.match(rule.name, /^[a-z-]+$/);
        assert.ok(rule.description.length > 20 && rule.remediationSteps && rule.severity && rule.enforcementLevel && rule.tags?.length, rule.name);
    }
});
