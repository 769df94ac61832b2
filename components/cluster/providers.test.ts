import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { FakeCluster, loadBalancerMocks } from "../mocks";
import { ServiceLoadBalancer } from "../service-load-balancer";

const mocks = loadBalancerMocks();
beforeAll(() => pulumi.runtime.setMocks(mocks, "project", "stack"));
afterEach(() => {
    for (const name of ["ALIBABA_CLOUD_ENDPOINT_STS", "STS_ENDPOINT"]) Reflect.deleteProperty(process.env, name);
});
afterAll(() => pulumi.runtime.disconnect());

const assumeRole = { roleArn: "acs:ram::2000000000000002:role/load-balancers" };

/** Endpoints of the provider that a component makes for an account. */
async function endpointsFor(name: string, account: object): Promise<unknown> {
    const before = mocks.registered.length;
    const cluster = new FakeCluster({ clusterId: `c-${name}`, account }, { nodes: ["a"] });
    new ServiceLoadBalancer(name, {
        cluster,
        region: "cn-shanghai",
        service: { name, selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    const made = () => mocks.registered.slice(before).find(({ type }) => type === "pulumi:providers:alicloud");
    while (made() === undefined) await new Promise((wake) => setImmediate(wake));
    const { endpoints } = made()?.inputs as { endpoints?: string };
    return endpoints === undefined ? undefined : JSON.parse(endpoints);
}

test("the plugin assumes a role at the host of the environment, which it does not read by itself", async () => {
    expect(await endpointsFor("public", { assumeRole })).toBeUndefined();
    process.env["STS_ENDPOINT"] = "sts.example";
    expect(await endpointsFor("short", { assumeRole })).toStrictEqual([{ sts: "sts.example" }]);
    process.env["ALIBABA_CLOUD_ENDPOINT_STS"] = "https://sts-vpc.example/";
    expect(await endpointsFor("inside", { assumeRole })).toStrictEqual([{ sts: "sts-vpc.example" }]);
    expect(await endpointsFor("both", { assumeRole, endpoints: { slb: "slb.example" } })).toStrictEqual([
        { slb: "slb.example", sts: "sts-vpc.example" },
    ]);
    expect(await endpointsFor("given", { assumeRole, endpoints: { sts: "sts.given" } })).toStrictEqual([
        { sts: "sts.given" },
    ]);
});

test("without a role the plugin needs no host of STS", async () => {
    process.env["STS_ENDPOINT"] = "sts.example";
    expect(await endpointsFor("keys", { endpoints: { slb: "slb.example" } })).toStrictEqual([{ slb: "slb.example" }]);
});
