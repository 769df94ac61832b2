// Pods in the cloud and at the edge: the NLB sends to each of them, by its address.
import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

const config = new pulumi.Config();
const cluster = new Cluster({
    clusterId: config.require("clusterId"),
    clusterType: "edge",
    networkPlugin: "terway-edge",
    edgeLink: config.getBoolean("edgeLink") ?? false,
});

const api = new ServiceLoadBalancer("api", {
    cluster,
    manifest: fs.readFileSync(path.join(__dirname, "service.yaml"), "utf8"),
    // Zones of the NLB, with a vSwitch in each: the annotation zone-maps says the same.
    references: { zoneVswitches: config.requireObject<Record<string, string>>("vswitches") },
});

export const address: pulumi.Output<string> = api.address;
