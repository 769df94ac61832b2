// A Namespace, a Deployment and its load balancer, all new: the first `pulumi up` ends with members.
import * as apps from "@pulumi/kubernetes/apps/v1";
import * as core from "@pulumi/kubernetes/core/v1";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

/** Pulumi chooses its name. */
const namespace = new core.Namespace("greenfield");

const labels = { app: "shop" };
const deployment = new apps.Deployment("shop", {
    metadata: { namespace: namespace.metadata.name },
    spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "app:1" }] },
        },
    },
});

const shop = new ServiceLoadBalancer("shop", {
    cluster: new Cluster({ clusterId: "c-greenfield" }),
    service: {
        namespace: namespace.metadata.name,
        name: "shop",
        // The Deployment's own output: its pods are waited for.
        selector: deployment.spec.selector.matchLabels,
        ports: [{ port: 80, targetPort: 8080 }],
    },
});

export const address = shop.address;
