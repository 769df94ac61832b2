import { Cluster, UnexposedService } from "ack-loadbalancer";

const cluster = new Cluster({ clusterId: "c82e…" });
const object = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace: "default", name: "shop" },
    spec: { type: "ClusterIP", selector: { app: "shop" }, ports: [{ port: 80 }] },
};

async function main(): Promise<void> {
    const live = await UnexposedService.find(cluster, "default", "shop");
    if (live === undefined) throw new Error("this stack has no Service default/shop");
    new UnexposedService("shop", { cluster, namespace: "default", name: "shop", object, live });
}
void main();
