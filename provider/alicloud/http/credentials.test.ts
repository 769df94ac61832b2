import assert from "node:assert/strict";
import { test } from "node:test";
import { CredentialsError, keySource, keysOfEnvironment } from "./credentials";

test("key pairs of the environment, in the alicloud plugin's order; half a pair does not count", () => {
    const one = { ALIBABA_CLOUD_ACCESS_KEY_ID: "id1", ALIBABA_CLOUD_ACCESS_KEY_SECRET: "s1" };
    assert.deepEqual(keysOfEnvironment(one), { accessKeyId: "id1", accessKeySecret: "s1" });
    assert.deepEqual(keysOfEnvironment({ ...one, ALIBABA_CLOUD_SECURITY_TOKEN: "t1" }), {
        accessKeyId: "id1",
        accessKeySecret: "s1",
        securityToken: "t1",
    });
    assert.deepEqual(keysOfEnvironment({ ...one, ALICLOUD_ACCESS_KEY: "id2", ALICLOUD_SECRET_KEY: "s2" }), {
        accessKeyId: "id2",
        accessKeySecret: "s2",
    });
    assert.deepEqual(keysOfEnvironment({ ...one, ALICLOUD_ACCESS_KEY: "id2" }), {
        accessKeyId: "id1",
        accessKeySecret: "s1",
    });
    assert.equal(keysOfEnvironment({ ALIBABA_CLOUD_ACCESS_KEY_ID: "id1" }), undefined);
});

test("explicit keys go before the environment", async () => {
    const keys = { accessKeyId: "id0", accessKeySecret: "s0" };
    assert.deepEqual(
        await keySource({ ALIBABA_CLOUD_ACCESS_KEY_ID: "id1", ALIBABA_CLOUD_ACCESS_KEY_SECRET: "s1" }, keys)(),
        keys,
    );
});

test("no credentials at all: an error with a remedy, and each further call asks the whole chain again", async (t) => {
    const former = { ...process.env };
    t.after(() => {
        process.env = former;
    });
    process.env = { PATH: former["PATH"], HOME: "/nonexistent", ALIBABA_CLOUD_ECS_METADATA_DISABLED: "true" };
    const source = keySource({});
    await assert.rejects(
        source(),
        (error: unknown) =>
            error instanceof CredentialsError && /remedy: set ALIBABA_CLOUD_ACCESS_KEY_ID/.test(error.message),
    );
    // The library reads the process's environment; a chain that was stuck on its last member would not see this.
    process.env["ALIBABA_CLOUD_ACCESS_KEY_ID"] = "late";
    process.env["ALIBABA_CLOUD_ACCESS_KEY_SECRET"] = "later";
    assert.deepEqual(await source(), { accessKeyId: "late", accessKeySecret: "later" });
});
