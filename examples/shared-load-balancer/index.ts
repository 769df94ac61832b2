// A load balancer that this program creates, and two Services on it. Which port is whose is an output.
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer, SharedLoadBalancer } from "ack-loadbalancer";

const cluster = new Cluster({ clusterId: "c-shared" });
const shared = new SharedLoadBalancer("front", { cluster });

// `pulumi config set apiPort 80` is refused at preview: that listener is the web Service's.
const listenerPorts = { web: 80, api: new pulumi.Config().getNumber("apiPort") ?? 8080 };

for (const [name, port] of Object.entries(listenerPorts)) {
    new ServiceLoadBalancer(name, {
        cluster,
        service: { name: `shared-${name}`, selector: { app: "shop" }, ports: [{ port, targetPort: 8080 }] },
        loadBalancer: shared,
    });
}

export const address: pulumi.Output<string> = shared.address;
export const ports: Readonly<Record<string, string>> = shared.ports;
