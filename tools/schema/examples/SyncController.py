import pulumi_ack_loadbalancer as ack

ack.SyncController(
    "sync",
    image="registry.cn-hangzhou.aliyuncs.com/acme/ack-loadbalancer:0.1.0",
    ram_role="ack-loadbalancer-sync",
)
