/** Requirements: G05. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { FakeCluster, loadBalancerMocks } from "../mocks";
import { ServiceLoadBalancer, type ServiceLoadBalancerArgs } from "../service-load-balancer";

const mocks = loadBalancerMocks();

beforeAll(() => pulumi.runtime.setMocks(mocks, "project", "stack"));

afterAll(() => pulumi.runtime.disconnect());

const value = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

const CONTENT = {
    nodes: ["a", "b"],
    pods: [{ ip: "10.0.0.1", node: "a", labels: { app: "shop" }, namespace: "shop" }],
};

type ServiceOf = NonNullable<ServiceLoadBalancerArgs["service"]>;

interface Given {
    readonly cluster: ConstructorParameters<typeof FakeCluster>[0];
    readonly service: Pick<ServiceOf, "namespace" | "name" | "labels"> & { readonly targetPort: pulumi.Input<number> };
    readonly region: pulumi.Input<string>;
    readonly loadBalancerType: "clb" | "nlb";
}

/** Everything that a component registers, by type. */
async function register(component: string, given: Given): Promise<Map<string, unknown>> {
    const from = mocks.registered.length;
    const { targetPort, ...service } = given.service;
    const made = new ServiceLoadBalancer(component, {
        cluster: new FakeCluster(given.cluster, CONTENT),
        service: {
            ...service,
            selector: { app: "shop" },
            ports: [{ port: 80, targetPort }],
            externalTrafficPolicy: "Local",
        },
        settings: given.loadBalancerType === "nlb" ? { addressType: "internet" } : {},
        ...(given.loadBalancerType === "nlb"
            ? { references: { zoneVswitches: { "cn-shanghai-a": "vsw-a", "cn-shanghai-b": "vsw-b" } } }
            : {}),
        loadBalancerType: given.loadBalancerType,
        region: given.region,
    });
    await value(made.status.urn);
    expect(await value(made.namespace)).toBe("shop");
    expect(await value(made.clusterAddress)).toBe("web.shop.svc.cluster.local");
    const ids = new RegExp(`\\b(?:shop/web|${component})\\b(?=[/-])`, "g");
    return new Map(
        mocks.registered
            .slice(from)
            .filter(({ type }) => type !== "pulumi:providers:alicloud")
            .map(({ type, inputs }) => [
                type,
                // Ids and descriptions that are made of the children's names.
                JSON.parse(JSON.stringify({ ...inputs, service: undefined }).replace(ids, "NAME")) as unknown,
            ]),
    );
}

for (const loadBalancerType of ["clb", "nlb"] as const) {
    test(`${loadBalancerType}: Outputs become the same resources as plain values`, async () => {
        const later = <T>(given: T) => pulumi.output(Promise.resolve(given));
        const plain = await register(`plain-${loadBalancerType}`, {
            cluster: { clusterId: "c-one", vpcId: "vpc-1", resourceGroupId: "rg-1" },
            service: { namespace: "shop", name: "web", labels: { team: "a" }, targetPort: 8080 },
            region: "cn-shanghai",
            loadBalancerType,
        });
        const outputs = await register(`given-${loadBalancerType}`, {
            cluster: {
                name: `given-${loadBalancerType}`,
                clusterId: later("c-one"),
                vpcId: later("vpc-1"),
                resourceGroupId: later("rg-1"),
            },
            service: {
                namespace: later("shop"),
                name: later("web"),
                labels: later({ team: "a" }),
                targetPort: later(8080),
            },
            region: later("cn-shanghai"),
            loadBalancerType,
        });
        expect([...outputs.keys()].sort()).toStrictEqual([...plain.keys()].sort());
        for (const [type, inputs] of plain) {
            if (!type.endsWith(":ServiceLoadBalancer"))
                expect({ type, inputs: outputs.get(type) }).toStrictEqual({ type, inputs });
        }
        expect(JSON.stringify([...outputs])).not.toMatch(/out-[0-9a-f]{10}|toJSON|toString/);
        expect(JSON.stringify([...outputs])).toContain("shop");
    });
}
