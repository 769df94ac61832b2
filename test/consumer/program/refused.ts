import type { ServiceArgs, Settings } from "ack-loadbalancer";

// What must not compile: types that came out as any would let it pass.
export const service: ServiceArgs = {
    name: "web",
    ports: [{ port: 80 }],
    // @ts-expect-error Kubernetes knows Cluster and Local
    externalTrafficPolicy: "Sometimes",
};

// @ts-expect-error there is no such scheduler
export const settings: Settings = { scheduler: "random" };
