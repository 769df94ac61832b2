import { list, object, readAnswer, requiredText } from "../http/answer";
import type { Cloud } from "../http/client";
import { numberedItems } from "../http/page";

/** Most addresses on one page (API reference of DescribeEipAddresses). */
const PAGE_SIZE = 100;

const ADDRESSES = object({ EipAddresses: list(object({ IpAddress: requiredText }), "EipAddress") });

/** The elastic IP addresses that are associated with a CLB, in the order of the cloud; empty if there are none (DescribeEipAddresses, every page). */
export async function findElasticAddresses(cloud: Cloud, loadBalancerId: string): Promise<string[]> {
    const action = "DescribeEipAddresses";
    const found = await numberedItems(
        action,
        (PageNumber) =>
            cloud.call("vpc", action, {
                AssociatedInstanceType: "SlbInstance",
                AssociatedInstanceId: loadBalancerId,
                PageSize: PAGE_SIZE,
                PageNumber,
            }),
        (page) => readAnswer(action, ADDRESSES, page).EipAddresses ?? [],
    );
    return found.map(({ IpAddress }) => IpAddress);
}
