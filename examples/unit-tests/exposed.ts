// What the program makes, as a function: the program calls it with the real cluster, the test with a fake one.
import { type Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

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
