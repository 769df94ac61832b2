// Pods on edge (ENS) nodes: the CLB sends to ECS instances in the cloud, which forward to the edge.
const fs = require("node:fs");
const path = require("node:path");
const pulumi = require("@pulumi/pulumi");
const { Cluster, ServiceLoadBalancer } = require("ack-loadbalancer");

const config = new pulumi.Config();
const cluster = new Cluster({ clusterId: config.require("clusterId"), clusterType: "edge", edgeLink: config.getBoolean("edgeLink") });

const cache = new ServiceLoadBalancer("cache", {
    cluster,
    manifest: fs.readFileSync(path.join(__dirname, "service.yaml"), "utf8"),
});

exports.address = cache.address;
