import { defaulted, fields, number, object, type Read, requiredText, text } from "./http/answer";
import type { Cloud } from "./http/cloud";
import { listByNumber, readObject } from "./http/page";

const VSWITCH = fields({
    id: ["VSwitchId", text],
    vpcId: ["VpcId", defaulted(text, "")],
    zoneId: ["ZoneId", text],
    cidrBlock: ["CidrBlock", text],
    availableIpAddressCount: ["AvailableIpAddressCount", number],
});

export type VSwitch = Read<typeof VSWITCH> & { readonly id: string };

/** Returns the vSwitch with this id, or undefined if there is none (DescribeVSwitchAttributes). */
export async function describeVSwitch(cloud: Cloud, id: string): Promise<VSwitch | undefined> {
    const params = { VSwitchId: id };
    const found = await readObject(cloud, "vpc", "DescribeVSwitchAttributes", params, VSWITCH, "vswitch");
    // The API answers an unknown id with an empty object.
    return found?.id === undefined ? undefined : { ...found, id: found.id };
}

/** Source: VPC API, DescribeEipAddresses. */
const PAGE_SIZE = 100;
const ADDRESS = object({ IpAddress: requiredText });

/** Returns the elastic IP addresses of a CLB (DescribeEipAddresses, every page). */
export async function findElasticAddresses(cloud: Cloud, loadBalancerId: string): Promise<string[]> {
    const params = { AssociatedInstanceType: "SlbInstance", AssociatedInstanceId: loadBalancerId, PageSize: PAGE_SIZE };
    const field = ["EipAddresses", ADDRESS, "EipAddress"] as const;
    const found = await listByNumber(cloud, "vpc", "DescribeEipAddresses", params, field);
    return found.map(({ IpAddress }) => IpAddress);
}
