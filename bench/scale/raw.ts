/** The program that a team would write by hand on the raw resources, for load balancers of the same kind. */
import { PORTS } from "./world";

/**
 * Returns a program with a Kubernetes object and an instance for each Service, and a vServer group, an attachment and a
 * listener for each port. It knows no endpoints: a machine in each group represents the result of a manual search.
 */
export const rawProgram = (services: number, machine: string): string => `
const kubernetes = require("@pulumi/kubernetes");
const alicloud = require("@pulumi/alicloud");
const ports = ${JSON.stringify(PORTS)};
for (let i = 0; i < ${services}; i++) {
    const name = "raw-" + i;
    const service = new kubernetes.core.v1.Service(name, {
        metadata: { name, namespace: "default", annotations: { "pulumi.com/skipAwait": "true" } },
        spec: {
            type: "NodePort",
            ports: ports.map((port) => ({ name: "tcp-" + port, port, protocol: "TCP", targetPort: port })),
        },
    });
    const instance = new alicloud.slb.ApplicationLoadBalancer(name, {
        loadBalancerName: name,
        addressType: "internet",
        instanceChargeType: "PayByCLCU",
    });
    ports.forEach((port, at) => {
        const key = name + "-" + port;
        const group = new alicloud.slb.ServerGroup(key, { loadBalancerId: instance.id, name: key });
        new alicloud.slb.ServerGroupServerAttachment(key, {
            serverGroupId: group.id,
            serverId: ${JSON.stringify(machine)},
            port: service.spec.ports[at].nodePort,
            weight: 100,
        });
        new alicloud.slb.Listener(key, {
            loadBalancerId: instance.id,
            frontendPort: port,
            protocol: "tcp",
            bandwidth: -1,
            serverGroupId: group.id,
        });
    });
}
`;
