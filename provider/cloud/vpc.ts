import { defaulted, fields, list, number, object, type Read, readAnswer, requiredText, text } from "./http/answer";
import type { Cloud } from "./http/cloud";
import { ignoreNotFound } from "./http/error";
import { numberedItems } from "./http/page";

const VSWITCH = fields({
    id: ["VSwitchId", text],
    vpcId: ["VpcId", defaulted(text, "")],
    zoneId: ["ZoneId", text],
    cidrBlock: ["CidrBlock", text],
    availableIpAddressCount: ["AvailableIpAddressCount", number],
});

/** vSwitch as observed. */
export type VSwitch = Read<typeof VSWITCH> & { readonly id: string };

/** Returns the vSwitch with this id; undefined if there is none (DescribeVSwitchAttributes). */
export async function describeVSwitch(cloud: Cloud, id: string): Promise<VSwitch | undefined> {
    const action = "DescribeVSwitchAttributes";
    const answer = await ignoreNotFound("vswitch", cloud.call("vpc", action, { VSwitchId: id }));
    if (answer === undefined) return undefined;
    // The API answers an unknown id with an empty object.
    const { id: observed, ...vSwitch } = readAnswer(action, VSWITCH, answer);
    return observed === undefined ? undefined : { id: observed, ...vSwitch };
}

/** Source: VPC API, DescribeEipAddresses. */
const PAGE_SIZE = 100;
const ADDRESSES = object({ EipAddresses: list(object({ IpAddress: requiredText }), "EipAddress") });

/** Returns the elastic IP addresses of a CLB (DescribeEipAddresses, every page). */
export async function findElasticAddresses(cloud: Cloud, loadBalancerId: string): Promise<string[]> {
    const action = "DescribeEipAddresses";
    const params = { AssociatedInstanceType: "SlbInstance", AssociatedInstanceId: loadBalancerId, PageSize: PAGE_SIZE };
    const found = await numberedItems(
        action,
        (PageNumber) => cloud.call("vpc", action, { ...params, PageNumber }),
        (page) => readAnswer(action, ADDRESSES, page).EipAddresses ?? [],
    );
    return found.map(({ IpAddress }) => IpAddress);
}
