// Pods in the cloud and at the edge: the NLB sends to each of them, by its address.
const fs = require("node:fs");
const path = require("node:path");
const pulumi = require("@pulumi/pulumi");
const { Cluster, ServiceLoadBalancer } = require("ack-loadbalancer");

const config = new pulumi.Config();
const cluster = new Cluster({ clusterId: config.require("clusterId"), clusterType: "edge", networkPlugin: "terway-edge", edgeLink: config.getBoolean("edgeLink") });

const api = new ServiceLoadBalancer("api", {
    cluster,
    manifest: fs.readFileSync(path.join(__dirname, "service.yaml"), "utf8"),
    // Zones of the NLB, with a vSwitch in each: the annotation zone-maps says the same.
    references: { zoneVswitches: config.requireObject("vswitches") },
});

exports.address = api.address;
