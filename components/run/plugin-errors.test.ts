/**
 * Messages of a run when the alicloud plugin fails.
 *
 * Requirements: G25.
 */
import { afterEach, expect, jest, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { systemClock } from "../../provider/net";
import { explainFailure, retryThrottled } from "./failures";

afterEach(() => void jest.restoreAllMocks());

/** Calls the hook as the engine does. Gives what it logs. */
async function said(failedOperation: string, error: string): Promise<readonly string[]> {
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
    const again = await explainFailure({
        urn: "urn:pulumi:dev::shop::alicloud:slb/serverGroup:ServerGroup::shop/web/tcp-80",
        id: "rsp-1",
        name: "shop/web/tcp-80",
        type: "alicloud:slb/serverGroup:ServerGroup",
        failedOperation,
        errors: [error],
    });
    expect(again).toBe(false);
    return warn.mock.calls.map(([text]) => text);
}

const IN_USE =
    "deleting urn: 1 error occurred:\n\t* [ERROR] Resource rsp-1 DeleteVServerGroup Failed!!! [SDK " +
    "alibaba-cloud-sdk-go ERROR]:\nSDKError:\n   StatusCode: 400\n   Code: RspoolVipExist\n   " +
    "Message: code: 400, there are vips associating with this vServer group.\n";

for (const operation of ["create", "update", "delete"]) {
    test(`a known error of the plugin in a ${operation} is explained, and nothing is tried again`, async () => {
        const [text, ...more] = await said(operation, IN_USE);
        expect(text).toMatch(
            new RegExp(`^${operation} of shop/web/tcp-80 failed:\\n {2}cause: .*\\n {2}remedy: .*\\n {2}see: .*$`),
        );
        expect(more).toStrictEqual([]);
    });
}

test("an error that no table knows is left to the plugin's words", async () => {
    expect(await said("delete", "all is well")).toStrictEqual([]);
});

const THROTTLED =
    "1 error occurred:\n\t* Resource rsp-1 SetVServerGroupAttribute Failed!!! [SDK " +
    "alibaba-cloud-sdk-go ERROR]:\nSDK.ServerError\nErrorCode: Throttling.User\n";

test.each([
    ["create", true],
    ["update", false],
    ["delete", false],
])("a %s that the cloud refuses for its rate is tried again", async (failedOperation, removes) => {
    const sleep = jest.spyOn(systemClock, "sleep").mockResolvedValue();
    const remove = jest.fn(async () => undefined);
    const args = { urn: "", id: "rsp-1", name: "shop/web/tcp-80", type: "", failedOperation, errors: [THROTTLED] };
    expect(await retryThrottled(args, remove)).toBe(true);
    expect(sleep.mock.calls[0]?.[0]).toBeGreaterThanOrEqual(5_000);
    expect(sleep.mock.calls[0]?.[0]).toBeLessThanOrEqual(15_000);
    expect(remove).toHaveBeenCalledTimes(removes ? 1 : 0);
});

test("an operation that is refused for its rate sixty times is explained and fails", async () => {
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
    const remove = jest.fn(async () => undefined);
    const errors = Array.from({ length: 60 }, () => THROTTLED);
    const args = { urn: "", id: "", name: "shop/web/tcp-80", type: "", failedOperation: "create", errors };
    expect(await retryThrottled(args, remove)).toBe(false);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(remove).not.toHaveBeenCalled();
});

test("a create that fails otherwise is explained and not tried again", async () => {
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
    const remove = jest.fn(async () => undefined);
    const args = { urn: "", id: "", name: "shop/web/tcp-80", type: "", failedOperation: "create", errors: [IN_USE] };
    expect(await retryThrottled(args, remove)).toBe(false);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(remove).not.toHaveBeenCalled();
});
