import { type Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

/** Puts the shop behind a load balancer. The cluster is a parameter, for which a test gives a fake. */
export function exposeShop(cluster: Cluster): ServiceLoadBalancer {
    return new ServiceLoadBalancer("shop", {
        cluster,
        service: {
            name: "shop",
            selector: { app: "shop" },
            ports: [{ port: 443, targetPort: 8080 }],
            externalTrafficPolicy: "Local",
        },
        settings: { scheduler: "wrr", deleteProtection: "on" },
    });
}
