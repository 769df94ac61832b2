// Pods on cloud nodes: a Service as anywhere else. Nodes at the edge are passed over by themselves.
const fs = require("node:fs");
const path = require("node:path");
const pulumi = require("@pulumi/pulumi");
const { Cluster, ServiceLoadBalancer } = require("ack-loadbalancer");

const config = new pulumi.Config();
const cluster = new Cluster({ clusterId: config.require("clusterId"), clusterType: "edge" });

const shop = new ServiceLoadBalancer("shop", {
    cluster,
    manifest: fs.readFileSync(path.join(__dirname, "service.yaml"), "utf8"),
});

exports.address = shop.address;
