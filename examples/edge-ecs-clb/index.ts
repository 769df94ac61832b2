// Pods on cloud nodes: a Service as anywhere else. Nodes at the edge are passed over by themselves.
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

const config = new pulumi.Config();
const cluster = new Cluster({ clusterId: config.require("clusterId"), clusterType: "edge" });

const shop = new ServiceLoadBalancer("shop", {
    cluster,
    manifest: fs.readFileSync(path.join(__dirname, "service.yaml"), "utf8"),
});

export const address: pulumi.Output<string> = shop.address;
