import { expect, test } from "@jest/globals";
import { ASSUMED_QUOTAS } from "../../test/support/assumed-quotas";
import { type Answer, type Asked, refusal, scriptedCloud } from "../../test/support/cloud-client";
import { readQuotas } from "./quotas";

const row = (QuotaActionCode: string, TotalQuota: unknown, TotalUsage?: number, regionId?: string): object => ({
    QuotaActionCode,
    TotalQuota,
    ...(TotalUsage === undefined ? {} : { TotalUsage }),
    ...(regionId === undefined ? {} : { Dimensions: { regionId } }),
});

const COUNTS: Readonly<Record<string, number>> = { DescribeLoadBalancers: 4, ListLoadBalancers: 2 };

/** A cloud whose Quota Center answers as given, and whose lists count. */
const cloudWith = (quotas: (asked: Asked) => Answer) =>
    scriptedCloud((asked) =>
        asked.action === "ListProductQuotas"
            ? quotas(asked)
            : { body: { RequestId: "r", TotalCount: COUNTS[asked.action] } },
    );

test("limits are those of the Quota Center, page by page; what it does not name is assumed", async () => {
    const pages: Readonly<Record<string, object>> = {
        "": { Quotas: [row("slb_quota_instances_num", 60, 9)], NextToken: "2" },
        "2": { Quotas: [row("slb_quota_listeners_num", "80"), row("slb_quota_backendservers_num", -1)] },
    };
    const { cloud, asked, clock } = cloudWith(({ params }) => ({ body: pages[params["NextToken"] ?? ""] ?? {} }));
    const { limits, instances } = await clock.run(readQuotas(cloud, ["clb"]));
    expect(limits.clb).toEqual({
        instances: { limit: 60, assumed: false },
        listeners: { limit: 80, assumed: false },
        backends: { limit: 200, assumed: true },
        attachments: { limit: 50, assumed: true },
    });
    expect(limits.nlb).toEqual(ASSUMED_QUOTAS.limits.nlb);
    expect(instances).toEqual({ clb: 9, nlb: undefined });
    const [first] = asked.filter(({ action }) => action === "ListProductQuotas");
    expect(first?.params).toMatchObject({
        ProductCode: "slb",
        "Dimensions.1.Key": "regionId",
        "Dimensions.1.Value": "cn-hangzhou",
    });
});

test("a product without regional quotas is read without a region, and other regions are left out", async () => {
    const { cloud, clock } = cloudWith(({ params }) => ({
        body: {
            Quotas:
                params["Dimensions.1.Key"] === undefined
                    ? [
                          row("nlb_quota_loadbalancers_num", 5, 5, "cn-beijing"),
                          row("nlb_quota_loadbalancers_num", 70, 1, "cn-hangzhou"),
                      ]
                    : [],
        },
    }));
    const { limits, instances } = await clock.run(readQuotas(cloud, ["nlb"]));
    expect(limits.nlb.instances).toEqual({ limit: 70, assumed: false });
    // The list knows better than a usage that lags behind.
    expect(instances.nlb).toBe(2);
});

test.each<[string, Answer, typeof ASSUMED_QUOTAS.instances]>([
    ["no permission for the Quota Center", refusal("NoPermission", "no", 403), { clb: 4, nlb: 2 }],
    ["an answer of another shape", { body: { Quotas: [{ TotalQuota: 3 }] } }, { clb: 4, nlb: 2 }],
    ["no JSON", { text: "<html>", status: 404 }, { clb: 4, nlb: 2 }],
])("%s: the published defaults, marked as assumed", async (_what, answer, instances) => {
    const { cloud, clock } = cloudWith(() => answer);
    const quotas = await clock.run(readQuotas(cloud, ["clb", "nlb"]));
    expect(quotas.limits).toEqual(ASSUMED_QUOTAS.limits);
    expect(quotas.instances).toEqual(instances);
});

test("a cloud that answers nothing at all leaves every number assumed", async () => {
    const { cloud, clock } = scriptedCloud(() => refusal("Forbidden.RAM", "no", 403));
    expect(await clock.run(readQuotas(cloud, ["clb", "nlb"]))).toEqual(ASSUMED_QUOTAS);
});
