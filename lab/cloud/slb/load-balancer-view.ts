import type { JsonObject } from "../core";
import type { World } from "../world";
import { listenersOf } from "./lookup";
import type { LoadBalancer } from "./state";
import { tagView } from "./tags";

/** The API's short time format: minutes only. */
function time(ms: number): string {
    return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}

function common(world: World, lb: LoadBalancer): JsonObject {
    return {
        LoadBalancerId: lb.id,
        Address: lb.address,
        AddressIPVersion: lb.addressIpVersion,
        AddressType: lb.addressType,
        Bandwidth: lb.bandwidth,
        DeleteProtection: lb.deleteProtection,
        InternetChargeType: lb.internetChargeType,
        InternetChargeTypeAlias: lb.internetChargeType,
        LoadBalancerName: lb.name,
        LoadBalancerSpec: lb.spec,
        MasterZoneId: lb.masterZoneId,
        SlaveZoneId: lb.slaveZoneId,
        ModificationProtectionReason: lb.modificationProtectionReason,
        ModificationProtectionStatus: lb.modificationProtectionStatus,
        PayType: lb.payType,
        InstanceChargeType: lb.instanceChargeType,
        ResourceGroupId: lb.resourceGroupId,
        LoadBalancerStatus: lb.status.now(world.now()),
        VSwitchId: lb.vSwitchId,
        VpcId: lb.vpcId,
        NetworkType: lb.networkType,
        RegionId: world.region,
        RegionIdAlias: world.region,
        CreateTime: time(lb.createdAt),
        CreateTimeStamp: lb.createdAt,
        Tags: tagView(lb.tags),
    };
}

/** An instance in DescribeLoadBalancers. */
export function loadBalancerView(world: World, lb: LoadBalancer): JsonObject {
    return common(world, lb);
}

/** An instance in DescribeLoadBalancerAttribute: also its listeners and default backends. */
export function loadBalancerDetail(world: World, lb: LoadBalancer): JsonObject {
    const listeners = listenersOf(world, lb.id);
    const rows = listeners.map((l) => ({
        ListenerPort: l.port,
        ListenerProtocol: l.protocol,
        ListenerForward: l.attributes.get("ListenerForward") ?? "off",
        ForwardPort: l.attributes.get("ForwardPort"),
        Description: l.attributes.get("Description") ?? "",
    }));
    return {
        ...common(world, lb),
        ListenerPorts: { ListenerPort: listeners.map((l) => l.port) },
        ListenerPortsAndProtocol: { ListenerPortAndProtocol: rows },
        // The API answers a misspelled twin as well, which the alicloud plugin's data source reads.
        ListenerPortsAndProtocal: {
            ListenerPortAndProtocal: listeners.map((l) => ({ ListenerPort: l.port, ListenerProtocal: l.protocol })),
        },
        BackendServers: { BackendServer: [] },
    };
}
