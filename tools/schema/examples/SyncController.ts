import { SyncController } from "ack-loadbalancer";

new SyncController("sync", {
    image: "registry.cn-hangzhou.aliyuncs.com/acme/ack-loadbalancer:0.1.0",
    ramRole: "ack-loadbalancer-sync",
});
