import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Core, { $OpenApiUtil, OpenApiUtil } from "@alicloud/openapi-core";
import * as $dara from "@darabonba/typescript";
import { startCloud, type RunningCloud } from ".";

let dir: string;
let cloud: RunningCloud;

beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "lab-cloud-"));
    cloud = await startCloud({ dir, accessKeyId: "LTAItest", accessKeySecret: "s3cret" });
});

afterAll(async () => {
    await cloud.stop();
    rmSync(dir, { recursive: true, force: true });
});

interface CallOptions {
    readonly secret?: string;
    readonly keyId?: string;
    readonly protocol?: "HTTP" | "HTTPS";
    readonly inBody?: boolean;
    readonly algorithm?: string;
}

/** Calls through Alibaba Cloud's own client. */
async function call(
    action: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
): Promise<Record<string, unknown>> {
    const protocol = options.protocol ?? "HTTPS";
    const config = new $OpenApiUtil.Config({
        accessKeyId: options.keyId ?? "LTAItest",
        accessKeySecret: options.secret ?? "s3cret",
        endpoint: `127.0.0.1:${cloud.port}`,
        protocol,
        regionId: "cn-hangzhou",
        ...(options.algorithm === undefined ? {} : { signatureAlgorithm: options.algorithm }),
    });
    const shape = {
        action,
        version: "2014-05-15",
        protocol,
        method: "POST",
        pathname: "/",
        style: "RPC",
        authType: "AK",
        reqBodyType: "formData",
        bodyType: "json",
    };
    const flat = OpenApiUtil.query(params);
    const request = new $OpenApiUtil.OpenApiRequest(options.inBody === true ? { body: flat } : { query: flat });
    const runtime = new $dara.RuntimeOptions({
        ca: readFileSync(cloud.caFile, "utf8"),
        connectTimeout: 5000,
        readTimeout: 5000,
    });
    const answer = (await new Core(config).callApi(new $OpenApiUtil.Params(shape), request, runtime)) as {
        body: Record<string, unknown>;
    };
    return answer.body;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
    try {
        await work;
        return "OK";
    } catch (error) {
        return String((error as { code?: unknown }).code);
    }
}

async function lab(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(cloud.url + path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
}

const desired = {
    RegionId: "cn-hangzhou",
    LoadBalancerName: "web",
    InstanceChargeType: "PayByCLCU",
    Tag: [{ Key: "a", Value: "b c/ü*'()" }],
};

test("Alibaba Cloud's client works with ACS3 over TLS, with parameters in query or body", async () => {
    for (const options of [{}, { inBody: true }, { protocol: "HTTP" as const }, { algorithm: "v2" }]) {
        const made = await call("CreateLoadBalancer", desired, options);
        const id = String(made["LoadBalancerId"]);
        const tags = (await call("ListTagResources", { ResourceType: "instance", ResourceId: [id] }, options))[
            "TagResources"
        ];
        expect(tags).toStrictEqual({
            TagResource: [{ ResourceId: id, ResourceType: "instance", TagKey: "a", TagValue: "b c/ü*'()" }],
        });
    }
});

test("a wrong secret and an unknown key are refused", async () => {
    expect(await codeOf(call("DescribeLoadBalancers", {}, { secret: "wrong" }))).toBe("SignatureDoesNotMatch");
    expect(await codeOf(call("DescribeLoadBalancers", {}, { keyId: "LTAIother" }))).toBe("InvalidAccessKeyId.NotFound");
    expect(await codeOf(call("NoSuchAction", {}))).toBe("InvalidAction.NotFound");
});

test("the call log shows each call with its form and outcome", async () => {
    const [{ n } = { n: 0 }] = ((await lab("GET", "/_calls")) as { n: number }[]).slice(-1);
    await call("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: "g" });
    await codeOf(call("DeleteVServerGroup", { VServerGroupId: "rsp-none" }));
    await call("DescribeLoadBalancers", {});
    const rows = (await lab("GET", `/_calls?since=${n}&mutating=true`)) as Record<string, unknown>[];
    expect(rows.map((r) => [r["action"], r["form"], r["origin"], r["code"], r["status"]])).toStrictEqual([
        ["CreateVServerGroup", "V3", "api", "OK", 200],
        ["DeleteVServerGroup", "V3", "api", "InvalidParameter", 400],
    ]);
    expect(rows[0]?.["params"]).toStrictEqual({ LoadBalancerId: "lb-0001", VServerGroupName: "g" });
});

test("faults: refusal, delay, drop before and after the effect, invalid response", async () => {
    const groups = async (): Promise<number> =>
        ((await lab("GET", "/_state")) as { slb: { vServerGroups: unknown[] } }).slb.vServerGroups.length;
    const create = (name: string): Promise<unknown> =>
        call("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: name });
    const start = await groups();

    await lab("POST", "/_faults", { action: "CreateVServerGroup", code: "SystemBusy", status: 503, times: 1 });
    expect(await codeOf(create("a"))).toBe("SystemBusy");
    await create("a");
    expect(await groups()).toBe(start + 1);

    await lab("POST", "/_faults", { action: "CreateVServerGroup", match: { VServerGroupName: "/^b/" }, drop: true });
    expect(await codeOf(create("b1"))).not.toBe("OK");
    await create("c");
    expect(await groups()).toBe(start + 2);
    await lab("DELETE", "/_faults");

    await lab("POST", "/_faults", { action: "*", product: "Slb", dropAfterEffect: true, times: 1 });
    expect(await codeOf(create("d"))).not.toBe("OK");
    expect(await groups()).toBe(start + 3);

    await lab("POST", "/_faults", { action: "CreateVServerGroup", skip: 1, body: "<html>", status: 502, times: 1 });
    await create("e");
    expect(await codeOf(create("f"))).not.toBe("OK");
    expect(await groups()).toBe(start + 4);

    await lab("POST", "/_faults", { action: "DescribeLoadBalancers", delayMs: 120, times: 1 });
    const from = Date.now();
    await call("DescribeLoadBalancers", {});
    expect(Date.now() - from).toBeGreaterThanOrEqual(115);
    await lab("DELETE", "/_faults");
    expect(await lab("GET", "/_faults")).toStrictEqual([]);
});

test("a call is held until its fault is removed", async () => {
    const { ids } = (await lab("POST", "/_faults", { action: "CreateVServerGroup", hold: true })) as { ids: string[] };
    let done = false;
    const held = call("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: "held" }).then(
        () => (done = true),
    );
    const hits = async () => ((await lab("GET", "/_faults")) as { hits: number }[])[0]?.hits;
    while ((await hits()) !== 1) await new Promise((resolve) => setTimeout(resolve, 10));
    await call("DescribeLoadBalancers", {});
    expect(done).toBe(false);
    await lab("DELETE", `/_faults?id=${ids[0]}`);
    await held;
    expect(done).toBe(true);
});

test("stale reads omit the last change, and a timed fault ends", async () => {
    const names = async () => {
        const { VServerGroups } = (await call("DescribeVServerGroups", { LoadBalancerId: "lb-0001" })) as {
            VServerGroups: { VServerGroup: { VServerGroupName: string }[] };
        };
        return VServerGroups.VServerGroup.map(({ VServerGroupName }) => VServerGroupName);
    };
    const create = (name: string): Promise<unknown> =>
        call("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: name });
    await lab("POST", "/_faults", { action: "DescribeVServerGroups", stale: true, times: 1 });
    await create("stale-1");
    await create("stale-2");
    const before = await names();
    expect([before.includes("stale-1"), before.includes("stale-2")]).toStrictEqual([true, false]);
    expect(await names()).toContain("stale-2");

    await lab("DELETE", "/_faults");
    await lab("POST", "/_faults", { action: "CreateVServerGroup", code: "SystemBusy", forMs: 100 });
    expect(await codeOf(create("brief"))).toBe("SystemBusy");
    await new Promise((resolve) => setTimeout(resolve, 150));
    await create("brief");
    expect(await names()).toContain("brief");
    await lab("DELETE", "/_faults");
});

test("published request rates can be switched on", async () => {
    await lab("POST", "/_config", { rateLimits: { "Slb.read": { calls: 2, seconds: 60 } } });
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push(await codeOf(call("DescribeLoadBalancers", {})));
    await lab("POST", "/_config", { rateLimits: {} });
    expect(codes).toStrictEqual(["OK", "OK", "Throttling.User"]);
});

test("rules are listed with their source, and can be switched off by name", async () => {
    const rules = (await lab("GET", "/_rules")) as { id: string; source: string; when: string; enforced: boolean }[];
    expect(rules.length).toBeGreaterThan(200);
    for (const r of rules) expect([r.id, r.source.length > 10 && r.when.length > 10]).toStrictEqual([r.id, true]);
    const make = (): Promise<string> => codeOf(call("CreateLoadBalancer", { LoadBalancerName: "shared" }));
    expect(await make()).toBe("ShareSlbHaltSales");
    await lab("POST", "/_config", { rules: { "slb.load-balancer.not-shared": false } });
    expect(await make()).toBe("OK");
    await lab("POST", "/_config", { rules: { "slb.load-balancer.not-shared": true } });
});

test("responses have the headers of the recordings and no others", async () => {
    const response = await fetch(`${cloud.url}/?Action=DescribeLoadBalancers&Version=2014-05-15`);
    expect([...response.headers.keys()].sort()).toStrictEqual([
        "connection",
        "content-type",
        "date",
        "keep-alive",
        "transfer-encoding",
    ]);
    expect(response.headers.get("content-type")).toBe("application/json;charset=utf-8");
    expect(response.headers.get("keep-alive")).toBe("timeout=60");
});

test("a reset cloud has its initial state at the same address", async () => {
    const other = await startCloud({ dir: join(dir, "other"), accessKeyId: "LTAIother", accessKeySecret: "other" });
    const ask = async (method: string, endpoint: string, body?: object): Promise<unknown> =>
        (
            await fetch(other.url + endpoint, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
        ).json();
    const all = () => Promise.all(["state", "config", "faults", "calls"].map((what) => ask("GET", `/_${what}`)));
    const before = await all();
    await ask("POST", "/_seed", { vpcs: [{ id: "vpc-more" }] });
    await ask("POST", "/_config", { quotas: { loadBalancers: 1 }, strict: false });
    await ask("POST", "/_faults", { action: "*", drop: true });
    await ask("POST", "/_ram", { actions: [] });
    await ask("POST", "/_places", {
        accountId: "2000000000000002",
        keys: { accessKeyId: "LTAImore", accessKeySecret: "more" },
    });
    expect(await all()).not.toStrictEqual(before);
    await ask("POST", "/_renew");
    expect(await all()).toStrictEqual(before);
    expect(other.cloud.allowed).toBeUndefined();
    expect(other.cloud.places.keyPair("LTAImore")).toBeUndefined();
    await other.stop();
});

test("an unknown path is refused with the list of paths", async () => {
    const answer = (await lab("GET", "/_nothing")) as { endpoints: string[] };
    expect(answer.endpoints.includes("GET /_state")).toBeTruthy();
});

test("a client that sends nothing or disconnects does not affect others", async () => {
    const silent = net.connect(cloud.port, "127.0.0.1");
    await once(silent, "connect");
    silent.destroy();
    const half = http.request(`${cloud.url}/`, { method: "POST", headers: { "content-length": "10" } });
    half.on("error", () => undefined);
    half.write("123");
    await new Promise((resolve) => setTimeout(resolve, 20));
    half.destroy();
    expect(((await lab("GET", "/_rules")) as unknown[]).length).toBeGreaterThan(0);
});
