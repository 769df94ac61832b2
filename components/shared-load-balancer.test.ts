import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { ServiceLoadBalancer } from "./service-load-balancer";
import { Cluster } from "./cluster/cluster";
import { SharedLoadBalancer } from "./shared-load-balancer";
import { thrown } from "../test/support/thrown";

type Registered = { type: string; name: string; inputs: Record<string, unknown> };

const registered: Registered[] = [];

beforeAll(async () => {
    await pulumi.runtime.setMocks(
        {
            newResource: ({ type, name, inputs }) => {
                registered.push({ type, name, inputs: inputs as Record<string, unknown> });
                const live = {
                    metadata: { uid: "5e4dbfc9-c2ae-4642-b033-5607860aef6a" },
                    spec: { ports: [80, 81].map((port) => ({ port, nodePort: 30000 + port })) },
                };
                return {
                    id: `${name}-id`,
                    state: {
                        ...inputs,
                        ...(type === "kubernetes:core/v1:Service" ? live : {}),
                        address: "203.0.113.7",
                    },
                };
            },
            call: () => ({}),
        },
        "project",
        "stack",
        false,
    );
});

afterAll(() => pulumi.runtime.disconnect());

/** A cluster without nodes whose Services share instances. */
async function emptyCluster(): Promise<Cluster> {
    const cluster = new Cluster({ clusterId: "c1", kubeconfig: "nowhere" });
    cluster.reads.view = () => Promise.resolve({ nodes: [], endpointSlices: [], predicted: true });
    cluster.reads.edgeView = cluster.reads.view;
    cluster.reads.service = () => Promise.resolve(undefined);
    cluster.reads.identity = () => Promise.resolve({ server: "https://api" });
    return cluster;
}

const service = (name: string, port: number) => ({
    name,
    namespace: "shop",
    selector: { app: name },
    ports: [{ port }],
});
const done = (resource: pulumi.Resource) => new Promise((resolve) => resource.urn.apply(resolve));

test("Services on a shared instance have their own listeners and groups, and no own instance", async () => {
    const cluster = await emptyCluster();
    registered.length = 0;
    const loadBalancer = new SharedLoadBalancer("front", {
        cluster,
        settings: { deleteProtection: "on", additionalResourceTags: { team: "shop" } },
    });
    const exposed = [service("web", 80), service("api", 81)].map(
        (one) => new ServiceLoadBalancer(one.name, { cluster, service: one, loadBalancer }),
    );
    await Promise.all(
        [loadBalancer.release, ...exposed.flatMap((one) => [one.status, ...Object.values(one.listeners)])].map(done),
    );
    expect(exposed.map(({ managed }) => managed)).toStrictEqual(["shared", "shared"]);
    const of = (type: string) => registered.filter((one) => one.type === type);
    const [instance, ...others] = of("alicloud:slb/applicationLoadBalancer:ApplicationLoadBalancer");
    expect(others).toStrictEqual([]);
    expect([instance?.inputs["loadBalancerName"], instance?.inputs["tags"]]).toStrictEqual(["front", { team: "shop" }]);
    expect(String(instance?.inputs["modificationProtectionReason"])).toMatch(/^managed\.by\.ack\.s[0-9a-f]{31}$/);
    for (const type of ["alicloud:slb/listener:Listener", "alicloud:slb/serverGroup:ServerGroup"]) {
        expect(of(type).map(({ name, inputs }) => [name, inputs["loadBalancerId"]])).toStrictEqual([
            ["web/tcp-80", "front-id"],
            ["api/tcp-81", "front-id"],
        ]);
    }
    expect(
        of("pulumi-nodejs:dynamic/ack-loadbalancer:ServiceContract").flatMap(({ inputs }) =>
            inputs["requested"] === undefined ? [] : [(inputs["requested"] as { id?: string }).id],
        ),
    ).toStrictEqual([undefined, "shared:front", "shared:front"]);
});

test("a second Service on a listener is refused with both names; the port table has the owners", async () => {
    const cluster = await emptyCluster();
    const loadBalancer = new SharedLoadBalancer("one", { cluster });
    new ServiceLoadBalancer("first", { cluster, service: service("first", 80), loadBalancer });
    expect(() => new ServiceLoadBalancer("second", { cluster, service: service("second", 80), loadBalancer })).toThrow(
        /Services shop\/first and shop\/second both use listener tcp:80 of load balancer shared:one\. Remedy: /,
    );
    const elsewhere = new SharedLoadBalancer("two", { cluster });
    new ServiceLoadBalancer("third", { cluster, service: service("third", 80), loadBalancer: elsewhere });
    expect([loadBalancer.ports, elsewhere.ports]).toStrictEqual([
        { "tcp:80": "shop/first" },
        { "tcp:80": "shop/third" },
    ]);
});

test("a listener is refused that a Service has by another object of the cluster", async () => {
    const loadBalancer = new SharedLoadBalancer("objects", { cluster: await emptyCluster() });
    new ServiceLoadBalancer("first", {
        cluster: await emptyCluster(),
        service: service("first", 80),
        loadBalancer,
    });
    const cluster = await emptyCluster();
    expect(() => new ServiceLoadBalancer("second", { cluster, service: service("second", 80), loadBalancer })).toThrow(
        "Services shop/first and shop/second both use listener tcp:80 of load balancer shared:objects",
    );
});

test("what concerns the instance is said where it is made", async () => {
    const cluster = await emptyCluster();
    const loadBalancer = new SharedLoadBalancer("settled", { cluster });
    const settings = { addressType: "internet", name: "mine", deleteProtection: "off" } as const;
    const { message } = thrown(
        () => new ServiceLoadBalancer("web", { cluster, service: service("web", 80), settings, loadBalancer }),
    );
    expect(message).toMatch(/name belongs to the shared load balancer settled/);
    expect(message).toMatch(/deleteProtection belongs to/);
    expect(message).not.toMatch(/addressType/);
});

test("a Service with an NLB cannot use a shared instance, which is a CLB", async () => {
    const cluster = await emptyCluster();
    const loadBalancer = new SharedLoadBalancer("classic", { cluster });
    const zoneMaps = ["a", "b"].map((zone) => ({ zoneId: `cn-hangzhou-${zone}`, vswitchId: `vsw-${zone}` }));
    expect(
        () =>
            new ServiceLoadBalancer("nlb", {
                cluster,
                service: service("nlb", 80),
                loadBalancerType: "nlb",
                settings: { zoneMaps },
                loadBalancer,
            }),
    ).toThrow(/Service shop\/nlb asks for an NLB, but the shared load balancer classic is a CLB\. Remedy: /);
});

test("settings of a shared instance are checked like annotations, all at once", async () => {
    const cluster = await emptyCluster();
    const wrong = { bandwidth: 10, ip: "10.0.0.1", masterZoneid: "cn-hangzhou-b" } as const;
    expect(() => new SharedLoadBalancer("wrong", { cluster, settings: wrong })).toThrow(
        /settings\.bandwidth[\s\S]*remedy[\s\S]*settings\.masterZoneid|settings\.masterZoneid[\s\S]*settings\.bandwidth/,
    );
});
