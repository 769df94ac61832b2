/** Requirements: G24. */
import { expect, test } from "@jest/globals";
import { HttpFailure } from "../../net";
import { createCloud } from "./client";
import { CloudError } from "./error";
import { refusal, scriptedCloud, VirtualClock, type Answer } from "../../../test/support/cloud-client";

async function failureOf(work: Promise<unknown>): Promise<CloudError> {
    try {
        await work;
    } catch (error) {
        expect(error).toBeInstanceOf(CloudError);
        return error as CloudError;
    }
    throw new Error("the call succeeded");
}

/** Refuses the first tries, then answers. */
const after =
    (tries: number, answer: Answer) =>
    (_: unknown, count: number): Answer =>
        count <= tries ? answer : { body: { RequestId: "ok", Done: true } };

test("a call has the region, parameters in the body, and an ACS3 signature that covers them", async () => {
    const { cloud, asked, clock } = scriptedCloud(() => ({ body: { RequestId: "r", VServerGroupId: "rsp-1" } }));
    const answer = await clock.run(
        cloud.call("slb", "CreateVServerGroup", {
            LoadBalancerId: "lb-1",
            Tag: [{ Key: "a", Value: "b" }],
            Nothing: undefined,
        }),
    );
    expect(answer["VServerGroupId"]).toBe("rsp-1");
    expect(asked[0]?.params).toStrictEqual({
        RegionId: "cn-hangzhou",
        LoadBalancerId: "lb-1",
        "Tag.1.Key": "a",
        "Tag.1.Value": "b",
    });
    const headers = asked[0]?.headers ?? {};
    expect(headers["x-acs-action"]).toBe("CreateVServerGroup");
    expect(headers["x-acs-version"]).toBe("2014-05-15");
    expect(headers["x-acs-security-token"]).toBe("very-secret-token");
    expect(headers["authorization"] ?? "").toMatch(
        /^ACS3-HMAC-SHA256 Credential=LTAItestkeyid00001,SignedHeaders=[a-z0-9;-]*host;[a-z0-9;-]*x-acs-content-sha256;[a-z0-9;-]*,Signature=[0-9a-f]{64}$/,
    );
    expect(headers["x-acs-content-sha256"] ?? "").toMatch(/^[0-9a-f]{64}$/);
});

test("every try is signed anew: the cloud refuses a nonce that it has seen", async () => {
    const { cloud, asked, clock } = scriptedCloud(after(2, refusal("Throttling.User")));
    await clock.run(cloud.call("slb", "DescribeRegions"));
    expect(new Set(asked.map(({ headers }) => headers["x-acs-signature-nonce"])).size).toBe(3);
});

for (const [name, answer] of Object.entries<Answer>({
    "Throttling.User": refusal("Throttling.User"),
    "Rejected.Throttling": refusal("Rejected.Throttling"),
    "HTTP 429": { status: 429, text: "slow down" },
    ServiceIsConfiguring: refusal("ServiceIsConfiguring"),
    SystemBusy: refusal("SystemBusy"),
    OperationBusy: refusal("OperationBusy"),
    VServerGroupProcessing: refusal("VServerGroupProcessing"),
    "BackendServer.configuring": refusal("BackendServer.configuring"),
    "OperationFailed.ListenerStatusNotSupport": refusal("OperationFailed.ListenerStatusNotSupport"),
    "Conflict.Lock": refusal("Conflict.Lock"),
    "IncorrectStatus.serverGroup": refusal("IncorrectStatus.serverGroup"),
    ServiceUnavailable: refusal("ServiceUnavailable", "", 503),
    "a gateway's HTML 503": { status: 503, text: "<html>Service Unavailable</html>" },
    "no connection": new HttpFailure("ECONNREFUSED", "connect ECONNREFUSED", false),
})) {
    test(`${name} is tried again, even for a call that must not happen twice`, async () => {
        const { cloud, asked, clock } = scriptedCloud(after(3, answer));
        const result = await clock.run(cloud.call("slb", "CreateVServerGroup", { LoadBalancerId: "lb-1" }));
        expect(result["Done"]).toBe(true);
        expect(asked).toHaveLength(4);
    });
}

for (const [name, answer] of Object.entries<Answer>({
    InternalError: refusal("InternalError", "", 500),
    "HTTP 502": { status: 502, text: "<html>Bad Gateway</html>" },
    "a connection lost after sending": new HttpFailure("ECONNRESET", "socket hang up", true),
    "no answer in time": new HttpFailure("READ_TIMEOUT", "no complete answer within 20000 ms", true),
    "an answer that is not JSON": { text: "<html>" },
})) {
    test(`after ${name} a read is retried; a create fails with an unknown outcome`, async () => {
        const read = scriptedCloud(after(2, answer));
        expect((await read.clock.run(read.cloud.call("slb", "DescribeRegions")))["Done"]).toBe(true);
        expect(read.asked).toHaveLength(3);

        const create = scriptedCloud(after(2, answer));
        const failure = await create.clock.run(failureOf(create.cloud.call("slb", "CreateVServerGroup")));
        expect(create.asked).toHaveLength(1);
        expect(failure.uncertain).toBe(true);
        expect(failure.message).toMatch(/not known whether the cloud carried it out/);

        const answered = scriptedCloud(after(2, answer));
        await answered.clock.run(
            answered.cloud.call("slb", "CreateLoadBalancer", { ClientToken: "t" }, { idempotent: true }),
        );
        expect(answered.asked).toHaveLength(3);
    });
}

test("final refusals and untrusted certificates are not tried again", async () => {
    for (const answer of [
        refusal("InvalidParameter"),
        refusal("SignatureDoesNotMatch", "", 403),
        new HttpFailure("DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate", false),
    ]) {
        const { cloud, asked, clock } = scriptedCloud(() => answer);
        const failure = await clock.run(failureOf(cloud.call("slb", "DescribeRegions")));
        expect(asked).toHaveLength(1);
        expect(failure.kind).toBe("final");
        expect(failure.attempts).toBe(1);
    }
});

test("waits double up to their cap, and are drawn evenly below it", async () => {
    const highest = scriptedCloud(after(8, refusal("Throttling")), { clock: new VirtualClock(() => 1) });
    await highest.clock.run(highest.cloud.call("slb", "DescribeRegions"));
    expect(highest.clock.slept).toStrictEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
    const half = scriptedCloud(after(3, refusal("ServiceIsConfiguring")), { clock: new VirtualClock(() => 0.5) });
    await half.clock.run(half.cloud.call("slb", "DescribeRegions"));
    expect(half.clock.slept).toStrictEqual([125, 250, 500]);
});

test("a pause that the server asks for is kept, within reason", async () => {
    const answer = (header: Record<string, string>): Answer => ({
        ...refusal("Throttling"),
        headers: header,
    });
    for (const [header, expected] of [
        [{ "x-acs-retry-after": "4321" }, 4321],
        [{ "retry-after": "7" }, 7000],
        [{ "retry-after": "86400" }, 60_000],
    ] as const) {
        const { cloud, clock } = scriptedCloud(after(1, answer(header)), { clock: new VirtualClock(() => 0) });
        await clock.run(cloud.call("slb", "DescribeRegions"));
        expect(clock.slept).toStrictEqual([expected]);
    }
});

test("tries are bounded; the last refusal is the error, with the number of tries", async () => {
    const { cloud, asked, clock } = scriptedCloud(
        () => refusal("Throttling.User", "Request was denied due to user flow control."),
        {
            backoff: { throttled: { attempts: 3 } },
        },
    );
    const failure = await clock.run(failureOf(cloud.call("slb", "AddVServerGroupBackendServers")));
    expect(asked).toHaveLength(3);
    expect(failure.attempts).toBe(3);
    expect(failure.code).toBe("Throttling.User");
    expect(failure.message).toMatch(
        /^AddVServerGroupBackendServers failed: Throttling\.User: Request was denied .* \(request id R-1, 3 tries\)\n {2}cause: .+\n {2}remedy: .+/,
    );
});

test("each kind of failure has tries of its own, with waits of its own", async () => {
    const script = [
        ...Array<Answer>(10).fill(refusal("VServerGroupProcessing")),
        ...Array<Answer>(2).fill(refusal("ServiceUnavailable", "", 503)),
    ];
    const { cloud, asked, clock } = scriptedCloud((_, count) => script[count - 1] ?? { body: {} }, {
        backoff: { unavailable: { attempts: 3 } },
    });
    await clock.run(cloud.call("slb", "AddVServerGroupBackendServers"));
    expect(asked).toHaveLength(13);
    expect(clock.slept.slice(9)).toStrictEqual([5000, 500, 1000]);
});

test("the total time is bounded too, and no wait is begun that would pass it", async () => {
    const { cloud, clock } = scriptedCloud(() => refusal("ServiceIsConfiguring"), { totalTimeoutMs: 10_000 });
    const failure = await clock.run(failureOf(cloud.call("slb", "SetVServerGroupAttribute")));
    expect(failure.kind).toBe("busy");
    expect(clock.now()).toBeLessThan(10_000);
    expect(clock.slept).toStrictEqual([250, 500, 1000, 2000, 4000]);
});

test("a throttled action holds the other callers of the same action, and no other action", async () => {
    let refused = false;
    const { cloud, asked, clock } = scriptedCloud(({ action }) => {
        if (action === "SetVServerGroupAttribute" && !refused) {
            refused = true;
            return refusal("Throttling");
        }
        return { body: {} };
    });
    const first = cloud.call("slb", "SetVServerGroupAttribute");
    // Time stands still until it is run, so the others come while the first waits.
    while (clock.slept.length === 0) await new Promise((wake) => setImmediate(wake));
    await clock.run(
        Promise.all([first, cloud.call("slb", "SetVServerGroupAttribute"), cloud.call("slb", "DescribeRegions")]),
    );
    const times = (action: string): number[] => asked.filter((one) => one.action === action).map(({ at }) => at);
    expect(times("SetVServerGroupAttribute")).toStrictEqual([0, 1000, 1000]);
    expect(times("DescribeRegions")).toStrictEqual([0]);
});

test("an abort ends a wait with the caller's reason", async () => {
    const abort = new AbortController();
    const { cloud, clock } = scriptedCloud(() => refusal("Throttling"));
    const work = cloud.call("slb", "DescribeRegions", {}, { signal: abort.signal });
    const watched = expect(work).rejects.toThrow(/enough/);
    while (clock.slept.length === 0) await new Promise((wake) => setImmediate(wake));
    abort.abort(new Error("enough"));
    await watched;
});

test("errors show no key, token or signature, whatever the cloud quotes", async () => {
    const quoted =
        "Specified signature is not matched with our calculation. server string to sign " +
        "is:POST&%2F&AccessKeyId%3DLTAItestkeyid00001%26SecurityToken%3Dvery-secret-token secret " +
        "very-secret-value";
    const { cloud, clock } = scriptedCloud(({ headers }) =>
        refusal("SignatureDoesNotMatch", `${headers["authorization"]} ${quoted}`, 400),
    );
    const failure = await clock.run(failureOf(cloud.call("slb", "DescribeRegions")));
    for (const shown of [failure.message, failure.detail, String(failure.stack), JSON.stringify(failure)]) {
        expect(shown).not.toMatch(/very-secret|LTAItest|Signature=[0-9a-f]/);
    }
    expect(failure.message).toMatch(/remedy: Check ALIBABA_CLOUD_ACCESS_KEY_SECRET/);
});

test("what the cloud says is one line of an error, short and without control characters", async () => {
    const evil = "Bad\n##vso[x]\u001b[31m\u202e";
    const { cloud, clock } = scriptedCloud(() => ({
        status: 400,
        body: { Code: evil, Message: `${evil}${"x".repeat(1_000_000)}`, RequestId: evil },
    }));
    const failure = await clock.run(failureOf(cloud.call("slb", "DescribeRegions")));
    const shown = "Bad \\x23#vso[x]\\x1b[31m\\u202e";
    expect([failure.code, failure.requestId]).toStrictEqual([shown, shown]);
    expect(failure.message).toMatch(/^DescribeRegions failed: Bad .{900,1100}x… \(request id Bad .*, 1 try\)$/);
    expect(failure.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]|##vso/);
});

test("a session of an assumed role is used until it expires by wall clock, and is then renewed", async () => {
    const DAY = 86_400_000;
    for (const [ends, sessions] of [
        [Date.now() + DAY, 1],
        [Date.now() - DAY, 3],
    ] as const) {
        const { cloud, asked } = scriptedCloud(
            ({ action }) =>
                action === "AssumeRole"
                    ? {
                          body: {
                              Credentials: {
                                  AccessKeyId: "STS.1",
                                  AccessKeySecret: "s",
                                  SecurityToken: "t",
                                  Expiration: new Date(ends).toISOString(),
                              },
                          },
                      }
                    : { body: {} },
            { assumeRole: { roleArn: "acs:ram::2:role/lb", sessionName: `ends-${ends}` } },
        );
        for (let call = 0; call < 3; call++) await cloud.call("slb", "DescribeRegions");
        expect(asked.filter(({ action }) => action === "AssumeRole")).toHaveLength(sessions);
    }
});

test("callers at one time share the session of an assumed role", async () => {
    const { cloud, asked } = scriptedCloud(
        ({ action }) =>
            action === "AssumeRole"
                ? {
                      body: {
                          Credentials: {
                              AccessKeyId: "STS.1",
                              AccessKeySecret: "s",
                              SecurityToken: "t",
                              Expiration: new Date(Date.now() + 86_400_000).toISOString(),
                          },
                      },
                  }
                : { body: {} },
        { assumeRole: { roleArn: "acs:ram::2:role/lb", sessionName: "shared" } },
    );
    await Promise.all(Array.from({ length: 5 }, () => cloud.call("slb", "DescribeRegions")));
    expect(asked.filter(({ action }) => action === "AssumeRole")).toHaveLength(1);
});

test("a missing region and missing credentials are plain errors", async () => {
    expect(() => createCloud({ env: {} })).toThrow(/No Alibaba Cloud region is set[\s\S]*ALIBABA_CLOUD_REGION/);
    for (const name of ["ALIBABA_CLOUD_REGION", "ALICLOUD_REGION", "ALIBABA_CLOUD_REGION_ID"])
        expect(createCloud({ env: { [name]: "eu-central-1" } }).region).toBe("eu-central-1");
});
