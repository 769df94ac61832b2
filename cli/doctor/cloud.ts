/** Region, credentials and permissions, by calls that change nothing. */

import { callerAccountId, type Cloud, CloudError, CredentialsError, type Product } from "../../provider/cloud";
import { readQuotas } from "../../provider/cloud/quotas";
import { firstLine } from "../../provider/net";
import { type AccountQuotas, judgeUse, QUOTA_NAMES, QUOTAS } from "../../provider/quotas";
import { LOAD_BALANCER_TYPES, type LoadBalancerType } from "../../provider/schema/load-balancer-type";
import type { CloudAccess } from "../inspect/cloud";
import { type Answer, type Check, failure, ok, skipped, warning } from "./check";

/** Id that no object has. With it an allowed call fails with "not found", and a forbidden call with a refusal. */
const NONE = "none-ack-loadbalancer-doctor";

/** Reads of a run, by arguments that name nothing. */
const PROBES = [
    { product: "slb", action: "DescribeLoadBalancers", params: { PageSize: 1 } },
    { product: "slb", action: "DescribeLoadBalancerAttribute", params: { LoadBalancerId: NONE } },
    { product: "slb", action: "DescribeVServerGroups", params: { LoadBalancerId: NONE } },
    { product: "slb", action: "DescribeAccessControlLists", params: { PageSize: 1 } },
    { product: "slb", action: "DescribeServerCertificates", params: {} },
    { product: "slb", action: "ListTagResources", params: { ResourceType: "instance", "ResourceId.1": NONE } },
    { product: "nlb", action: "ListLoadBalancers", params: { MaxResults: 1 } },
    { product: "nlb", action: "ListListeners", params: { MaxResults: 1 } },
    { product: "nlb", action: "ListServerGroups", params: { MaxResults: 1 } },
    { product: "vpc", action: "DescribeVSwitchAttributes", params: { VSwitchId: NONE } },
    { product: "ecs", action: "DescribeNetworkInterfaces", params: { PageSize: 10 } },
    { product: "ecs", action: "DescribeSecurityGroups", params: { PageSize: 10 } },
] as const satisfies readonly { product: Product; action: string; params: object }[];

const cloudCheck = (what: string, answer: Answer): Check => ({ area: "cloud", what, ...answer });

/** Checks the region against that of the cluster, if it is known. */
function checkRegion(region: string, cluster: string | undefined): Answer {
    if (cluster === undefined || cluster === region) return ok(region);
    const remedy = `set ALIBABA_CLOUD_REGION=${cluster}, or alicloud:region in the stack; or choose another kubeconfig`;
    return failure(`${region}, and the cluster is in ${cluster}`, remedy);
}

/**
 * Checks region, credentials, permissions and quotas.
 *
 * @param clusterRegion region of the cluster, or undefined if it does not publish it
 */
export async function checkCloud(access: CloudAccess, clusterRegion?: string): Promise<Check[]> {
    if ("failure" in access) {
        const remedy = "set ALIBABA_CLOUD_REGION, or alicloud:region in the stack";
        return [cloudCheck("region", failed(access.failure, remedy))];
    }
    const { cloud } = access;
    const region = cloudCheck("region", checkRegion(cloud.region, clusterRegion));
    const account = cloudCheck("credentials", await identity(cloud));
    if (account.state !== "ok") return [region, account];
    const [permissions, quotas] = await Promise.all([
        Promise.all(PROBES.map(async (probe) => cloudCheck(nameOf(probe), await checkCall(cloud, probe)))),
        readQuotas(cloud, LOAD_BALANCER_TYPES),
    ]);
    return [
        region,
        account,
        ...permissions,
        ...LOAD_BALANCER_TYPES.flatMap((type) => quotaChecks(type, quotas)),
        cloudCheck(
            "write permissions",
            skipped("not tried: the cloud has no harmless write for a CLB", "compare the role with docs/ram-policy.md"),
        ),
    ];
}

async function identity(cloud: Cloud): Promise<Answer> {
    try {
        return ok(`account ${await callerAccountId(cloud)}`);
    } catch (error) {
        const remedy = error instanceof CredentialsError ? error.remedy : "check key, role and clock of this machine";
        return failed(error, remedy);
    }
}

type Probe = (typeof PROBES)[number];

const nameOf = ({ product, action }: Probe): string => `${product}:${action}`;

async function checkCall(cloud: Cloud, probe: Probe): Promise<Answer> {
    try {
        await cloud.call(probe.product, probe.action, probe.params);
        return ok("allowed");
    } catch (error) {
        if (!(error instanceof CloudError)) return failed(error, "check the network");
        if (isRefusal(error)) return failed(error, `allow ${nameOf(probe)} to the user or role: docs/ram-policy.md`);
        // The permission is checked first: any answer about the missing object means that the call is allowed.
        return error.httpStatus === undefined ? failed(error, "check network, proxy and endpoint") : ok("allowed");
    }
}

const isRefusal = ({ code, httpStatus }: CloudError): boolean =>
    /^(?:Forbidden|NoPermission|InvalidAccessKeyId|SignatureDoesNotMatch|Unauthorized)/i.test(code) ||
    httpStatus === 403;

/** Checks that another instance fits the quota, and lists the limits of each instance. */
export function quotaChecks(type: LoadBalancerType, account: AccountQuotas): Check[] {
    const kind = type.toUpperCase();
    const used = account.instances[type];
    return QUOTA_NAMES.map((quota) => {
        const { limit, assumed } = account.limits[type][quota];
        const counted = quota === "instances" && used !== undefined ? `${used} of ${limit}` : String(limit);
        const found = `${counted} (${assumed ? "the published default; yours may differ" : "asked of the cloud"})`;
        const another = { type, quota, subject: kind, used: (used ?? 0) + 1 };
        const fits = quota !== "instances" || judgeUse(another, account).sufficient;
        return cloudCheck(
            `quota of ${kind}: ${QUOTAS[type][quota].what}`,
            fits ? ok(found) : warning(found, "no instance is left: have the quota raised in Quota Center"),
        );
    });
}

function failed(error: unknown, remedy: string): Answer {
    if (!(error instanceof CloudError)) return failure(firstLine(error), remedy);
    return failure(
        `${error.code}: ${error.detail}`,
        error.remedy === undefined ? remedy : `${remedy} (${error.remedy})`,
    );
}
