import { Cluster, ServiceLoadBalancer, SharedLoadBalancer } from "ack-loadbalancer";

const cluster = new Cluster({ clusterId: "c82e…" });
const front = new SharedLoadBalancer("front", { cluster, settings: { addressType: "intranet" } });

new ServiceLoadBalancer("web", {
    cluster,
    loadBalancer: front,
    service: { name: "web", selector: { app: "web" }, ports: [{ port: 80 }] },
});
new ServiceLoadBalancer("api", {
    cluster,
    loadBalancer: front,
    service: { name: "api", selector: { app: "api" }, ports: [{ port: 8080 }] },
});

export const address = front.address;
