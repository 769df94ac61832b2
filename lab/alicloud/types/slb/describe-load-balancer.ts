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

/** Describes the load balancer of another object (form A). It throws a not-found error if there is none. */
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
    /** Error text for a load balancer under deletion protection. */
    readonly refusal: string;
    readonly file: string;
    /** Lines at which a failed look and the refusal are passed on. */
    readonly lines: readonly [number, number];
}

/**
 * Reports, for types with `delete_protection_validation`, whether the load balancer is deleted and nothing remains to
 * delete. It throws if the load balancer is protected.
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
