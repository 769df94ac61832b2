// Two Services behind load balancers, from a program of your own: one described here, one that somebody else has applied to the cluster.
const { Cluster, ServiceLoadBalancer } = require("ack-loadbalancer");

module.exports = async () => {
    // Reached as kubectl reaches it: KUBECONFIG, or ~/.kube/config.
    const cluster = new Cluster({ clusterId: "c-library" });

    const described = new ServiceLoadBalancer("described", {
        cluster,
        service: { name: "described", selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }], externalTrafficPolicy: "Local" },
        // The same settings as the annotations, typed.
        settings: { scheduler: "wrr", healthCheckInterval: 5 },
    });

    const existing = await ServiceLoadBalancer.forExisting("existing", { cluster, namespace: "default", name: "existing" });

    return { described: described.address, existing: existing.address };
};
