import { expect, test } from "@jest/globals";
import { endpointOf, regionOf } from "./product";

test("an endpoint is the option, else the plugin's variables, else the public name", () => {
    const both = { ALIBABA_CLOUD_ENDPOINT_SLB: "127.0.0.1:1", SLB_ENDPOINT: "127.0.0.1:2" };
    expect(endpointOf("slb", "cn-hangzhou", { endpoints: { slb: "127.0.0.1:3" }, env: both })).toBe("127.0.0.1:3");
    expect(endpointOf("slb", "cn-hangzhou", { env: both })).toBe("127.0.0.1:1");
    expect(endpointOf("slb", "cn-hangzhou", { env: { SLB_ENDPOINT: "https://127.0.0.1:2/" } })).toBe("127.0.0.1:2");
    expect(endpointOf("slb", "cn-hangzhou", { env: { ALIBABA_CLOUD_ENDPOINT_SLB: "" } })).toBe("slb.aliyuncs.com");
});

test.each([
    ["slb", "cn-hangzhou", "slb.aliyuncs.com"],
    ["slb", "cn-zhangjiakou", "slb.cn-zhangjiakou.aliyuncs.com"],
    ["slb", "ap-southeast-1", "slb.aliyuncs.com"],
    ["slb", "ap-southeast-5", "slb.ap-southeast-5.aliyuncs.com"],
    ["slb", "cn-shanghai-finance-1", "slb.aliyuncs.com"],
    ["slb", "cn-beijing-finance-1", "slb.cn-beijing-finance-1.aliyuncs.com"],
    ["vpc", "cn-beijing", "vpc.aliyuncs.com"],
    ["vpc", "eu-central-1", "vpc.eu-central-1.aliyuncs.com"],
    ["vpc", "cn-north-2-gov-1", "vpc.aliyuncs.com"],
    ["ecs", "cn-hangzhou", "ecs.cn-hangzhou.aliyuncs.com"],
    ["ecs", "us-west-1", "ecs.us-west-1.aliyuncs.com"],
    ["ecs", "cn-hangzhou-finance", "ecs.aliyuncs.com"],
    ["ecs", "cn-shenzhen-finance-1", "ecs-cn-hangzhou.aliyuncs.com"],
    ["ecs", "cn-north-2-gov-1", "ecs.aliyuncs.com"],
    ["nlb", "cn-hangzhou", "nlb.cn-hangzhou.aliyuncs.com"],
    ["sts", "me-east-1", "sts.me-east-1.aliyuncs.com"],
    ["quotas", "eu-central-1", "quotas.aliyuncs.com"],
    ["cas", "cn-hangzhou", "cas.aliyuncs.com"],
    ["cas", "ap-southeast-1", "cas.ap-southeast-1.aliyuncs.com"],
] as const)("the public name of %s in %s is %s", (product, region, name) =>
    expect(endpointOf(product, region, { env: {} })).toBe(name),
);

test.each([
    "attacker.example:443/",
    "cn-hangzhou@attacker.example/",
    "CN-HANGZHOU",
    "cn-hangzhou.",
    "cn hangzhou",
    "cn",
    "cn-hangzhou\n",
])("%j is no region, wherever it comes from: no host is named after it", (region) => {
    expect(() => regionOf(region, {})).toThrow(/is no region\.\n {2}remedy: write a region's id/);
    expect(() => regionOf(undefined, { ALIBABA_CLOUD_REGION: region })).toThrow(/is no region/);
});
