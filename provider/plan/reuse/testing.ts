import type { ReuseRequest } from "../../model/observed";

/** What an ordinary Service wants of a CLB that it reuses: its one listener managed, nothing stated beside that. */
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
