// A new ACK cluster, a Deployment in it, and its load balancer. Ids and the kubeconfig are Outputs: the first preview
// shows them as unknown, and the first `pulumi up` ends with members.
import * as cs from "@pulumi/alicloud/cs";
import * as vpc from "@pulumi/alicloud/vpc";
import * as apps from "@pulumi/kubernetes/apps/v1";
import * as core from "@pulumi/kubernetes/core/v1";
import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");

const network = new vpc.Network("shop", { cidrBlock: "10.0.0.0/8" });
const vswitch = new vpc.Switch("shop", { vpcId: network.id, zoneId, cidrBlock: "10.1.0.0/16" });

const ack = new cs.ManagedKubernetes("shop", {
    clusterSpec: "ack.standard",
    vswitchIds: [vswitch.id],
    podCidr: "172.20.0.0/16",
    serviceCidr: "172.21.0.0/20",
    newNatGateway: true,
    slbInternetEnabled: true,
});
const nodes = new cs.NodePool("shop", {
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
    kubeconfig: cs.getClusterCredentialOutput({ clusterId: ack.id, temporaryDurationMinutes: 60 }).kubeConfig,
});

// The program's own resources reach the cluster through the same file.
const provider = new Provider("shop", { kubeconfig: cluster.connection.kubeconfig });
const namespace = new core.Namespace("shop", {}, { provider });
const labels = { app: "shop" };
const deployment = new apps.Deployment(
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
