import type { Client } from "../../sdk/client";
import {
    failed,
    isNotFound,
    isOneOf,
    notFound,
    notFoundText,
    placed,
    providerSource,
    sdkSource,
} from "../../sdk/errors";
import type { Answer } from "../../sdk/tea";
import { textOf } from "../values";

const service = "service_alicloud_slb.go";

/** The load balancer of some other object (form A). One that does not exist throws a not-found error. */
export async function describeLoadBalancer(client: Client, id: string): Promise<Answer> {
    let answer: Answer;
    try {
        answer = await client.typed("DescribeLoadBalancerAttribute", { LoadBalancerId: id });
    } catch (error) {
        if (isOneOf(error, "InvalidLoadBalancerId.NotFound"))
            throw notFound(notFoundText("Slb", id), `${service}:55`, sdkSource);
        throw failed(error, `${service}:57`, id, "DescribeLoadBalancerAttribute");
    }
    if (textOf(answer["LoadBalancerId"]) === "")
        throw notFound(notFoundText("Slb", id), `${service}:64`, providerSource);
    return answer;
}

export interface ProtectionCheck {
    readonly loadBalancerId: string;
    /** What the error says about a load balancer under deletion protection. */
    readonly refusal: string;
    readonly file: string;
    /** Lines at which a failed look and the refusal are passed on. */
    readonly lines: readonly [number, number];
}

/**
 * For types with `delete_protection_validation`: true if the load balancer is deleted and nothing remains to delete;
 * throws if it is protected.
 */
export async function isGoneUnlessProtected(client: Client, check: ProtectionCheck): Promise<boolean> {
    let loadBalancer: Answer;
    try {
        loadBalancer = await describeLoadBalancer(client, check.loadBalancerId);
    } catch (error) {
        if (isNotFound(error)) return true;
        throw placed(error, `${check.file}:${check.lines[0]}`);
    }
    if (loadBalancer["DeleteProtection"] === "on")
        throw placed(new Error(check.refusal), `${check.file}:${check.lines[1]}`);
    return false;
}
