// Two Services behind load balancers: the first is described in this program, another tool has applied the second to
// the cluster.
import * as pulumi from "@pulumi/pulumi";
import { Cluster, ServiceLoadBalancer } from "ack-loadbalancer";

// Reached as kubectl reaches it: KUBECONFIG, or ~/.kube/config.
const cluster = new Cluster({ clusterId: "c-library" });

const describedHere = new ServiceLoadBalancer("described", {
    cluster,
    service: {
        name: "described",
        selector: { app: "shop" },
        ports: [{ port: 80, targetPort: 8080 }],
        externalTrafficPolicy: "Local",
    },
    // The same settings as the annotations, typed.
    settings: { scheduler: "wrr", healthCheckInterval: 5 },
});

const appliedElsewhere = ServiceLoadBalancer.forExisting("existing", {
    cluster,
    namespace: "default",
    name: "existing",
});

export const described: pulumi.Output<string> = describedHere.address;
export const existing: pulumi.Output<string> = pulumi.output(appliedElsewhere.then(({ address }) => address));
