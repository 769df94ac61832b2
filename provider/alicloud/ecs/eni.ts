import { batches } from "../http/batch";
import { list, object, readAnswer, requiredText, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { tokenPages } from "../http/page";
import { defined } from "../../schema/defined";

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

const INTERFACES = object({
    NetworkInterfaceSets: list(
        object({
            NetworkInterfaceId: requiredText,
            VpcId: text,
            InstanceId: text,
            PrivateIpAddress: text,
            PrivateIpSets: list(object({ PrivateIpAddress: text }), "PrivateIpSet"),
            Ipv6Sets: list(object({ Ipv6Address: text }), "Ipv6Set"),
        }),
        "NetworkInterfaceSet",
    ),
});

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
): Promise<Map<string, Eni>> {
    const found = new Map<string, Eni>();
    const unique = [...new Set(podIps)];
    const families = [
        { filter: "PrivateIpAddress", addresses: unique.filter((ip) => !ip.includes(":")) },
        { filter: "Ipv6Address", addresses: unique.filter((ip) => ip.includes(":")) },
    ];
    for (const { filter, addresses } of families) {
        for (const batch of batches(addresses, ADDRESSES_PER_CALL)) await findBatch(cloud, vpcId, filter, batch, found);
    }
    return found;
}

async function findBatch(
    cloud: Cloud,
    vpcId: string | undefined,
    filter: string,
    addresses: readonly string[],
    found: Map<string, Eni>,
): Promise<void> {
    const action = "DescribeNetworkInterfaces";
    const requested = new Set(addresses);
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("ecs", action, {
            VpcId: vpcId,
            Status: "InUse",
            [filter]: addresses,
            MaxResults: PAGE_SIZE,
            NextToken,
        }),
    );
    for (const item of pages.flatMap((page) => readAnswer(action, INTERFACES, page).NetworkInterfaceSets ?? [])) {
        const eni: Eni = {
            eniId: item.NetworkInterfaceId,
            ...defined({ vpcId: item.VpcId, instanceId: item.InstanceId }),
        };
        const carried = [
            item.PrivateIpAddress,
            ...(item.PrivateIpSets ?? []).map(({ PrivateIpAddress }) => PrivateIpAddress),
            ...(item.Ipv6Sets ?? []).map(({ Ipv6Address }) => Ipv6Address),
        ];
        for (const ip of carried) {
            if (ip === undefined || !requested.has(ip)) continue;
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
