import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import Core, { $OpenApiUtil, OpenApiUtil } from "@alicloud/openapi-core";
import * as $dara from "@darabonba/typescript";
import { startCloud, type RunningCloud } from ".";

let dir: string;
let cloud: RunningCloud;

before(async () => {
    dir = await mkdtemp(join(tmpdir(), "lab-cloud-"));
    cloud = await startCloud({ dir, accessKeyId: "LTAItest", accessKeySecret: "s3cret" });
});

after(async () => {
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

const wanted = {
    RegionId: "cn-hangzhou",
    LoadBalancerName: "web",
    InstanceChargeType: "PayByCLCU",
    Tag: [{ Key: "a", Value: "b c/ü*'()" }],
};

test("Alibaba Cloud's client signs ACS3 over TLS with the lab's certificate, parameters in query or body", async () => {
    for (const options of [{}, { inBody: true }, { protocol: "HTTP" as const }, { algorithm: "v2" }]) {
        const made = await call("CreateLoadBalancer", wanted, options);
        const id = String(made["LoadBalancerId"]);
        const tags = (await call("ListTagResources", { ResourceType: "instance", ResourceId: [id] }, options))[
            "TagResources"
        ];
        assert.deepEqual(tags, {
            TagResource: [{ ResourceId: id, ResourceType: "instance", TagKey: "a", TagValue: "b c/ü*'()" }],
        });
    }
});

test("a wrong secret and an unknown key are refused", async () => {
    assert.equal(await codeOf(call("DescribeLoadBalancers", {}, { secret: "wrong" })), "SignatureDoesNotMatch");
    assert.equal(
        await codeOf(call("DescribeLoadBalancers", {}, { keyId: "LTAIother" })),
        "InvalidAccessKeyId.NotFound",
    );
    assert.equal(await codeOf(call("NoSuchAction", {})), "InvalidAction.NotFound");
});

test("the call log shows each call with its form and outcome", async () => {
    const [{ n } = { n: 0 }] = ((await lab("GET", "/_calls")) as { n: number }[]).slice(-1);
    await call("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: "g" });
    await codeOf(call("DeleteVServerGroup", { VServerGroupId: "rsp-none" }));
    await call("DescribeLoadBalancers", {});
    const rows = (await lab("GET", `/_calls?since=${n}&mutating=true`)) as Record<string, unknown>[];
    assert.deepEqual(
        rows.map((r) => [r["action"], r["form"], r["origin"], r["code"], r["status"]]),
        [
            ["CreateVServerGroup", "V3", "api", "OK", 200],
            ["DeleteVServerGroup", "V3", "api", "InvalidParameter", 400],
        ],
    );
    assert.deepEqual(rows[0]?.["params"], { LoadBalancerId: "lb-0001", VServerGroupName: "g" });
});

test("faults: refuse, delay, drop before and after the effect, nonsense", async () => {
    const groups = async (): Promise<number> =>
        ((await lab("GET", "/_state")) as { slb: { vServerGroups: unknown[] } }).slb.vServerGroups.length;
    const create = (name: string): Promise<unknown> =>
        call("CreateVServerGroup", { LoadBalancerId: "lb-0001", VServerGroupName: name });
    const start = await groups();

    await lab("POST", "/_faults", { action: "CreateVServerGroup", code: "SystemBusy", status: 503, times: 1 });
    assert.equal(await codeOf(create("a")), "SystemBusy");
    await create("a");
    assert.equal(await groups(), start + 1);

    await lab("POST", "/_faults", { action: "CreateVServerGroup", match: { VServerGroupName: "/^b/" }, drop: true });
    assert.notEqual(await codeOf(create("b1")), "OK");
    await create("c");
    assert.equal(await groups(), start + 2);
    await lab("DELETE", "/_faults");

    await lab("POST", "/_faults", { action: "*", product: "Slb", dropAfterEffect: true, times: 1 });
    assert.notEqual(await codeOf(create("d")), "OK");
    assert.equal(await groups(), start + 3);

    await lab("POST", "/_faults", { action: "CreateVServerGroup", skip: 1, body: "<html>", status: 502, times: 1 });
    await create("e");
    assert.notEqual(await codeOf(create("f")), "OK");
    assert.equal(await groups(), start + 4);

    await lab("POST", "/_faults", { action: "DescribeLoadBalancers", delayMs: 120, times: 1 });
    const from = Date.now();
    await call("DescribeLoadBalancers", {});
    assert.ok(Date.now() - from >= 115);
    await lab("DELETE", "/_faults");
    assert.deepEqual(await lab("GET", "/_faults"), []);
});

test("published request rates can be switched on", async () => {
    await lab("POST", "/_config", { rateLimits: { "Slb.read": { calls: 2, seconds: 60 } } });
    const codes = [];
    for (let i = 0; i < 3; i++) codes.push(await codeOf(call("DescribeRegions", {})));
    await lab("POST", "/_config", { rateLimits: {} });
    assert.deepEqual(codes, ["OK", "OK", "Throttling.User"]);
});

test("rules are listed with their source, and can be switched off by name", async () => {
    const rules = (await lab("GET", "/_rules")) as { id: string; source: string; when: string; enforced: boolean }[];
    assert.ok(rules.length > 200);
    for (const r of rules) assert.ok(r.source.length > 10 && r.when.length > 10, r.id);
    const make = (): Promise<string> => codeOf(call("CreateLoadBalancer", { LoadBalancerName: "shared" }));
    assert.equal(await make(), "ShareSlbHaltSales");
    await lab("POST", "/_config", { rules: { "slb.load-balancer.not-shared": false } });
    assert.equal(await make(), "OK");
    await lab("POST", "/_config", { rules: { "slb.load-balancer.not-shared": true } });
});

test("answers carry the headers of the recordings and no others", async () => {
    const response = await fetch(`${cloud.url}/?Action=DescribeRegions&Version=2014-05-15`);
    assert.deepEqual([...response.headers.keys()].sort(), [
        "connection",
        "content-type",
        "date",
        "keep-alive",
        "transfer-encoding",
    ]);
    assert.equal(response.headers.get("content-type"), "application/json;charset=utf-8");
    assert.equal(response.headers.get("keep-alive"), "timeout=60");
});

test("an unknown path of the lab names those that exist", async () => {
    const answer = (await lab("GET", "/_nothing")) as { endpoints: string[] };
    assert.ok(answer.endpoints.includes("GET /_state"));
});

test("a client that says nothing, or breaks off, harms nobody", async () => {
    const silent = net.connect(cloud.port, "127.0.0.1");
    await once(silent, "connect");
    silent.destroy();
    const half = http.request(`${cloud.url}/`, { method: "POST", headers: { "content-length": "10" } });
    half.on("error", () => undefined);
    half.write("123");
    await new Promise((resolve) => setTimeout(resolve, 20));
    half.destroy();
    assert.ok(((await lab("GET", "/_rules")) as unknown[]).length > 0);
});
