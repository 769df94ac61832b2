import { expect, test } from "@jest/globals";
import { onTestFinished } from "../../../test/support/finished";
import { CredentialsError, keySource, keysOfEnvironment } from "./credentials";

test("key pairs of the environment, in the alicloud plugin's order; half a pair does not count", () => {
    const one = { ALIBABA_CLOUD_ACCESS_KEY_ID: "id1", ALIBABA_CLOUD_ACCESS_KEY_SECRET: "s1" };
    expect(keysOfEnvironment(one)).toStrictEqual({ accessKeyId: "id1", accessKeySecret: "s1" });
    expect(keysOfEnvironment({ ...one, ALIBABA_CLOUD_SECURITY_TOKEN: "t1" })).toStrictEqual({
        accessKeyId: "id1",
        accessKeySecret: "s1",
        securityToken: "t1",
    });
    expect(keysOfEnvironment({ ...one, ALICLOUD_ACCESS_KEY: "id2", ALICLOUD_SECRET_KEY: "s2" })).toStrictEqual({
        accessKeyId: "id2",
        accessKeySecret: "s2",
    });
    expect(keysOfEnvironment({ ...one, ALICLOUD_ACCESS_KEY: "id2" })).toStrictEqual({
        accessKeyId: "id1",
        accessKeySecret: "s1",
    });
    expect(keysOfEnvironment({ ALIBABA_CLOUD_ACCESS_KEY_ID: "id1" })).toBeUndefined();
});

test("explicit keys go before the environment", async () => {
    const keys = { accessKeyId: "id0", accessKeySecret: "s0" };
    expect(
        await keySource({ ALIBABA_CLOUD_ACCESS_KEY_ID: "id1", ALIBABA_CLOUD_ACCESS_KEY_SECRET: "s1" }, keys)(),
    ).toStrictEqual(keys);
});

test("missing credentials are an error with a remedy, and every call tries the whole chain again", async () => {
    const former = { ...process.env };
    onTestFinished(() => {
        process.env = former;
    });
    process.env = { PATH: former["PATH"], HOME: "/nonexistent", ALIBABA_CLOUD_ECS_METADATA_DISABLED: "true" };
    const source = keySource({});
    await expect(source()).rejects.toBeInstanceOf(CredentialsError);
    await expect(source()).rejects.toThrow(/remedy: set ALIBABA_CLOUD_ACCESS_KEY_ID/);
    // The library reads the process's environment, which a chain that was stuck on its last member would not see.
    process.env["ALIBABA_CLOUD_ACCESS_KEY_ID"] = "late";
    process.env["ALIBABA_CLOUD_ACCESS_KEY_SECRET"] = "later";
    expect(await source()).toStrictEqual({ accessKeyId: "late", accessKeySecret: "later" });
});
