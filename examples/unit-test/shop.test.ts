import { beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { FAKE_ADDRESS, FakeCluster, loadBalancerMocks } from "ack-loadbalancer/testing";
import { exposeShop } from "./shop";

const mocks = loadBalancerMocks();

beforeAll(() => pulumi.runtime.setMocks(mocks, "project", "stack"));

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

test("the shop has a protected load balancer whose backends are the nodes with its pods", async () => {
    const cluster = new FakeCluster(
        { clusterId: "c-test" },
        {
            nodes: ["a", "b"],
            pods: [
                { ip: "10.0.0.1", node: "a", labels: { app: "shop" } },
                { ip: "10.0.0.2", node: "b", labels: { app: "other" } },
            ],
        },
    );

    const shop = exposeShop(cluster);

    expect(await valueOf(shop.address)).toBe(FAKE_ADDRESS);
    const { "tcp-443": group } = await valueOf(shop.backends["tcp-443"]!.groups);
    expect(group?.backends).toStrictEqual({ "i-a": { weight: 1 } });
    await valueOf(shop.status.urn);
    const instance = mocks.registered.find(({ type }) => type.endsWith(":ApplicationLoadBalancer"));
    expect(instance?.inputs["deleteProtection"]).toBe("on");
});
