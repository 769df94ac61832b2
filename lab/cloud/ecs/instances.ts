import { reads, type Action } from "../actions";
import { hasTags, numberedPage, tokenPage, type JsonObject, type Params } from "../core";
import type { NetworkInterface } from "./state";

function tagRows(tags: ReadonlyMap<string, string>): JsonObject {
    return { Tag: [...tags].sort(([a], [b]) => (a < b ? -1 : 1)).map(([TagKey, TagValue]) => ({ TagKey, TagValue })) };
}

function interfaceView(n: NetworkInterface): JsonObject {
    return {
        NetworkInterfaceId: n.id,
        NetworkInterfaceName: n.id,
        InstanceId: n.instanceId,
        Type: n.type,
        Status: n.status,
        VpcId: n.vpcId,
        VSwitchId: n.vSwitchId,
        ZoneId: n.zoneId,
        PrivateIpAddress: n.privateIps[0] ?? "",
        PrivateIpSets: {
            PrivateIpSet: n.privateIps.map((PrivateIpAddress, i) => ({ PrivateIpAddress, Primary: i === 0 })),
        },
        Ipv6Sets: { Ipv6Set: n.ipv6Addresses.map((Ipv6Address) => ({ Ipv6Address })) },
        MacAddress: "00:16:3e:00:00:01",
        Description: "",
        CreationTime: "2026-01-01T00:00:00Z",
        ResourceGroupId: "",
        ServiceManaged: false,
        SecurityGroupIds: { SecurityGroupId: [] },
        AssociatedPublicIp: {},
        Tags: tagRows(n.tags),
    };
}

/** Most filters of this call that may be repeated take at most 100 values. */
const MANY = { maxItems: 100 };

function matches(p: Params, n: NetworkInterface): boolean {
    const ids = p.list("NetworkInterfaceId");
    const v4 = p.list("PrivateIpAddress");
    const v6 = p.list("Ipv6Address");
    return (
        (ids.length === 0 || ids.includes(n.id)) &&
        (v4.length === 0 || n.privateIps.some((ip) => v4.includes(ip))) &&
        (v6.length === 0 || n.ipv6Addresses.some((ip) => v6.includes(ip))) &&
        (p.text("InstanceId") ?? n.instanceId) === n.instanceId &&
        (p.text("VpcId") ?? n.vpcId) === n.vpcId &&
        (p.text("VSwitchId") ?? n.vSwitchId) === n.vSwitchId &&
        (p.text("Status") ?? n.status) === n.status &&
        (p.text("Type") ?? n.type) === n.type &&
        (p.text("PrimaryIpAddress") ?? n.privateIps[0]) === n.privateIps[0] &&
        hasTags(p, n.tags)
    );
}

export const instanceActions: readonly Action[] = [
    reads(
        "DescribeNetworkInterfaces",
        { NetworkInterfaceId: MANY, PrivateIpAddress: MANY, Ipv6Address: MANY, MaxResults: { min: 1, max: 500 } },
        (p, world) => {
            const found = [...world.ecs.networkInterfaces.values()].filter((n) => matches(p, n));
            const { rows, counters } =
                p.sent("MaxResults") || p.sent("NextToken") ? tokenPage(p, found, 50) : numberedPage(p, found);
            return { ...counters, NetworkInterfaceSets: { NetworkInterfaceSet: rows.map(interfaceView) } };
        },
    ),
];
