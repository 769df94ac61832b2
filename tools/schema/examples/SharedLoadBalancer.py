import pulumi
import pulumi_ack_loadbalancer as ack

cluster = {"cluster_id": "c82e…"}
front = ack.SharedLoadBalancer("front", cluster=cluster, settings={"address_type": "intranet"})

ack.ServiceLoadBalancer(
    "web",
    cluster=cluster,
    load_balancer=front,
    service={"name": "web", "selector": {"app": "web"}, "ports": [{"port": 80}]},
)
ack.ServiceLoadBalancer(
    "api",
    cluster=cluster,
    load_balancer=front,
    service={"name": "api", "selector": {"app": "api"}, "ports": [{"port": 8080}]},
)

pulumi.export("address", front.address)
