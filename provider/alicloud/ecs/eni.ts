import { batches } from "../http/batch";
import type { Cloud } from "../http/client";
import { list, requireText, text } from "../http/json";
import { tokenPages } from "../http/page";

/** The network interface that carries an address. */
export interface Eni {
    readonly eniId: string;
    readonly vpcId?: string;
    /** The ECS instance that the interface is attached to. */
    readonly instanceId?: string;
}

/** Most addresses in one call's filter (API reference of DescribeNetworkInterfaces). */
const ADDRESSES_PER_CALL = 100;
const PAGE_SIZE = 100;

/**
 * The interfaces that carry these pod addresses, IPv4 or IPv6, by address (DescribeNetworkInterfaces, 100 addresses a call, every page).
 * Addresses that no interface carries are absent: the caller decides whether that is an error.
 *
 * @param vpcId VPC to look in. Without it an address that occurs in two VPCs is an error, because a wrong guess sends traffic to a stranger.
 */
export async function findEnis(
    cloud: Cloud,
    vpcId: string | undefined,
    podIps: readonly string[],
    signal?: AbortSignal,
): Promise<Map<string, Eni>> {
    const found = new Map<string, Eni>();
    const unique = [...new Set(podIps)];
    const families = [
        { filter: "PrivateIpAddress", addresses: unique.filter((ip) => !ip.includes(":")) },
        { filter: "Ipv6Address", addresses: unique.filter((ip) => ip.includes(":")) },
    ];
    for (const { filter, addresses } of families) {
        for (const batch of batches(addresses, ADDRESSES_PER_CALL))
            await findBatch(cloud, vpcId, filter, batch, found, signal);
    }
    return found;
}

async function findBatch(
    cloud: Cloud,
    vpcId: string | undefined,
    filter: string,
    addresses: readonly string[],
    found: Map<string, Eni>,
    signal: AbortSignal | undefined,
): Promise<void> {
    const action = "DescribeNetworkInterfaces";
    const wanted = new Set(addresses);
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call(
            "ecs",
            action,
            { VpcId: vpcId, Status: "InUse", [filter]: addresses, MaxResults: PAGE_SIZE, NextToken },
            signal ? { signal } : {},
        ),
    );
    for (const item of pages.flatMap((page) => list(page, "NetworkInterfaceSets", "NetworkInterfaceSet"))) {
        const eniVpc = text(item, "VpcId");
        const instanceId = text(item, "InstanceId");
        const eni: Eni = {
            eniId: requireText(item, "NetworkInterfaceId", action),
            ...(eniVpc === undefined ? {} : { vpcId: eniVpc }),
            ...(instanceId === undefined ? {} : { instanceId }),
        };
        const carried = [
            text(item, "PrivateIpAddress"),
            ...list(item, "PrivateIpSets", "PrivateIpSet").map((ip) => text(ip, "PrivateIpAddress")),
            ...list(item, "Ipv6Sets", "Ipv6Set").map((ip) => text(ip, "Ipv6Address")),
        ];
        for (const ip of carried) {
            if (ip === undefined || !wanted.has(ip)) continue;
            const other = found.get(ip);
            if (other && other.eniId !== eni.eniId) {
                throw new Error(
                    `${action}: address ${ip} is carried by ${other.eniId} (${other.vpcId ?? "no VPC"}) and by ${eni.eniId} (${eni.vpcId ?? "no VPC"})\n  remedy: set vpcId to the cluster's VPC`,
                );
            }
            found.set(ip, eni);
        }
    }
}
