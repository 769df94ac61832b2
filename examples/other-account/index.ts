// The runner's own credentials assume a role in the account that the load balancers are in.
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

const cluster = new Cluster({
    clusterId: "c-other-account",
    account: { assumeRole: { roleArn: new pulumi.Config().require("roleArn"), sessionName: "pulumi" } },
});

const shop = new ServiceLoadBalancer("shop", {
    cluster,
    service: { name: "shop", selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] },
});

export const address = shop.address;
