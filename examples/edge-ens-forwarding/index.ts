// Pods on edge (ENS) nodes: the CLB sends to ECS instances in the cloud, which forward to the edge.
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

const config = new pulumi.Config();
const cluster = new Cluster({
    clusterId: config.require("clusterId"),
    clusterType: "edge",
    edgeLink: config.getBoolean("edgeLink") ?? false,
});

const cache = new ServiceLoadBalancer("cache", {
    cluster,
    manifest: fs.readFileSync(path.join(__dirname, "service.yaml"), "utf8"),
});

export const address: pulumi.Output<string> = cache.address;
