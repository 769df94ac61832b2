import type { ReuseRequest } from "../../provider/service/reuse";

/** Request of an ordinary Service for a CLB that it reuses: its only listener managed, nothing else specified. */
export const REQUEST: ReuseRequest = {
    loadBalancerId: "lb-1",
    namespace: "shop",
    name: "web",
    clusterId: "c1",
    addressType: "internet",
    ipVersion: "ipv4",
    vpcId: "vpc-1",
    manageListeners: true,
    listeners: [{ protocol: "tcp", port: 80 }],
    joinedGroups: [],
    fixed: {},
    attributes: {},
    additionalTags: {},
    attachesPods: false,
    boundTo: [],
    denied: [],
};
