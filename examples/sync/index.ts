// A Service whose backends follow the cluster between runs: the sync controller, a Deployment, and its load balancer.
import { Deployment } from "@pulumi/kubernetes/apps/v1";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer, SyncController } from "ack-loadbalancer";

const config = new pulumi.Config();

// Off in the first run: bindings need the custom resource that the controller brings.
const sync = config.getBoolean("sync") ?? false;

const ramRole = config.get("ramRole");
const controller = new SyncController("sync", {
    image: config.require("image"),
    ...(ramRole === undefined ? {} : { ramRole }),
});

const labels = { app: "sync-shop" };
const deployment = new Deployment("shop", {
    metadata: { name: "sync-shop", namespace: "default" },
    spec: {
        replicas: config.getNumber("replicas") ?? 3,
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: {
                automountServiceAccountToken: false,
                containers: [{ name: "app", image: "app:1" }],
                // A new pod is ready once the load balancer has it. Until then a rollout leaves the old pod alone.
                ...(sync
                    ? { readinessGates: [{ conditionType: "service.readiness.alibabacloud.com/sync-shop" }] }
                    : {}),
            },
        },
    },
});

const shop = new ServiceLoadBalancer(
    "shop",
    {
        cluster: new Cluster({ clusterId: "c-sync", sync }),
        service: {
            name: "sync-shop",
            selector: labels,
            ports: [{ port: 80, targetPort: 8080 }],
            externalTrafficPolicy: "Local",
        },
        settings: { scheduler: "wrr" },
    },
    // With gates pods wait for the load balancer, which therefore must not wait for the Deployment.
    { dependsOn: sync ? [controller] : [deployment] },
);

export const address = shop.address;
