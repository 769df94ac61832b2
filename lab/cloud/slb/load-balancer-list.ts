import type { JsonObject, Params } from "../core";
import type { World } from "../world";
import { backendsOf } from "./backends";
import { loadBalancerView } from "./load-balancer-view";
import type { LoadBalancer } from "./state";

/** Does the instance match the filters of DescribeLoadBalancers? Comma lists match any of their values. */
function matches(p: Params, lb: LoadBalancer): boolean {
    const filters: readonly [string, string][] = [
        ["LoadBalancerId", lb.id],
        ["LoadBalancerName", lb.name],
        ["Address", lb.address],
        ["AddressType", lb.addressType],
        ["AddressIPVersion", lb.addressIpVersion],
        ["NetworkType", lb.networkType],
        ["InternetChargeType", lb.internetChargeType],
        ["PayType", lb.payType],
        ["VpcId", lb.vpcId],
        ["VSwitchId", lb.vSwitchId],
        ["MasterZoneId", lb.masterZoneId],
        ["SlaveZoneId", lb.slaveZoneId],
        ["ResourceGroupId", lb.resourceGroupId],
        ["LoadBalancerStatus", lb.status.now()],
    ];
    return (
        filters.every(([name, value]) => p.text(name)?.split(",").includes(value) ?? true) &&
        wantedTags(p).every(([k, v]) => lb.tags.has(k) && (v === undefined || lb.tags.get(k) === v))
    );
}

/** Tag filters: `Tag.N.Key`, or the older `Tags` that holds a JSON list. */
function wantedTags(p: Params): [string, string | undefined][] {
    const classic = p.json("Tags");
    const parsed = Array.isArray(classic) ? (classic as { TagKey: string; TagValue?: string }[]) : [];
    return [
        ...p.structs("Tag").map((tag): [string, string | undefined] => [tag.text("Key") ?? "", tag.text("Value")]),
        ...parsed.map((tag): [string, string | undefined] => [String(tag?.TagKey), tag?.TagValue]),
    ];
}

/** DescribeLoadBalancers: a page of the instances that match. */
export function describeAll(p: Params, world: World): JsonObject {
    const number = p.int("PageNumber") ?? 1;
    const size = p.int("PageSize") ?? 50;
    const serverId = p.text("ServerId");
    const found = [...world.slb.loadBalancers.values()].filter(
        (lb) => matches(p, lb) && (serverId === undefined || usesServer(world, lb, serverId)),
    );
    const page = found.slice((number - 1) * size, number * size);
    return {
        TotalCount: found.length,
        PageNumber: number,
        PageSize: size,
        LoadBalancers: { LoadBalancer: page.map((lb) => loadBalancerView(world, lb)) },
    };
}

function usesServer(world: World, lb: LoadBalancer, serverId: string): boolean {
    return backendsOf(world, lb.id).some((b) => b.serverId === serverId);
}
