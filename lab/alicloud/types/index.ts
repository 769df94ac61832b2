import { nlbLoadbalancerCommonBandwidthPackageAttachment } from "./nlb/bandwidth-package-attachment";
import { nlbListener } from "./nlb/listener";
import { nlbLoadBalancer } from "./nlb/load-balancer";
import { nlbServerGroup } from "./nlb/server-group";
import { acl } from "./slb/acl";
import { domainExtension } from "./slb/domain-extension";
import { listener } from "./slb/listener";
import { applicationLoadBalancer } from "./slb/load-balancer";
import { serverGroup } from "./slb/server-group";
import { serverGroupServerAttachment } from "./slb/server-group-server-attachment";
import type { ResourceType } from "./type";

const all: readonly ResourceType[] = [
    acl,
    applicationLoadBalancer,
    domainExtension,
    listener,
    nlbListener,
    nlbLoadBalancer,
    nlbLoadbalancerCommonBandwidthPackageAttachment,
    nlbServerGroup,
    serverGroup,
    serverGroupServerAttachment,
];

/** All resource types by token. */
export const resourceTypes: ReadonlyMap<string, ResourceType> = new Map(all.map((type) => [type.token, type]));
