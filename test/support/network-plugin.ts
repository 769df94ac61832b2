/** Network plugins of ACK, by the marks that they leave in a cluster: none runs in a lab. */
import type { Session } from "../../lab";

interface Pods {
    readonly items: readonly { readonly status: { readonly podIP?: string } }[];
}

/** Gives the interfaces of Terway nodes to all pods of the default namespace. */
export async function attachPods(session: Session): Promise<void> {
    const { items } = await session.lab.cluster.get<Pods>("/api/v1/namespaces/default/pods");
    const privateIps = items.flatMap(({ status }) => status.podIP ?? []);
    await session.cloud("/_seed", { networkInterfaces: [{ id: "eni-pods", privateIps }] });
}

/** Makes a cluster name its network plugin. With Terway the pods have interfaces in the VPC. */
export async function installPlugin(session: Session, plugin: "flannel" | "terway"): Promise<void> {
    const { cluster } = session.lab;
    if (plugin === "terway") {
        await cluster.create("/api/v1/namespaces/kube-system/configmaps", {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: "eni-config", namespace: "kube-system" },
            data: { eni_conf: "{}" },
        });
        await attachPods(session);
        return;
    }
    const labels = { app: "flannel" };
    await cluster.create("/apis/apps/v1/namespaces/kube-system/daemonsets", {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "kube-flannel-ds", namespace: "kube-system" },
        spec: {
            selector: { matchLabels: labels },
            template: {
                metadata: { labels },
                spec: {
                    // No node takes it.
                    nodeSelector: { none: "none" },
                    containers: [{ name: "kube-flannel", image: "flannel:1" }],
                },
            },
        },
    });
}
