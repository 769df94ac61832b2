// The same Service in two clusters, each with its load balancer in the cluster's own region.
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

const config = new pulumi.Config();

/** `kubeconfig` of the stack is a file with both contexts. By default it is found as kubectl finds it. */
const kubeconfig = config.get("kubeconfig");

function expose(name: string, clusterId: string): pulumi.Output<string> {
    const cluster = new Cluster({
        clusterId,
        context: config.require(`${name}Context`),
        account: { region: config.require(`${name}Region`) },
        ...(kubeconfig === undefined ? {} : { kubeconfig }),
    });
    const shop = new ServiceLoadBalancer(name, {
        cluster,
        service: { name: `shop-${name}`, selector: { app: "shop" }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    return shop.address;
}

export const first = expose("first", "c-first");
export const second = expose("second", "c-second");
