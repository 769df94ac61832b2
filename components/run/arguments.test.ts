import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import { FakeCluster, loadBalancerMocks } from "../mocks";
import { ServiceLoadBalancer } from "../service-load-balancer";
import { SharedLoadBalancer } from "../shared-load-balancer";
import { SyncController } from "../sync-controller";
import { Cluster } from "../cluster/cluster";

const mocks = loadBalancerMocks();

beforeAll(() => pulumi.runtime.setMocks(mocks, "project", "stack"));

afterAll(() => pulumi.runtime.disconnect());

/** Constructor in JavaScript, which takes any argument. */
const js = (make: unknown) => make as new (...args: unknown[]) => unknown;

const cluster = new FakeCluster({ clusterId: "c-js" });
const service = { name: "shop", selector: { app: "shop" }, ports: [{ port: 80 }] };

/** Mistakes of users in JavaScript, and the message about each. */
const MISTYPED: [what: string, make: () => unknown, said: string[]][] = [
    [
        "targtPort in a port",
        () =>
            new (js(ServiceLoadBalancer))("shop", {
                cluster,
                service: { ...service, ports: [{ port: 80, targtPort: 8080 }] },
            }),
        [
            "ServiceLoadBalancer shop: service.ports[0].targtPort: unknown argument: " +
                'it would have no effect\n    remedy: did you mean "targetPort"?',
        ],
    ],
    [
        "externalTrafficPolcy in a Service, and referencs",
        () =>
            new (js(ServiceLoadBalancer))("shop", {
                cluster,
                service: { ...service, externalTrafficPolcy: "Local" },
                referencs: { certId: "c" },
            }),
        ["service.externalTrafficPolcy: unknown argument", 'did you mean "references"?'],
    ],
    [
        "a mistyped field in a manifest that is an object",
        () =>
            new (js(ServiceLoadBalancer))("shop", {
                cluster,
                manifest: {
                    apiVersion: "v1",
                    kind: "Service",
                    metadata: { name: "shop" },
                    spec: { ...service, type: "LoadBalancer", loadBalancerSourceRangs: ["10.0.0.0/8"] },
                },
            }),
        ["Service default/shop: spec.name: Kubernetes has no such field", 'did you mean "loadBalancerSourceRanges"?'],
    ],
    [
        "a certificate that is refered to by certID",
        () => new (js(ServiceLoadBalancer))("shop", { cluster, service, references: { certID: "c" } }),
        ["references.certID: unknown argument: it would have no effect\n    " + 'remedy: did you mean "certId"?'],
    ],
    [
        "no cluster",
        () => new (js(ServiceLoadBalancer))("shop", { service }),
        ["ServiceLoadBalancer shop: cluster: it is missing, or empty\n    remedy: give cluster"],
    ],
    ["no arguments", () => new (js(ServiceLoadBalancer))("shop"), ["cluster: it is missing, or empty"]],
    [
        "an immutable setting that there is not",
        () => new (js(ServiceLoadBalancer))("shop", { cluster, service, allowReplacement: ["adressType"] }),
        ['allowReplacement[0]: "adressType" is no immutable setting\n    remedy: did you mean "addressType"?'],
    ],
    [
        "networkPlugn of a cluster",
        () => new (js(Cluster))({ clusterId: "c-1", networkPlugn: "terway" }),
        [
            "Cluster: networkPlugn: unknown argument: it would have no effect\n    " +
                'remedy: did you mean "networkPlugin"?',
        ],
    ],
    [
        "a key of the account",
        () => new (js(Cluster))({ clusterId: "c-1", account: { regin: "cn-shanghai" } }),
        ["account.regin: unknown argument: it would have no effect\n    remedy: " + 'did you mean "region"?'],
    ],
    [
        "clusterid: the id would be undefined in every ownership mark",
        () => new (js(Cluster))({ clusterid: "c" }),
        [
            "Cluster: clusterid: unknown argument: it would have no effect\n    " + 'remedy: did you mean "clusterId"?',
            "Cluster: clusterId: it is missing, or empty",
        ],
    ],
    ["an empty clusterId", () => new Cluster({ clusterId: "" }), ["Cluster: clusterId: it is missing, or empty"]],
    ["a blank clusterId", () => new Cluster({ clusterId: " " }), ["Cluster: clusterId: it is missing, or empty"]],
    [
        "a setting of one Service on a shared load balancer",
        () => new (js(SharedLoadBalancer))("shared", { cluster, settings: { schedulr: "wrr" } }),
        ["SharedLoadBalancer shared: settings.schedulr: unknown argument"],
    ],
    ["no cluster of a shared load balancer", () => new (js(SharedLoadBalancer))("shared"), ["cluster: it is missing"]],
    [
        "ramRol of the sync controller, and no image",
        () => new (js(SyncController))("sync", { ramRol: "r" }),
        ['did you mean "ramRole"?', "SyncController sync: image: it is missing, or empty"],
    ],
];

for (const [what, make, said] of MISTYPED) {
    test(`a user writes ${what}: refused with place and nearest name, and nothing is registered`, () => {
        let error: unknown;
        try {
            make();
        } catch (thrown) {
            error = thrown;
        }
        expect(pulumi.RunError.isInstance(error)).toBe(true);
        for (const text of said) expect((error as Error).message).toContain(text);
        expect(mocks.registered.filter(({ type }) => type !== "pulumi:pulumi:Stack")).toStrictEqual([]);
    });
}

test("forExisting, adopt and discover are as strict, before anything is read", async () => {
    const { forExisting, adopt } = ServiceLoadBalancer as unknown as Record<
        string,
        (...args: unknown[]) => Promise<unknown>
    >;
    const discover = Cluster.discover as (args: object) => Promise<unknown>;
    for (const [attempt, said] of [
        [forExisting!("api", { cluster, namespace: "shop", nam: "api" }), 'did you mean "name"?'],
        [forExisting!("api", { cluster, namespace: "shop" }), "name: it is missing, or empty"],
        [forExisting!("api", { namespace: "shop", name: "api" }), "cluster: it is missing, or empty"],
        [
            adopt!("api", { cluster, namespace: "shop", name: "api", loadBalancerID: "lb-1" }),
            'did you mean "loadBalancerId"?',
        ],
        [discover({ networkPlugn: "terway" }), 'did you mean "networkPlugin"?'],
    ] as const)
        await expect(attempt).rejects.toThrow(said);
});

test("an Output without a value is refused and does not become part of a name", async () => {
    const none = pulumi.output(undefined) as unknown as pulumi.Output<string>;
    const problemsOf = async (args: ConstructorParameters<typeof ServiceLoadBalancer>[1]) => {
        const { contract } = new ServiceLoadBalancer("none", args);
        await new Promise((resolve) => contract.urn.apply(resolve));
        const { inputs } = mocks.registered.findLast(({ type }) => type.endsWith(":ServiceContract"))!;
        return inputs["problems"];
    };
    expect(await problemsOf({ cluster: new FakeCluster({ clusterId: none, name: "x" }), service })).toStrictEqual([
        "clusterId is an Output without a value. Remedy: look where it comes from: an output that " +
            "another stack does not have is undefined.",
    ]);
    expect(await problemsOf({ cluster, service: { ...service, namespace: none } })).toStrictEqual([
        "metadata.namespace is an Output without a value. Remedy: look where it comes from: an output " +
            "that another stack does not have is undefined.",
    ]);
});
