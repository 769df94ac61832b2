import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

const cluster = new Cluster({ clusterId: "c82e…" });

const shop = new ServiceLoadBalancer("shop", {
    cluster,
    service: {
        name: "shop",
        selector: { app: "shop" },
        ports: [{ port: 80, targetPort: 8080 }],
        externalTrafficPolicy: "Local",
    },
    settings: { scheduler: "wrr" },
});

export const address = shop.address;
