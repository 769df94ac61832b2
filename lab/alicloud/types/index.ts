import { eipAddress } from "./ecs/eip-address";
import {
    nlbListenerAdditionalCertificateAttachment,
    nlbLoadBalancerSecurityGroupAttachment,
    nlbLoadbalancerCommonBandwidthPackageAttachment,
} from "./nlb/attachments";
import { nlbListener } from "./nlb/listener";
import { nlbLoadBalancer } from "./nlb/load-balancer";
import { nlbSecurityPolicy } from "./nlb/security-policy";
import { nlbServerGroup } from "./nlb/server-group";
import { nlbServerGroupServerAttachment } from "./nlb/server-group-server-attachment";
import { acl } from "./slb/acl";
import { aclEntryAttachment } from "./slb/acl-entry-attachment";
import { attachment } from "./slb/attachment";
import { backendServer } from "./slb/backend-server";
import { caCertificate } from "./slb/ca-certificate";
import { domainExtension } from "./slb/domain-extension";
import { listener } from "./slb/listener";
import { applicationLoadBalancer, loadBalancer } from "./slb/load-balancer";
import { masterSlaveServerGroup } from "./slb/master-slave-server-group";
import { rule } from "./slb/rule";
import { serverCertificate } from "./slb/server-certificate";
import { serverGroup } from "./slb/server-group";
import { serverGroupServerAttachment } from "./slb/server-group-server-attachment";
import { tlsCipherPolicy } from "./slb/tls-cipher-policy";
import type { ResourceType } from "./type";
import { commonBandwidthPackage } from "./vpc/common-bandwidth-package";

const all: readonly ResourceType[] = [
    acl,
    aclEntryAttachment,
    applicationLoadBalancer,
    attachment,
    backendServer,
    caCertificate,
    commonBandwidthPackage,
    domainExtension,
    eipAddress,
    listener,
    loadBalancer,
    masterSlaveServerGroup,
    nlbListener,
    nlbListenerAdditionalCertificateAttachment,
    nlbLoadBalancer,
    nlbLoadBalancerSecurityGroupAttachment,
    nlbLoadbalancerCommonBandwidthPackageAttachment,
    nlbSecurityPolicy,
    nlbServerGroup,
    nlbServerGroupServerAttachment,
    rule,
    serverCertificate,
    serverGroup,
    serverGroupServerAttachment,
    tlsCipherPolicy,
];

/** All resource types by token. */
export const resourceTypes: ReadonlyMap<string, ResourceType> = new Map(all.map((type) => [type.token, type]));
