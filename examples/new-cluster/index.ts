// A new ACK cluster, a Deployment in it, and its load balancer. Ids and the kubeconfig are Outputs: the first preview
// shows them as unknown, and the first `pulumi up` ends with members.
import * as alicloud from "@pulumi/alicloud";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");

const network = new alicloud.vpc.Network("shop", { cidrBlock: "10.0.0.0/8" });
const vswitch = new alicloud.vpc.Switch("shop", { vpcId: network.id, zoneId, cidrBlock: "10.1.0.0/16" });

const ack = new alicloud.cs.ManagedKubernetes("shop", {
    clusterSpec: "ack.standard",
    vswitchIds: [vswitch.id],
    podCidr: "172.20.0.0/16",
    serviceCidr: "172.21.0.0/20",
    newNatGateway: true,
    slbInternetEnabled: true,
});
const nodes = new alicloud.cs.NodePool("shop", {
    clusterId: ack.id,
    vswitchIds: [vswitch.id],
    instanceTypes: [config.require("instanceType")],
    desiredSize: "2",
});

const cluster = new Cluster({
    clusterId: ack.id,
    vpcId: ack.vpcId,
    vswitches: [vswitch.id],
    // Credentials for an hour, new in each run. They are written to a file that only this user can read. State and logs
    // have its path.
    kubeconfig: alicloud.cs.getClusterCredentialOutput({ clusterId: ack.id, temporaryDurationMinutes: 60 }).kubeConfig,
});

// The program's own resources reach the cluster through the same file.
const provider = new kubernetes.Provider("shop", { kubeconfig: cluster.connection.kubeconfig });
const namespace = new kubernetes.core.v1.Namespace("shop", {}, { provider });
const labels = { app: "shop" };
const deployment = new kubernetes.apps.v1.Deployment(
    "shop",
    {
        metadata: { namespace: namespace.metadata.name },
        spec: {
            replicas: 2,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [{ name: "app", image: config.require("image") }] } },
        },
    },
    { provider, dependsOn: [nodes] },
);

const shop = new ServiceLoadBalancer("shop", {
    cluster,
    service: {
        namespace: namespace.metadata.name,
        name: "shop",
        selector: deployment.spec.selector.matchLabels,
        ports: [{ port: 80, targetPort: 8080 }],
    },
});

export const address = shop.address;
