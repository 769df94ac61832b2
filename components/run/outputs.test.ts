/** Requirements: G05. */
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "../cluster/cluster";
import { FakeCluster, loadBalancerMocks } from "../mocks";
import { ServiceLoadBalancer } from "../service-load-balancer";
import { SharedLoadBalancer } from "../shared-load-balancer";
import { logAbout } from "./outputs";
import type { ServiceLoadBalancerArgs } from "../service-load-balancer-args";

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
    readonly service: Pick<ServiceOf, "namespace" | "name" | "labels"> & { readonly targetPort: number };
    readonly region: string;
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
            cluster: { clusterId: "c-one", vpcId: "vpc-1", resourceGroupId: "rg-1", vswitches: ["vsw-1"] },
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
                vswitches: [later("vsw-1")],
            },
            service: {
                namespace: later("shop"),
                name: later("web"),
                labels: later({ team: "a" }),
                targetPort: 8080,
            },
            region: "cn-shanghai",
            loadBalancerType,
        });
        expect([...outputs.keys()].sort()).toStrictEqual([...plain.keys()].sort());
        for (const [type, inputs] of plain) {
            if (!type.endsWith(":ServiceLoadBalancer"))
                expect({ type, inputs: outputs.get(type) }).toStrictEqual({ type, inputs });
        }
        expect(JSON.stringify([...outputs])).not.toMatch(/known-later|toJSON|toString/);
        expect(JSON.stringify([...outputs])).toContain("shop");
    });
}

/** Arguments as a program in JavaScript gives them. */
const later = <T>(value: T): T => pulumi.output(value) as unknown as T;

const plain = { name: "web", selector: { app: "shop" }, ports: [{ port: 80 }] };
const cluster = () => new FakeCluster({ clusterId: "c-refused" }, CONTENT);
const exposing = (args: Omit<ServiceLoadBalancerArgs, "cluster">) => () =>
    new ServiceLoadBalancer("web", { cluster: cluster(), ...args });
/** A text that the Output is put into. */
const within = (before: string, after = ""): string => `${before}${pulumi.output("shop") as unknown as string}${after}`;

const HERE = "this is an Output.*write the value itself here and in the other resource";

test.each([
    ["port", exposing({ service: { ...plain, ports: [{ port: later(80) }] } }), /web: spec\.ports\[0\]\.port: /],
    ["ports", exposing({ service: { ...plain, ports: later([{ port: 80 }]) } }), /web: spec\.ports: /],
    [
        "targetPort",
        exposing({ service: { ...plain, ports: [{ port: 80, targetPort: later(8080) }] } }),
        new RegExp(`web: spec\\.ports\\[0\\]\\.targetPort: ${HERE}`, "s"),
    ],
    ["setting", exposing({ service: plain, settings: { scheduler: later("wrr") } }), /web: settings\.scheduler: /],
    ["part of a name", exposing({ service: { ...plain, name: within("web-") } }), /web: metadata\.name: /],
    ["part of YAML", exposing({ manifest: within("metadata: { namespace: ", " }") }), /web: manifest: /],
    ["region", exposing({ service: plain, region: later("cn-hangzhou") }), new RegExp(`web: region: ${HERE}`, "s")],
    [
        "account.region",
        () => new Cluster({ clusterId: "c-account", account: { region: later("cn-hangzhou") } }),
        new RegExp(`Cluster: account\\.region: ${HERE}`, "s"),
    ],
    [
        "fact of the cluster",
        () => new Cluster({ clusterId: "c-fact", networkPlugin: later("terway"), context: later("b") }),
        /Cluster: networkPlugin: this is an Output.*Cluster: context: /s,
    ],
    [
        "setting of a shared load balancer",
        () => new SharedLoadBalancer("shared", { cluster: cluster(), settings: { spec: later("slb.s1.small") } }),
        /Shared load balancer shared: settings\.spec: /,
    ],
])("an Output as %s is refused, with the remedy", (_, make, field) => {
    expect(make).toThrow(field);
    expect(make).toThrow(/this is an Output/);
    expect(make).not.toThrow(/toJSON|\[toString/);
});

test("a message about a resource that a refused run never registers holds back no other", async () => {
    const log = jest.fn<typeof pulumi.log.warn>().mockResolvedValue();
    const never = { urn: pulumi.output(new Promise<string>(() => undefined)) } as pulumi.Resource;
    const registered = new pulumi.ComponentResource("test:Registered", "registered");
    logAbout(never, log, "about no resource");
    logAbout(registered, log, "about a resource");
    await value(registered.urn);
    await new Promise(setImmediate);
    expect(log.mock.calls).toStrictEqual([["about a resource", registered]]);
});
