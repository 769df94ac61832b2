import type { Client } from "../../sdk/client";
import { failed, isOneOf, notFound, notFoundText, providerSource, sdkSource } from "../../sdk/errors";
import type { Answer } from "../../sdk/tea";
import { textOf } from "../values";

const service = "service_alicloud_slb.go";

/** The load balancer of some other object (form A). One that does not exist throws a not-found error. */
export async function describeLoadBalancer(client: Client, id: string): Promise<Answer> {
    let answer: Answer;
    try {
        answer = await client.typed("DescribeLoadBalancerAttribute", { LoadBalancerId: id });
    } catch (error) {
        if (isOneOf(error, "InvalidLoadBalancerId.NotFound")) throw notFound(notFoundText("Slb", id), `${service}:55`, sdkSource);
        throw failed(error, `${service}:57`, id, "DescribeLoadBalancerAttribute");
    }
    if (textOf(answer["LoadBalancerId"]) === "") throw notFound(notFoundText("Slb", id), `${service}:64`, providerSource);
    return answer;
}
