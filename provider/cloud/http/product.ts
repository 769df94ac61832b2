import { quote } from "../../net";
import type { Account, Product } from "../../schema/account";
import { REGION } from "../../schema/region";

export type { Product };

/** OpenAPI version of each product, as its API reference names it. */
export const apiVersions: Readonly<Record<Product, string>> = {
    slb: "2014-05-15",
    nlb: "2022-04-30",
    vpc: "2016-04-28",
    ecs: "2014-05-26",
    tag: "2018-08-28",
    sts: "2015-04-01",
    quotas: "2020-05-10",
    cas: "2020-04-07",
};

/** ECS API hosts of the financial and the government cloud. Source: endpoint tables of Alibaba Cloud's SDKs. */
const ECS_HOSTS: Readonly<Record<string, string>> = {
    "cn-hangzhou-finance": "ecs.aliyuncs.com",
    "cn-shanghai-finance-1": "ecs-cn-hangzhou.aliyuncs.com",
    "cn-shenzhen-finance-1": "ecs-cn-hangzhou.aliyuncs.com",
    "cn-north-2-gov-1": "ecs.aliyuncs.com",
};

/** Regions whose CLB and VPC APIs have a host name without the region. Source: as above. */
const CENTRAL = new Set([
    "cn-qingdao",
    "cn-beijing",
    "cn-hangzhou",
    "cn-shanghai",
    "cn-shenzhen",
    "cn-hongkong",
    "ap-southeast-1",
    "us-west-1",
    "us-east-1",
    ...Object.keys(ECS_HOSTS),
]);

interface EndpointOptions extends Pick<Account, "endpoints"> {
    readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Host (and port) of a product in a region, as {@link regionOf} gives it: the option, else the environment's, else the
 * product's public endpoint.
 */
export function endpointOf(product: Product, region: string, options: EndpointOptions): string {
    const set = namedEndpoint(product, options);
    if (set !== undefined) return set;
    // Quota Center has one endpoint for all regions.
    if (product === "quotas") return "quotas.aliyuncs.com";
    // The two sites of Alibaba Cloud keep certificates in one place each.
    if (product === "cas" && region.startsWith("cn-")) return "cas.aliyuncs.com";
    if (product === "ecs" && Object.hasOwn(ECS_HOSTS, region)) return ECS_HOSTS[region] as string;
    const isCentral = (product === "slb" || product === "vpc") && CENTRAL.has(region);
    return isCentral ? `${product}.aliyuncs.com` : `${product}.${region}.aliyuncs.com`;
}

/**
 * Returns the host of a product that is set: the option, else `ALIBABA_CLOUD_ENDPOINT_<PRODUCT>`, else
 * `<PRODUCT>_ENDPOINT`. The alicloud plugin reads both variables too, but for STS.
 */
export function namedEndpoint(product: Product, { endpoints, env }: EndpointOptions): string | undefined {
    const name = product.toUpperCase();
    const set = endpoints?.[product] || env[`ALIBABA_CLOUD_ENDPOINT_${name}`] || env[`${name}_ENDPOINT`];
    return set ? set.replace(/^https?:\/\//, "").replace(/\/+$/, "") : undefined;
}

/**
 * Returns the region: the option, else `ALICLOUD_REGION`, `ALIBABA_CLOUD_REGION` or `ALIBABA_CLOUD_REGION_ID`, in the
 * order of the alicloud plugin. No default: a load balancer in a guessed region is worse than none.
 *
 * @throws Error if none is set, or if it is malformed: hosts are named after it
 */
export function regionOf(option: string | undefined, env: EndpointOptions["env"]): string {
    const region = option || namedRegion(env);
    if (!region)
        throw new Error(
            "No Alibaba Cloud region is set.\n  remedy: set ALIBABA_CLOUD_REGION (for instance cn-hangzhou), or " +
                "alicloud:region in the stack's configuration and pass it as region.",
        );
    if (!REGION.test(region))
        throw new Error(
            `${quote(region)} is no region.\n  remedy: write a region's id in lower case, such as cn-hangzhou, ` +
                "in ALIBABA_CLOUD_REGION or alicloud:region.",
        );
    return region;
}

/** Returns the environment's region, as it is written there. */
export const namedRegion = (env: EndpointOptions["env"]): string | undefined =>
    env["ALICLOUD_REGION"] || env["ALIBABA_CLOUD_REGION"] || env["ALIBABA_CLOUD_REGION_ID"];
