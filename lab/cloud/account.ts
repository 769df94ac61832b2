import { reads, type Action } from "./actions";

/**
 * Location, 2015-06-12: endpoint of a product's API. A lab returns none, because its clients are given every endpoint.
 */
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
