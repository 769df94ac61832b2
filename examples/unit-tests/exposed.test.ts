import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { FAKE_ADDRESS, FakeCluster, loadBalancerMocks } from "ack-loadbalancer/testing";
import { exposeShop } from "./exposed";

const mocks = loadBalancerMocks();

beforeAll(() => pulumi.runtime.setMocks(mocks, "project", "stack"));

// Dynamic providers are serialized in the background; a test that ends before would end jest too.
afterAll(() => pulumi.runtime.disconnect());

const value = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

test("the shop is behind a protected CLB, and nodes with its pods are backends", async () => {
    const cluster = new FakeCluster(
        { clusterId: "c-test" },
        {
            nodes: ["a", "b"],
            pods: [
                { ip: "10.0.0.1", node: "a", labels: { app: "shop" } },
                { ip: "10.0.0.2", node: "a", labels: { app: "other" } },
            ],
        },
    );
    const shop = exposeShop(cluster);

    expect(await value(shop.address)).toBe(FAKE_ADDRESS);
    expect(await value(shop.backends["tcp-443"]!.backends)).toStrictEqual({ "i-a": { weight: 100 } });
    await value(shop.status.urn);
    const instance = mocks.registered.find(({ type }) => type.endsWith(":ApplicationLoadBalancer"));
    expect(instance?.inputs["deleteProtection"]).toBe("on");
});
