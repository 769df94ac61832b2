import pulumi
import pulumi_ack_loadbalancer as ack

shop = ack.ServiceLoadBalancer(
    "shop",
    cluster={"cluster_id": "c82e…"},
    service={
        "name": "shop",
        "selector": {"app": "shop"},
        "ports": [{"port": 80, "target_port": 8080}],
        "external_traffic_policy": "Local",
    },
    settings={"scheduler": "wrr"},
)

pulumi.export("address", shop.address)
