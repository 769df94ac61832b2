import { expect, test } from "@jest/globals";
import { FakeCluster } from "../mocks";
import type { ServiceObject } from "../../provider/service/objects";
import { ServiceLoadBalancer } from "../service-load-balancer";
import type { ServiceLoadBalancerArgs } from "../service-load-balancer-args";
import { SharedLoadBalancer } from "../shared-load-balancer";
import { closureOf, type Dependencies, dependenciesOf } from "../../test/support/components";

const content = { nodes: ["a"], pods: [{ ip: "10.0.0.1", node: "a", labels: { app: "web" } }] };

const ports = (...numbers: number[]) => numbers.map((port) => ({ name: `p-${port}`, port, targetPort: 8080 }));

/** Services of every kind, with whatever a Service can have of its own. */
const KINDS: Record<string, Parameters<typeof dependenciesOf>[0]> = {
    "CLB that serves already": () => serve({ cluster: clusterOf(false, [LIVE]) }),
    CLB: () =>
        serve({
            settings: {
                protocolPort: [
                    { protocol: "https", port: 443 },
                    { protocol: "http", port: 80 },
                ],
                forwardPort: [{ http: 80, https: 443 }],
                certId: "cert-1",
                domainExtensions: [{ domain: "a.example", certId: "cert-2" }],
                deleteProtection: "on",
                hostname: "web.example",
            },
            service: { name: "web", selector: { app: "web" }, ports: ports(443, 80) },
        }),
    "CLB that is preserved": () => serve({ settings: { preserveLbOnDelete: "on" } }),
    "CLB with backends that the sync controller keeps": () => serve({}, true),
    NLB: () =>
        serve({
            loadBalancerType: "nlb",
            settings: {
                zoneMaps: ["a", "b"].map((zone) => ({ zoneId: `cn-hangzhou-${zone}`, vswitchId: `vsw-${zone}` })),
            },
        }),
    "CLB of the program": () => {
        const cluster = clusterOf(false);
        const loadBalancer = new SharedLoadBalancer("shared", { cluster, settings: { deleteProtection: "on" } });
        const { last } = serve({ loadBalancer, cluster });
        return { last: [...last, loadBalancer.release], components: 2 };
    },
};

/** The Service as an earlier run has left it. */
const LIVE: ServiceObject = {
    metadata: { name: "web", namespace: "default", uid: "00000000-0000-4000-8000-000000000000" },
    spec: { ports: [{ name: "p-80", port: 80, targetPort: 8080, nodePort: 30080 }] },
    status: { loadBalancer: { ingress: [{ ip: "203.0.113.7" }] } },
};

const clusterOf = (sync: boolean, services: ServiceObject[] = []) =>
    new FakeCluster(
        { clusterId: "c-1", vpcId: "vpc-1", sync, account: { region: "cn-hangzhou" } },
        { ...content, services },
    );

function serve(args: Partial<ServiceLoadBalancerArgs>, sync = false) {
    const { status } = new ServiceLoadBalancer("web", {
        cluster: clusterOf(sync),
        service: { name: "web", selector: { app: "web" }, ports: ports(80) },
        ...args,
    });
    return { last: [status], components: 1 };
}

const typeOf = (urn: string): string => urn.split("::")[2]!.split("$").pop()!;

/** Reports whether a deletion of the resource acts in the cluster or in the cloud. */
const isThing = (urn: string): boolean =>
    /^(?:alicloud|kubernetes|pulumi-nodejs):/.test(typeOf(urn)) && !typeOf(urn).startsWith("pulumi:providers:");

const statusOf = ({ ofResources }: Dependencies): string =>
    [...ofResources.keys()].find((urn) => typeOf(urn).endsWith(":ServiceStatus"))!;

for (const [kind, program] of Object.entries(KINDS)) {
    test(`destroying a ${kind} deletes its status first, which detects another KUBECONFIG`, async () => {
        const all = await dependenciesOf(program, { preview: false });
        const status = statusOf(all);
        const after = closureOf(status, all);
        expect(
            [...all.ofResources.keys()].filter((urn) => isThing(urn) && urn !== status && !after.has(urn)),
        ).toStrictEqual([]);
    });

    test(`the resources of a ${kind} have the same dependencies in preview and update`, async () => {
        const [preview, update] = [
            await dependenciesOf(program, { preview: true }),
            await dependenciesOf(program, { preview: false }),
        ];
        expect(Object.fromEntries(update.ofResources)).toStrictEqual(Object.fromEntries(preview.ofResources));
        // A plan lets a property be left out.
        const common = [...update.ofProperties].filter(([property]) => preview.ofProperties.has(property));
        expect(Object.fromEntries(common)).toStrictEqual(
            Object.fromEntries(common.map(([property]) => [property, preview.ofProperties.get(property)])),
        );
    });
}
