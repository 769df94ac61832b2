import { entry, needs, preset, row, rows } from "../row";
import { clbInstanceRows } from "../clb/instance";
import { CCM_SOURCE, nlbDocument } from "../../../schema/documents";
import { anyCase, identifier, identifiers, nlbTags, onOff, oneOf, zoneMaps } from "../codecs";

export const nlbInstanceRows = rows("instance", "v2.5.0", nlbDocument, {
    zoneMaps: row(zoneMaps, "CreateLoadBalancer ZoneMappings, UpdateLoadBalancerZones", "Create a Public NLB", {
        onChange: "in place, with an interruption",
        doc:
            "The zones of the load balancer, at least two, each with a vSwitch and, from v2.12.1 on, with an " +
            "address of that vSwitch and an elastic IP address of your choice. A zone that is no longer named is " +
            "given up; an address that is no longer named stays in its zone.",
    }),
    addressType: entry(preset(anyCase(oneOf("internet", "intranet")), "internet"), "Create a Private NLB", {
        onChange: "in place, with an interruption",
        api: "CreateLoadBalancer AddressType, UpdateLoadBalancerAddressTypeConfig",
        doc:
            "Whether the load balancer can be reached from the Internet (`internet`) or from within the VPC only " +
            "(`intranet`). An NLB can be switched, unlike a CLB.",
    }),
    ipVersion: entry(preset(anyCase(oneOf("ipv4", "DualStack")), "ipv4"), "Create a Dual-Stack NLB", {
        onChange: "create-only",
        api: "CreateLoadBalancer AddressIpVersion",
        doc:
            "Whether the load balancer has IPv4 addresses only, or IPv6 ones too (`DualStack`). The latter needs " +
            "vSwitches with IPv6, and kube-proxy in IPVS mode.",
    }),
    ipv6AddressType: entry(anyCase(oneOf("intranet", "internet")), "Specify IPv6 Public or Private Network Type", {
        defaults: [{ value: "intranet" }],
        companions: [needs("ipVersion", "only such a load balancer has IPv6 addresses", { equals: "DualStack" })],
        since: "v2.9.1",
        api: "EnableLoadBalancerIpv6Internet, DisableLoadBalancerIpv6Internet",
        doc: "Whether the IPv6 addresses can be reached from the Internet. That needs an IPv6 gateway in the VPC.",
    }),
    crossZoneEnabled: entry(preset(anyCase(onOff), "on"), "Configure Cross-AZ Forwarding", {
        since: "v2.13.0",
        api: "UpdateLoadBalancerAttribute CrossZoneEnabled",
        doc: "Whether each zone's address passes traffic on to backends in all zones, or in its own only.",
    }),
    securityGroupIds: {
        type: identifiers("sg-", "a security group id", "sg-aaaaa,sg-bbbbb"),
        since: "v2.6.0",
        api: "LoadBalancerJoinSecurityGroup, LoadBalancerLeaveSecurityGroup",
        doc:
            "The security groups that decide who may connect. `spec.loadBalancerSourceRanges` adds one that is kept " +
            "for the Service.",
        source: nlbDocument("Configure Listener Security Groups"),
        reference: true,
    },
    bandwidthPackageId: {
        type: identifier("cbwp-", "an Internet Shared Bandwidth package id"),
        since: "v2.9.1",
        api: "AttachCommonBandwidthPackageToLoadBalancer, DetachCommonBandwidthPackageFromLoadBalancer",
        doc: "The Internet Shared Bandwidth package that the public addresses share.",
        source: nlbDocument("Bind an Internet Shared Bandwidth Package"),
        reference: true,
    },
    id: entry(identifier("nlb-", "an NLB instance id"), "Use an Existing Load Balancer", {
        onChange: "create-only",
        api: "GetLoadBalancerAttribute LoadBalancerId",
        doc: "Use this existing instance instead of creating one. It must not have been created for another Service.",
        reference: true,
    }),
    forceOverrideListeners: {
        ...clbInstanceRows.forceOverrideListeners,
        since: "v2.5.0",
        doc: "Whether the listeners for the ports of this Service are managed on a reused instance.",
        source: nlbDocument("Use an Existing Load Balancer"),
    },
    name: {
        ...clbInstanceRows.name,
        since: "v2.5.0",
        api: "CreateLoadBalancer LoadBalancerName, UpdateLoadBalancerAttribute",
        source: nlbDocument("Specify the NLB Name"),
    },
    resourceGroupId: entry(identifier("rg-", "a resource group id"), "Specify the NLB Resource Group", {
        onChange: "create-only",
        api: "CreateLoadBalancer ResourceGroupId, CreateServerGroup ResourceGroupId",
        doc: "The resource group that the instance and its server groups belong to.",
        reference: true,
    }),
    additionalResourceTags: {
        ...clbInstanceRows.additionalResourceTags,
        type: nlbTags,
        since: "v2.5.0",
        source: nlbDocument("Add Extra Tags to the NLB"),
    },
    deleteProtection: {
        ...clbInstanceRows.deleteProtection,
        type: anyCase(onOff),
        since: "v2.5.0",
        api: "UpdateLoadBalancerProtection DeletionProtectionEnabled",
        source: `${CCM_SOURCE}, "delete-protection"`,
    },
    modificationProtection: {
        ...clbInstanceRows.modificationProtection,
        since: "v2.5.0",
        api: "UpdateLoadBalancerProtection ModificationProtectionStatus",
        source: `${CCM_SOURCE}, "modification-protection"`,
    },
    preserveLbOnDelete: {
        ...clbInstanceRows.preserveLbOnDelete,
        doc:
            "Any text keeps the instance, its listeners and its server groups when the Service is deleted; their " +
            "ownership tags are then removed. Leave the annotation out to delete them with the Service.",
        source: nlbDocument("Retain Automatically Created Load Balancer Instances When Deleting a Service"),
    },
    type: clbInstanceRows.type,
});
