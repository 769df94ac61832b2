import { afterEach, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { WRITE_QUOTAS_VARIABLE } from "../../provider/quotas";
import { resolveAccount } from "./account";

afterEach(() => {
    Reflect.deleteProperty(process.env, WRITE_QUOTAS_VARIABLE);
});

test("write quotas that cannot be read end the run with a message, before anything is registered", () => {
    process.env[WRITE_QUOTAS_VARIABLE] = "slb=many";
    let error: unknown;
    try {
        resolveAccount(undefined, "cn-hangzhou");
    } catch (thrown) {
        error = thrown;
    }
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect(String(error)).toMatch(
        /ACK_LOADBALANCER_WRITE_QUOTAS has "slb=many", which is not a valid quota\. Remedy: /,
    );
    process.env[WRITE_QUOTAS_VARIABLE] = "slb=180/60";
    expect(resolveAccount(undefined, "cn-hangzhou")).toEqual({ region: "cn-hangzhou" });
});
