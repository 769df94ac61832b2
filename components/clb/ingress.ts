import * as pulumi from "@pulumi/pulumi";
import { CloudError } from "../../provider/alicloud";
import { findElasticAddresses } from "../../provider/alicloud/vpc";
import type { ResourceArgs } from "../../provider/resources";
import { cloudOf } from "../service/account";
import type { Context } from "../service/context";
import type { InstanceHandle } from "../service/instance";

/** What the status of a Service with a CLB says: its host name, else its elastic addresses where it asks for those, else the address of the instance. */
export function ingressOf(context: Context, { id, address }: InstanceHandle): ResourceArgs<"status">["ingress"] {
    const { hostname, externalIpType } = context.service.settings;
    if (hostname !== undefined) return [{ hostname }];
    if (externalIpType !== "eip") return [{ ip: address }];
    return pulumi.all([id, address]).apply(async ([loadBalancerId, own]) => {
        const found = await elasticAddresses(context, loadBalancerId);
        if (found.length > 0) return found.map((ip) => ({ ip }));
        await pulumi.log.warn(
            `Service ${context.subject}: no elastic IP address is associated with load balancer ${loadBalancerId}, so that its status shows the address of the instance. ` +
                "Remedy: associate one with the instance and run again, or remove alibaba-cloud-loadbalancer-external-ip-type.",
            context.parent,
        );
        return [{ ip: own }];
    });
}

/** A failure is no answer: what the status says stays as it is then. */
async function elasticAddresses(context: Context, loadBalancerId: string): Promise<string[]> {
    try {
        return await findElasticAddresses(cloudOf(context.account)(), loadBalancerId);
    } catch (error) {
        if (!(error instanceof CloudError)) throw error;
        throw new pulumi.RunError(
            `Service ${context.subject}: the elastic IP addresses of load balancer ${loadBalancerId} cannot be read. ${error.message}`,
        );
    }
}
