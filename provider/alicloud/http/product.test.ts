import { expect, test } from "@jest/globals";
import { endpointOf } from "./product";

test("an endpoint is the option, else the plugin's variables, else the public name", () => {
    const both = { ALIBABA_CLOUD_ENDPOINT_SLB: "127.0.0.1:1", SLB_ENDPOINT: "127.0.0.1:2" };
    expect(endpointOf("slb", "cn-hangzhou", { endpoints: { slb: "127.0.0.1:3" }, env: both })).toBe("127.0.0.1:3");
    expect(endpointOf("slb", "cn-hangzhou", { env: both })).toBe("127.0.0.1:1");
    expect(endpointOf("slb", "cn-hangzhou", { env: { SLB_ENDPOINT: "https://127.0.0.1:2/" } })).toBe("127.0.0.1:2");
    expect(endpointOf("slb", "cn-hangzhou", { env: { ALIBABA_CLOUD_ENDPOINT_SLB: "" } })).toBe("slb.aliyuncs.com");
});

test("public names: CLB and VPC share one host in the older regions, all else is by region", () => {
    const name = (product: Parameters<typeof endpointOf>[0], region: string): string =>
        endpointOf(product, region, { env: {} });
    expect(name("slb", "cn-shanghai-finance-1")).toBe("slb.aliyuncs.com");
    expect(name("slb", "cn-zhangjiakou")).toBe("slb.cn-zhangjiakou.aliyuncs.com");
    expect(name("vpc", "cn-beijing")).toBe("vpc.aliyuncs.com");
    expect(name("vpc", "eu-central-1")).toBe("vpc.eu-central-1.aliyuncs.com");
    expect(name("ecs", "cn-hangzhou")).toBe("ecs.cn-hangzhou.aliyuncs.com");
    expect(name("quotas", "eu-central-1")).toBe("quotas.aliyuncs.com");
    expect(name("nlb", "cn-hangzhou")).toBe("nlb.cn-hangzhou.aliyuncs.com");
    expect(name("quotas", "cn-zhangjiakou")).toBe("quotas.aliyuncs.com");
});
