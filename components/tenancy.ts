import * as pulumi from "@pulumi/pulumi";
import { tenantOf } from "../provider/service/reuse";
import type { Service } from "../provider/service/service";
import { formatSentences } from "../provider/diagnostics";
import { describeCollision } from "../provider/plan/reuse/tenants";
import type { Cluster } from "./service/cluster";
import { sharedName } from "./service/resources";
import { INSTANCE_SETTINGS, type SharedLoadBalancer } from "./shared-load-balancer";

/**
 * Refuses a Service with a listener that another Service of the program has on the same instance, or with a setting
 * that belongs to the shared instance.
 *
 * @param name of the Service, for people.
 * @throws RunError with every problem at once.
 */
export function checkTenancy(
    service: Service,
    name: string,
    { cluster, loadBalancer }: { readonly cluster: Cluster; readonly loadBalancer?: SharedLoadBalancer },
): void {
    const instance = loadBalancer === undefined ? service.settings.id : sharedName(loadBalancer);
    if (instance === undefined) {
        return;
    }
    const problems = [
        ...(loadBalancer === undefined ? [] : misplaced(service, name, loadBalancer)),
        ...cluster
            .admit({ ...tenantOf(service, instance, cluster.facts), service: name })
            .map((one) => formatSentences(describeCollision(one))),
    ];
    if (problems.length > 0) {
        throw new pulumi.RunError(problems.join("\n"));
    }
}

/** Address type and IP version may be repeated; everything else of the instance is said where it is made. */
function misplaced(service: Service, subject: string, { model, name }: SharedLoadBalancer): string[] {
    const { settings } = service;
    if (service.loadBalancerType === "nlb") {
        return [
            `Service ${subject} asks for an NLB, but the shared load balancer ${name} is a CLB. ` +
                "Remedy: leave out loadBalancerClass and loadBalancerType, " +
                "or leave out loadBalancer and name an NLB (alibaba-cloud-loadbalancer-id).",
        ];
    }
    const repeated: Record<string, string> = { addressType: model.addressType, ipVersion: model.ipVersion };
    const wrong = [...INSTANCE_SETTINGS, "id" as const, "forceOverrideListeners" as const].filter(
        (field) => settings[field] !== undefined && settings[field] !== repeated[field],
    );
    return wrong.map(
        (field) =>
            `Service ${subject}: ${field} is a matter of the shared load balancer ${name}, not of one Service on it. ` +
            `Remedy: remove it here, or say it in the settings of ${name}.`,
    );
}
