// A Namespace, a Deployment and its load balancer, all new: the first `pulumi up` ends with members.
import * as kubernetes from "@pulumi/kubernetes";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

/** Pulumi chooses its name. */
const namespace = new kubernetes.core.v1.Namespace("greenfield");

const labels = { app: "shop" };
const deployment = new kubernetes.apps.v1.Deployment("shop", {
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
