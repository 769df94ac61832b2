/** A Service with two server groups that bindings can fill: nodes behind a CLB, pods behind an NLB. */
import { applyYaml, endpointSlices, type Session } from "../../lab";
import type { BindingSpec } from "../../provider/sync/binding/spec";
import { installBindings } from "./replica";
import { serviceYaml, stateOf } from "./world";

/** The CLB's vServer group. */
export const NODES_GROUP = "rsp-sync";

/** The NLB's server group. */
export const PODS_GROUP = "sgp-sync";

/** Ownership mark of nodes. */
export const MARK = "k8s/30080/web/default/c-test";

const NLB_MARK = "k8s.8080.TCP.web.default.c-test";

/** Makes the custom resource, the Service and both groups. */
export async function seedSync(session: Session): Promise<void> {
    await installBindings(session);
    await seedGroups(session);
}

/** Makes the Service and both groups. */
export async function seedGroups(session: Session): Promise<void> {
    const { lab } = session;
    await applyYaml(
        lab.cluster,
        serviceYaml({ name: "web", policy: "Local", loadBalancerClass: "ack-loadbalancer.io/clb" }),
    );
    await lab.cluster.patch("/api/v1/namespaces/default/services/web", {
        spec: { ports: [{ name: "tcp-80", port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30080 }] },
    });
    await session.cloud("/_seed", {
        calls: [
            {
                action: "CreateLoadBalancer",
                params: {
                    LoadBalancerName: "sync",
                    AddressType: "intranet",
                    InstanceChargeType: "PayByCLCU",
                    VpcId: "vpc-lab",
                    VSwitchId: "vsw-lab-a",
                },
                id: "lb-sync",
            },
            {
                action: "CreateVServerGroup",
                params: { LoadBalancerId: "lb-sync", VServerGroupName: MARK },
                id: NODES_GROUP,
            },
            {
                product: "Nlb",
                action: "CreateServerGroup",
                params: { ServerGroupName: NLB_MARK, VpcId: "vpc-lab", ServerGroupType: "Ip", Protocol: "TCP" },
                id: PODS_GROUP,
            },
        ],
    });
}

/** Binding of the group of nodes. */
export const nodesSpec = (): BindingSpec => ({
    region: "cn-hangzhou",
    serverGroup: { id: NODES_GROUP, type: "VServer" },
    ownershipMark: MARK,
    serviceName: "web",
    ports: [{ name: "tcp-80", port: 80, protocol: "TCP", targetPort: 8080 }],
    backendType: "ecs",
    nodePort: 30080,
    externalTrafficPolicy: "Local",
});

/** Binding of the group of pods. */
export const podsSpec = (): BindingSpec => {
    const { nodePort: _, ...rest } = nodesSpec();
    return {
        ...rest,
        serverGroup: { id: PODS_GROUP, type: "Ip" },
        ownershipMark: NLB_MARK,
        backendType: "eni",
        drainSeconds: 0,
    };
};

/** Weights of the vServer group, by machine. */
export async function weightsOf(session: Session): Promise<Record<string, number>> {
    const found = (await stateOf(session)).slb.vServerGroups.find(({ id }) => id === NODES_GROUP);
    return Object.fromEntries((found?.backends ?? []).map(({ serverId, weight }) => [serverId, weight]));
}

/** Returns the desired members of the group: pods by machine, from the cluster itself. */
export async function desiredWeights(session: Session): Promise<Record<string, number>> {
    const { items } = await session.lab.cluster.get<{
        items: { metadata: { name: string }; spec: { providerID: string } }[];
    }>("/api/v1/nodes");
    const ids = new Map(
        items.map(({ metadata, spec: { providerID } }) => [metadata.name, providerID.split(".")[1] ?? ""]),
    );
    const slices = await endpointSlices(session.lab.cluster, "default", "web");
    const weights: Record<string, number> = {};
    for (const { conditions, nodeName } of slices.flatMap((slice) => slice.endpoints ?? [])) {
        const id = ids.get(nodeName ?? "");
        if (conditions?.ready !== false && id !== undefined) weights[id] = (weights[id] ?? 0) + 1;
    }
    return weights;
}
