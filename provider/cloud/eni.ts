import { object, converted, fields, list, type Read, requiredText, text } from "./http/answer";
import type { Cloud } from "./http/cloud";
import { batches, listByToken } from "./http/page";

/** Most addresses in a call. Source: ECS API, DescribeNetworkInterfaces. */
const ADDRESSES_PER_CALL = 100;
const PAGE_SIZE = 100;

const INTERFACE = converted(
    fields({
        eniId: ["NetworkInterfaceId", requiredText],
        vpcId: ["VpcId", text],
        address: ["PrivateIpAddress", text],
        ipv4: ["PrivateIpSets", list(object({ PrivateIpAddress: text }), "PrivateIpSet")],
        ipv6: ["Ipv6Sets", list(object({ Ipv6Address: text }), "Ipv6Set")],
    }),
    ({ eniId, vpcId, address, ipv4 = [], ipv6 = [] }) => ({
        eniId,
        place: `${eniId} (${vpcId ?? "no VPC"})`,
        addresses: [
            address,
            ...ipv4.map(({ PrivateIpAddress }) => PrivateIpAddress),
            ...ipv6.map(({ Ipv6Address }) => Ipv6Address),
        ],
    }),
);

/**
 * Returns the ids of the interfaces of pod addresses, IPv4 or IPv6, by address (DescribeNetworkInterfaces, 100
 * addresses a call, every page). Addresses without an interface are absent.
 *
 * @param vpcId default: any VPC
 * @throws Error if an address occurs in two VPCs.
 */
export async function findEnis(cloud: Cloud, podIps: readonly string[], vpcId?: string): Promise<Map<string, string>> {
    const found = new Map<string, Read<typeof INTERFACE>>();
    const unique = [...new Set(podIps)];
    const families = {
        PrivateIpAddress: unique.filter((ip) => !ip.includes(":")),
        Ipv6Address: unique.filter((ip) => ip.includes(":")),
    };
    const queries = Object.entries(families).flatMap(([filter, addresses]) =>
        batches(addresses, ADDRESSES_PER_CALL).map((batch) => ({ filter, batch })),
    );
    const action = "DescribeNetworkInterfaces";
    const field = ["NetworkInterfaceSets", INTERFACE, "NetworkInterfaceSet"] as const;
    for (const { filter, batch } of queries) {
        const params = { VpcId: vpcId, Status: "InUse", [filter]: batch, MaxResults: PAGE_SIZE };
        for (const eni of await listByToken(cloud, "ecs", action, params, field))
            for (const ip of eni.addresses) {
                if (ip === undefined || !batch.includes(ip)) continue;
                const other = found.get(ip);
                if (other !== undefined && other.eniId !== eni.eniId)
                    throw new Error(
                        `${action}: address ${ip} is carried by ${other.place} and by ${eni.place}\n` +
                            "  remedy: set vpcId to the cluster's VPC",
                    );
                found.set(ip, eni);
            }
    }
    return new Map([...found].map(([ip, { eniId }]) => [ip, eniId]));
}
