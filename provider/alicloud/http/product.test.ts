import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointOf } from "./product";

test("an endpoint is the option, else the plugin's variables, else the public name", () => {
    const both = { ALIBABA_CLOUD_ENDPOINT_SLB: "127.0.0.1:1", SLB_ENDPOINT: "127.0.0.1:2" };
    assert.equal(endpointOf("slb", "cn-hangzhou", { endpoints: { slb: "127.0.0.1:3" }, env: both }), "127.0.0.1:3");
    assert.equal(endpointOf("slb", "cn-hangzhou", { env: both }), "127.0.0.1:1");
    assert.equal(endpointOf("slb", "cn-hangzhou", { env: { SLB_ENDPOINT: "https://127.0.0.1:2/" } }), "127.0.0.1:2");
    assert.equal(endpointOf("slb", "cn-hangzhou", { env: { ALIBABA_CLOUD_ENDPOINT_SLB: "" } }), "slb.aliyuncs.com");
});

test("public names: CLB and VPC share one host in the older regions, all else is by region", () => {
    const name = (product: Parameters<typeof endpointOf>[0], region: string): string =>
        endpointOf(product, region, { env: {} });
    assert.equal(name("slb", "cn-shanghai-finance-1"), "slb.aliyuncs.com");
    assert.equal(name("slb", "cn-zhangjiakou"), "slb.cn-zhangjiakou.aliyuncs.com");
    assert.equal(name("vpc", "cn-beijing"), "vpc.aliyuncs.com");
    assert.equal(name("vpc", "eu-central-1"), "vpc.eu-central-1.aliyuncs.com");
    assert.equal(name("ecs", "cn-hangzhou"), "ecs.cn-hangzhou.aliyuncs.com");
    assert.equal(name("nlb", "cn-hangzhou"), "nlb.cn-hangzhou.aliyuncs.com");
});
