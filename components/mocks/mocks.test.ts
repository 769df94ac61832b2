import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { ServiceLoadBalancer } from "../service-load-balancer";
import { FAKE_ADDRESS, FakeCluster, loadBalancerMocks } from ".";

const mocks = loadBalancerMocks();

beforeAll(() => pulumi.runtime.setMocks(mocks, "project", "stack"));

afterAll(() => pulumi.runtime.disconnect());

const value = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

test("a program runs with a fake cluster, and the resources that it registers can be read", async () => {
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
    const shop = new ServiceLoadBalancer("shop", {
        cluster,
        service: {
            name: "shop",
            selector: pulumi.output({ app: "shop" }),
            ports: [{ port: 443, targetPort: 8080 }],
            externalTrafficPolicy: "Local",
        },
        settings: { scheduler: "wrr", deleteProtection: "on" },
    });

    expect(await value(shop.address)).toBe(FAKE_ADDRESS);
    const { "tcp-443": group } = await value(shop.backends["tcp-443"]!.groups);
    expect(group?.backends).toStrictEqual({ "i-a": { weight: 1 } });
    await value(shop.status.urn);
    const instance = mocks.registered.find(({ type }) => type.endsWith(":ApplicationLoadBalancer"));
    expect(instance?.inputs["deleteProtection"]).toBe("on");
});
