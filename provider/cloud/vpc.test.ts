import { expect, test } from "@jest/globals";
import { scriptedCloud } from "../../test/support/cloud-client";
import { findElasticAddresses } from "./vpc";

test("the elastic addresses of a load balancer are read page by page", async () => {
    const pages = [
        { TotalCount: 2, EipAddresses: { EipAddress: [{ IpAddress: "203.0.113.7" }] } },
        { TotalCount: 2, EipAddresses: { EipAddress: [{ IpAddress: "203.0.113.8" }] } },
    ];
    const { cloud, clock, asked } = scriptedCloud(({ params }) => ({ body: pages[Number(params["PageNumber"]) - 1] }));
    expect(await clock.run(findElasticAddresses(cloud, "lb-1"))).toStrictEqual(["203.0.113.7", "203.0.113.8"]);
    expect(
        asked.map(({ action, params }) => [action, params["AssociatedInstanceType"], params["AssociatedInstanceId"]]),
    ).toStrictEqual([1, 2].map(() => ["DescribeEipAddresses", "SlbInstance", "lb-1"]));
});

test("a load balancer without elastic addresses has none", async () => {
    const { cloud, clock } = scriptedCloud(() => ({ body: { TotalCount: 0, EipAddresses: { EipAddress: [] } } }));
    expect(await clock.run(findElasticAddresses(cloud, "lb-1"))).toStrictEqual([]);
});
