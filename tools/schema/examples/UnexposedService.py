import pulumi_ack_loadbalancer as ack

ack.UnexposedService(
    "shop",
    cluster={"cluster_id": "c82e…"},
    namespace="default",
    name="shop",
    object={
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"namespace": "default", "name": "shop"},
        "spec": {"type": "ClusterIP", "selector": {"app": "shop"}, "ports": [{"port": 80}]},
    },
)
