import { comesWith, entry, needs, preset, row, rows, undocumented } from "../row";
import { clbDocument } from "../../../schema/documents";
import {
    anyCase,
    anything,
    clbTags,
    hostname,
    identifier,
    instanceName,
    integer,
    ipv4,
    onOff,
    oneOf,
    specification,
    zone,
} from "../codecs";

const INSIDE = { equals: "intranet" } as const;

export const clbInstanceRows = rows("instance", "v1.9.3", clbDocument, {
    addressType: entry(preset(oneOf("internet", "intranet"), "internet"), "Create an internal CLB instance", {
        onChange: "create-only",
        api: "CreateLoadBalancer AddressType",
        doc:
            "Whether the load balancer has a public address (`internet`) or one that is reachable from within the " +
            "VPC only (`intranet`).",
    }),
    vswitchId: entry(identifier("vsw-", "a vSwitch id"), "Specify a vSwitch for an internal CLB instance", {
        companions: [needs("addressType", "only an internal load balancer takes its address from a vSwitch", INSIDE)],
        onChange: "create-only",
        api: "CreateLoadBalancer VSwitchId",
        doc:
            "The vSwitch that an internal load balancer takes its address from. It must be in the VPC of the " +
            "cluster. By default one of the vSwitches that are known of the cluster is taken, and kept: the first " +
            "one before v2.13.0, one with a free address from then on.",
        reference: true,
    }),
    instanceChargeType: entry(anyCase(oneOf("PayBySpec", "PayByCLCU")), "Specify the CLB instance type", {
        defaults: [{ value: "PayBySpec" }, { value: "PayByCLCU", since: "v2.5.0" }],
        since: "v2.4.0",
        onChange: "one way",
        api: "CreateLoadBalancer InstanceChargeType, ModifyLoadBalancerInstanceChargeType",
        doc:
            "Whether the instance is paid for by its specification or by what it is used for. By default an " +
            "instance whose traffic is paid for by bandwidth is paid for by specification: the other kind is sold " +
            "by traffic only. The default holds when an instance is made: without the annotation, it stays paid for " +
            "as it is.",
    }),
    spec: entry(preset(specification, "slb.s1.small"), "Specify the CLB instance type", {
        api: "CreateLoadBalancer LoadBalancerSpec, ModifyLoadBalancerInstanceSpec",
        doc:
            "The size of an instance that is paid for by specification. The default holds for such instances only. " +
            "An instance that is paid for by usage cannot get one.",
    }),
    chargeType: entry(oneOf("paybytraffic", "paybybandwidth"), "Create a pay-by-bandwidth CLB instance", {
        defaults: [{ value: "paybytraffic" }],
        companions: [comesWith("bandwidth", "the bandwidth is 50 Mbit/s by default", { when: "paybybandwidth" })],
        api: "CreateLoadBalancer InternetChargeType, ModifyLoadBalancerInternetSpec",
        doc:
            "Whether public traffic is paid for by volume or by bandwidth. An instance that is paid for by usage " +
            "cannot change to `paybybandwidth`.",
    }),
    bandwidth: entry(preset(integer(1, 5120, "Mbit/s"), 50), "Create a pay-by-bandwidth CLB instance", {
        companions: [
            needs("chargeType", "bandwidth is limited only where it is paid for", { equals: "paybybandwidth" }),
        ],
        since: "v1.9.3.10-gfb99107-aliyun",
        api: "CreateLoadBalancer Bandwidth, ModifyLoadBalancerInternetSpec",
        doc: "The bandwidth of a public load balancer that is paid for by bandwidth. The range is that of the API.",
    }),
    id: entry(identifier("lb-", "a CLB instance id"), "Use an existing CLB instance", {
        since: "v1.9.3.81-gca19cd4-aliyun",
        onChange: "create-only",
        api: "DescribeLoadBalancerAttribute LoadBalancerId",
        doc:
            "Use this existing instance instead of creating one. It must not have been created for another Service " +
            "or for the API server.",
        reference: true,
    }),
    forceOverrideListeners: entry(oneOf("true", "false"), "Use an existing CLB instance and force override listeners", {
        defaults: [{ value: "false" }],
        companions: [comesWith("id", "the listeners of an instance that is not reused are managed anyway")],
        since: "v1.9.3.81-gca19cd4-aliyun",
        onChange: "in place, with an interruption",
        api: "the listeners of a reused instance",
        doc:
            "Whether the listeners for the ports of this Service are managed on a reused instance. `true` takes " +
            "over listeners that are already there on these ports.",
    }),
    masterZoneid: row(zone, "CreateLoadBalancer MasterZoneId", "Specify primary and secondary zones", {
        companions: [needs("slaveZoneid", "zones are chosen in pairs")],
        since: "v1.9.3.10-gfb99107-aliyun",
        onChange: "create-only",
        doc: "The zone that serves traffic in normal times. Not every region offers a choice.",
    }),
    slaveZoneid: row(zone, "CreateLoadBalancer SlaveZoneId", "Specify primary and secondary zones", {
        companions: [needs("masterZoneid", "zones are chosen in pairs")],
        since: "v1.9.3.10-gfb99107-aliyun",
        onChange: "create-only",
        doc: "The zone that takes over when the primary zone fails.",
    }),
    ip: row(ipv4, "CreateLoadBalancer Address", "Specify a static IP for an internal CLB instance", {
        companions: [
            needs("addressType", "only an internal load balancer can have an address of your choice", INSIDE),
            needs("vswitchId", "the address belongs to the address range of a vSwitch"),
        ],
        since: "v2.7.0",
        onChange: "create-only",
        doc: "The IPv4 address of an internal load balancer, out of the address range of its vSwitch.",
    }),
    ipVersion: row(oneOf("ipv4", "ipv6"), "CreateLoadBalancer AddressIPVersion", "Create an IPv6 CLB instance", {
        defaults: [{ value: "ipv4" }],
        since: "v1.9.3.220-g24b1885-aliyun",
        onChange: "create-only",
        doc:
            "The IP version of the load balancer's address. `ipv6` needs kube-proxy in IPVS mode, and clients with " +
            "IPv6.",
    }),
    networkType: row(preset(oneOf("vpc", "classic"), "vpc"), "CreateLoadBalancer VpcId", undocumented("network-type"), {
        onChange: "create-only",
        doc:
            "The network of an internal load balancer. `vpc` is the only one that there is: `classic` is refused, " +
            "since the classic network has been retired.",
    }),
    type: row(oneOf("clb", "nlb"), "which load balancer is made", undocumented("type"), {
        defaultNote: "as `spec.loadBalancerClass` says",
        since: "v2.5.0",
        onChange: "create-only",
        noLegacyKey: true,
        doc:
            "The kind of load balancer. It must not contradict `spec.loadBalancerClass`. The Cloud Controller " +
            "Manager regards it only with its feature gate LoadBalancerTypeAnnotation.",
    }),
    additionalResourceTags: row(clbTags, "TagResources", "Add tags to the CLB instance", {
        doc:
            "Tags for the instance. On a reused instance they replace tags of the same key that were set by hand; of " +
            "an own one, `pulumi up --refresh` removes all other tags that were set by hand.",
    }),
    name: row(instanceName, "CreateLoadBalancer LoadBalancerName, SetLoadBalancerName", "Set the CLB instance name", {
        since: "v1.9.3.313-g748f81e-aliyun",
        doc: "The name of the instance. By default the name is derived from the uid of the Service.",
    }),
    resourceGroupId: entry(identifier("rg-", "a resource group id"), "Assign the CLB instance to a resource group", {
        since: "v1.9.3.313-g748f81e-aliyun",
        onChange: "create-only",
        api: "CreateLoadBalancer ResourceGroupId",
        doc: "The resource group that the instance belongs to.",
        reference: true,
    }),
    deleteProtection: row(onOff, "SetLoadBalancerDeleteProtection DeleteProtection", "Enable deletion protection", {
        defaults: [{ value: "on" }],
        since: "v1.9.3.313-g748f81e-aliyun",
        doc:
            "Whether the cloud refuses to delete the instance. Deleting the Service still deletes it: the " +
            "protection is then switched off first.",
    }),
    modificationProtection: {
        type: oneOf("ConsoleProtection", "NonProtection"),
        defaults: [{ value: "ConsoleProtection" }],
        since: "v1.9.3.313-g748f81e-aliyun",
        api: "SetLoadBalancerModificationProtection ModificationProtectionStatus",
        doc: "Whether the console refuses changes to the instance.",
        source: clbDocument("Enable configuration modification protection"),
    },
    preserveLbOnDelete: entry(anything, "Preserve the CLB instance when deleting a Service", {
        since: "v2.10.0",
        onChange: "on deletion",
        api: "UntagResources instead of DeleteLoadBalancer",
        doc:
            "Any text keeps the instance when the Service is deleted; its ownership tags are then removed. Leave " +
            "the annotation out to delete the instance with the Service.",
    }),
    hostname: entry(hostname, "Set a hostname for the Service", {
        companions: [
            comesWith(
                "protocolPort",
                "behind TCP and UDP listeners a pod that reaches itself through the load balancer may get no answer",
            ),
        ],
        since: "v2.3.0",
        onChange: "status only",
        api: "status.loadBalancer.ingress[0].hostname of the Service",
        doc:
            "Show this name instead of the address as the external address of the Service: traffic from " +
            "within the cluster passes through the load balancer. No domain is registered or bound.",
    }),
    externalIpType: row(oneOf("eip"), "status.loadBalancer.ingress of the Service", undocumented("external-ip-type"), {
        onChange: "status only",
        doc:
            "Show the elastic IP addresses that are associated with the instance as the external addresses of the " +
            "Service. While there are none, the address of the instance is shown. `hostname` takes precedence.",
    }),
});
