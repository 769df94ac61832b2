// One load balancer of the program's own, and two Services on it. Which port is whose is an output.
const { Cluster, ServiceLoadBalancer, SharedLoadBalancer } = require("ack-loadbalancer");
const pulumi = require("@pulumi/pulumi");

module.exports = async () => {
    const cluster = new Cluster({ clusterId: "c-shared" });
    const shared = new SharedLoadBalancer("front", { cluster });

    // `pulumi config set apiPort 80` is refused at preview: that listener is the web Service's.
    const apiPort = new pulumi.Config().getNumber("apiPort") ?? 8080;
    for (const [name, port] of [
        ["web", 80],
        ["api", apiPort],
    ]) {
        new ServiceLoadBalancer(name, {
            cluster,
            service: { name: `shared-${name}`, selector: { app: "shop" }, ports: [{ port, targetPort: 8080 }] },
            loadBalancer: shared,
        });
    }

    return { address: shared.address, ports: shared.ports };
};
