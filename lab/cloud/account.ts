import { reads, type Action } from "./actions";

/** Location, 2015-06-12: where a product's API is. A lab answers nothing, since its clients are given every endpoint. */
export const locationActions: readonly Action[] = [
    reads("DescribeEndpoints", {}, () => ({ Success: true, Endpoints: { Endpoint: [] } })),
];

/** BssOpenApi, 2017-12-14: the alicloud plugin asks this at start to tell domestic from international accounts. */
export const billingActions: readonly Action[] = [
    reads("QueryAvailableInstances", {}, () => ({
        Success: true,
        Data: { InstanceList: [], TotalCount: 0, PageNum: 1, PageSize: 50 },
    })),
];

/** Sts, 2015-04-01: who am I, and keys of a role. */
export const identityActions: readonly Action[] = [
    reads("GetCallerIdentity", {}, (_p, world) => ({
        AccountId: world.accountId,
        UserId: world.accountId,
        PrincipalId: world.accountId,
        IdentityType: "Account",
        Arn: `acs:ram::${world.accountId}:root`,
    })),
    reads(
        "AssumeRole",
        { RoleArn: { required: true }, RoleSessionName: { required: true } },
        (params, _world, caller) => caller.assumeRole(params.need("RoleArn")),
    ),
];

/** Quotas, 2020-05-10 (Quota Center): how many of something the account may have; quotas of NLB are those of a region. */
export const quotaActions: readonly Action[] = [
    reads("ListProductQuotas", { ProductCode: { required: true } }, (params, world) => {
        const { quotas } = world.config;
        const slb = {
            slb_quota_instances_num: quotas.loadBalancers,
            slb_quota_listeners_num: quotas.listenersPerLoadBalancer,
            slb_quota_backendservers_num: quotas.backendsPerLoadBalancer,
            slb_quota_backendserver_attached_num: quotas.attachmentsPerServer,
        };
        const nlb = {
            nlb_quota_loadbalancers_num: quotas.nlbLoadBalancers,
            nlb_quota_loadbalancer_listeners_num: quotas.nlbListenersPerLoadBalancer,
            nlb_quota_server_added_num: quotas.nlbAttachmentsPerServer,
        };
        const product = params.need("ProductCode");
        const rows = Object.entries(product === "slb" ? slb : product === "nlb" ? nlb : {});
        return {
            Quotas: rows.map(([QuotaActionCode, TotalQuota]) => ({
                ProductCode: product,
                QuotaActionCode,
                TotalQuota,
                ...(product === "nlb" ? { Dimensions: { regionId: world.region } } : {}),
            })),
            TotalCount: rows.length,
        };
    }),
];
