import type { FunctionType } from "../types/type";
import { ecsInstances } from "./ecs/instances";
import { nlbListeners } from "./nlb/listeners";
import { nlbLoadBalancers } from "./nlb/load-balancers";
import { nlbSecurityPolicies } from "./nlb/security-policies";
import { nlbServerGroups, nlbServerGroupServerAttachments } from "./nlb/server-groups";
import { nlbZones } from "./nlb/zones";
import { slbAcls } from "./slb/acls";
import { slbCaCertificates, slbServerCertificates } from "./slb/certificates";
import { slbListeners } from "./slb/listeners";
import { slbApplicationLoadBalancers, slbLoadBalancers } from "./slb/load-balancers";
import { slbMasterSlaveServerGroups } from "./slb/master-slave-server-groups";
import { slbAttachments, slbBackendServers, slbDomainExtensions, slbRules } from "./slb/plain-listings";
import { slbServerGroups } from "./slb/server-groups";
import { slbTlsCipherPolicies } from "./slb/tls-cipher-policies";
import { slbZones } from "./slb/zones";
import { vpcNetworks } from "./vpc/networks";
import { vpcSwitches } from "./vpc/switches";

const all: readonly FunctionType[] = [
    ecsInstances,
    nlbListeners,
    nlbLoadBalancers,
    nlbSecurityPolicies,
    nlbServerGroups,
    nlbServerGroupServerAttachments,
    nlbZones,
    slbAcls,
    slbApplicationLoadBalancers,
    slbAttachments,
    slbBackendServers,
    slbCaCertificates,
    slbDomainExtensions,
    slbListeners,
    slbLoadBalancers,
    slbMasterSlaveServerGroups,
    slbRules,
    slbServerCertificates,
    slbServerGroups,
    slbTlsCipherPolicies,
    slbZones,
    vpcNetworks,
    vpcSwitches,
];

/** All functions by token. */
export const functionTypes: ReadonlyMap<string, FunctionType> = new Map(all.map((type) => [type.token, type]));
