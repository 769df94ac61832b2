/** Services with slices made by hand, so that an endpoint changes at a known moment, and their server groups. */
import { applyYaml, type Session, waitFor } from "../../lab";
import { stringify } from "yaml";
import { bindingDefinition } from "../../provider/sync/binding/crd";
import type { BindingSpec } from "../../provider/sync/binding/spec";
import type { BindingStatus } from "../../provider/sync/binding/status";

const BINDINGS = "/apis/ack-loadbalancer.io/v1alpha1/namespaces/default/servergroupbindings";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

/** Endpoints of each Service. */
export const ENDPOINTS = 20;

const nameOf = (index: number): string => `bench-${index}`;
const markOf = (index: number): string => `k8s.8080.TCP.${nameOf(index)}.default.c-bench`;

/** Installs the custom resource. */
export async function installDefinition({ lab }: Session): Promise<void> {
    await applyYaml(lab.cluster, stringify(bindingDefinition()));
    await waitFor("the API server serves bindings", () => lab.cluster.find(BINDINGS).catch(() => undefined));
}

const common = (index: number) => ({
    region: "cn-hangzhou",
    ownershipMark: markOf(index),
    serviceName: nameOf(index),
    ports: [{ port: 80, protocol: "TCP" as const, targetPort: 8080 }],
    externalTrafficPolicy: "Cluster" as const,
});

const podSpec = (index: number, id: string): BindingSpec => ({
    ...common(index),
    serverGroup: { id, type: "Ip" },
    backendType: "eni",
});

/** Pods as members, by their addresses. */
export const addressSpec = (index: number): BindingSpec => podSpec(index, `sgp-addresses-${index}`);

/** The same for a group that the cloud refuses to fill. */
export const refusedSpec = (index: number): BindingSpec => podSpec(index, `sgp-refused-${index}`);

/** All nodes as members. */
export const nodeSpec = (index: number, nodePort: number): BindingSpec => ({
    ...common(index),
    serverGroup: { id: `sgp-nodes-${index}`, type: "Instance" },
    backendType: "ecs",
    nodePort,
});

type Server = Readonly<Record<string, string | number>>;

const server = (id: string, type: "Ecs" | "Ip", ip: string, port: number, index: number): Server => ({
    ServerId: id,
    ServerType: type,
    ...(ip === "" ? {} : { ServerIp: ip }),
    Port: port,
    Weight: 100,
    Description: markOf(index),
});

/** A list as the API takes it: `Servers.1.ServerId`. */
const numbered = (list: readonly Server[]): Server =>
    Object.fromEntries(
        list.flatMap((one, index) =>
            Object.entries(one).map(([name, value]) => [`Servers.${index + 1}.${name}`, value] as const),
        ),
    );

export type Objects = ReturnType<typeof objectsFor>;

export function objectsFor(session: Session) {
    const { cluster } = session.lab;
    const endpoints = new Map<number, number>();
    const endpointsOf = (index: number, count: number) =>
        Array.from({ length: count }, (_, number) => ({
            addresses: [`10.${Math.floor(index / 250) + 1}.${index % 250}.${number + 1}`],
            conditions: { ready: true, serving: true, terminating: false },
            nodeName: "node-1",
        }));
    return {
        addressGroup: (index: number): string => `sgp-addresses-${index}`,
        async createService(index: number): Promise<void> {
            const name = nameOf(index);
            endpoints.set(index, ENDPOINTS);
            await cluster.create("/api/v1/namespaces/default/services", {
                apiVersion: "v1",
                kind: "Service",
                metadata: { name },
                spec: {
                    type: "LoadBalancer",
                    loadBalancerClass: "alibabacloud.com/nlb",
                    ports: [{ port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30_000 + index }],
                },
            });
            await cluster.create(SLICES, {
                apiVersion: "discovery.k8s.io/v1",
                kind: "EndpointSlice",
                metadata: { name, labels: { "kubernetes.io/service-name": name } },
                addressType: "IPv4",
                ports: [{ name: "", port: 8080, protocol: "TCP" }],
                endpoints: endpointsOf(index, ENDPOINTS),
            });
        },
        /** Gives a Service more or fewer endpoints. */
        async addEndpoints(index: number, more: number): Promise<void> {
            const count = (endpoints.get(index) ?? ENDPOINTS) + more;
            endpoints.set(index, count);
            await cluster.patch(`${SLICES}/${nameOf(index)}`, { endpoints: endpointsOf(index, count) });
        },
        /**
         * Creates server groups with the desired members of their bindings, so nothing is written before a change.
         * Refused groups are empty.
         */
        async createGroups(
            indexes: readonly number[],
            kind: "addresses" | "nodes" | "refused",
            machines: readonly string[] = [],
        ): Promise<void> {
            const calls = indexes.map((index) => {
                const members =
                    kind === "nodes"
                        ? machines.map((id) => server(id, "Ecs", "", 30_000 + index, index))
                        : endpointsOf(index, ENDPOINTS).map(({ addresses: [ip = ""] }) =>
                              server(ip, "Ip", ip, 8080, index),
                          );
                return [
                    {
                        product: "Nlb",
                        action: "CreateServerGroup",
                        params: {
                            ServerGroupName: markOf(index),
                            VpcId: "vpc-lab",
                            ServerGroupType: kind === "nodes" ? "Instance" : "Ip",
                            Protocol: "TCP",
                        },
                        id: `sgp-${kind}-${index}`,
                    },
                    {
                        product: "Nlb",
                        action: "AddServersToServerGroup",
                        params: { ServerGroupId: `sgp-${kind}-${index}`, ...numbered(members) },
                    },
                ].slice(0, kind === "refused" ? 1 : 2);
            });
            await session.cloud("/_seed", { calls: calls.flat() });
        },
        async bind(index: number, specOf: (index: number, nodePort: number) => BindingSpec): Promise<void> {
            await cluster.create(BINDINGS, {
                apiVersion: "ack-loadbalancer.io/v1alpha1",
                kind: "ServerGroupBinding",
                metadata: { name: nameOf(index) },
                spec: specOf(index, 30_000 + index),
            });
        },
        unbind: (index: number): Promise<unknown> => cluster.delete(`${BINDINGS}/${nameOf(index)}`),
        /** Waits until so many bindings are synced, or have another reason. */
        async synced(count: number, reason = "Synced"): Promise<void> {
            await waitFor(
                `${count} bindings are ${reason}`,
                async () => {
                    const { items } = await cluster.get<{ items: { status?: BindingStatus }[] }>(BINDINGS);
                    const good = items.filter(({ status }) => status?.conditions?.[0]?.reason === reason).length;
                    return good >= count ? true : undefined;
                },
                { timeout: 900_000 },
            );
        },
    };
}
