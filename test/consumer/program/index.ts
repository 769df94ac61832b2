import * as fs from "node:fs";
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";
import { ports } from "./manifest";

const cluster = new Cluster({ clusterId: new pulumi.Config().require("clusterId") });
const manifest = fs.readFileSync(path.join(__dirname, "stack/manifests/service.yaml"), "utf8");

const web = new ServiceLoadBalancer("web", { cluster, manifest });
const api = new ServiceLoadBalancer("api", {
    cluster,
    service: { name: "api", selector: { app: "shop" }, ports: [{ port: 8080 }], externalTrafficPolicy: "Local" },
    settings: { scheduler: "wrr", healthCheckInterval: 5 },
});

export const addresses: Record<string, pulumi.Output<string>> = { web: web.address, api: api.address };
export const declaredPorts: readonly number[] = ports(manifest);
