import type * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import type { ServiceObject } from "../provider/service/objects";
import { hasSetting, type KubernetesObject } from "../provider/service/service";
import { STACK_ANNOTATION } from "../provider/service/controller";
import { resolveAccount } from "./cluster/account";
import type { Cluster } from "./cluster/cluster";
import { stackMark } from "./service/hooks";
import { chooseProviders } from "./cluster/providers";
import { applyService } from "./service/service";
import { ServiceLoadBalancer } from "./service-load-balancer";

/** Arguments of {@link UnexposedService}. */
export interface UnexposedServiceArgs {
    /** Cluster of the Service. */
    readonly cluster: Cluster;
    /** Namespace of the Service. */
    readonly namespace: string;
    /** Name of the Service. */
    readonly name: string;
    /** The Service, of any type but LoadBalancer, or left to another controller. */
    readonly object: KubernetesObject;
    /** The Service as it is in the cluster: {@link UnexposedService.find}. */
    readonly live: ServiceObject;
}

/**
 * Service that this stack applies and that is no longer of type LoadBalancer. The Service stays, with its new type. Its
 * load balancer goes as when the Service is deleted: a created load balancer is deleted, a reused load balancer stays.
 *
 * Replaces the {@link ServiceLoadBalancer} of the same name, and has its resource type: otherwise the engine would take
 * the Service for another and delete it. Source: "Notes on service load balancing configuration", notes on CCM-managed
 * load balancers, and "FAQ about Services", when an instance is deleted.
 */
export class UnexposedService extends pulumi.ComponentResource {
    readonly service: core.Service;

    /** Returns the Service as it is in the cluster, if this stack has applied it, or otherwise undefined. */
    static async find(cluster: Cluster, namespace: string, name: string): Promise<ServiceObject | undefined> {
        const live = await cluster.reads.service(namespace, name);
        return live !== undefined && isApplied(live) ? live : undefined;
    }

    /** @throws RunError with the reason of {@link whyNotUnexposed} */
    constructor(name: string, args: UnexposedServiceArgs, opts?: pulumi.ComponentResourceOptions) {
        const { cluster, namespace, name: serviceName, object, live } = args;
        const subject = `${namespace}/${serviceName}`;
        const providers = chooseProviders(cluster, resolveAccount(cluster.account), opts);
        const inputs = { service: subject, clusterId: cluster.ids.clusterId };
        super(ServiceLoadBalancer.__pulumiType, name, inputs, providers.options);
        const refusal = whyNotUnexposed(subject, object, live);
        if (refusal !== undefined) throw new pulumi.RunError(refusal);
        if (live.spec?.type === "LoadBalancer") this.announce(subject, object, live.metadata.annotations ?? {});
        // Nothing else of this component could refuse a provider of another cluster.
        const confirmed = (providers.problems ?? pulumi.output([])).apply((problems) => {
            if (problems.length > 0)
                throw new pulumi.RunError(problems.map((problem) => `Service ${subject}: ${problem}`).join("\n"));
            return namespace;
        });
        this.service = applyService(name, object, { namespace: confirmed, cluster, spec: {} }, { parent: this });
        this.registerOutputs({});
    }

    private announce(subject: string, object: KubernetesObject, annotations: Readonly<Record<string, string>>): void {
        const fate = hasSetting(annotations, "id")
            ? "The load balancer that it reuses stays; its listeners and vServer groups there are removed."
            : "Its load balancer is deleted, and the address is lost.";
        void pulumi.log.warn(
            `Service ${subject} changes from type LoadBalancer to ${typeOf(object)} ` +
                `and can no longer be reached through a load balancer. ${fate}`,
            this,
        );
    }
}

/** True if this stack has applied the Service. */
export const isApplied = (live: ServiceObject): boolean =>
    live.metadata.annotations?.[STACK_ANNOTATION] === stackMark();

const typeOf = (object: KubernetesObject): string =>
    (object["spec"] as { type?: string } | undefined)?.type ?? "ClusterIP";

/**
 * Returns the reason why a Service of this stack cannot lose its load balancer as its manifest asks, or undefined if it
 * can.
 *
 * @param object the Service of the manifest
 * @param live the Service as it is in the cluster
 */
export function whyNotUnexposed(subject: string, object: KubernetesObject, live: ServiceObject): string | undefined {
    if (live.spec?.type !== "LoadBalancer") return undefined;
    const type = typeOf(object);
    if (type === "LoadBalancer")
        return (
            `Service ${subject} is left to another controller by its manifest, but in the cluster it has the class ` +
            `${live.spec.loadBalancerClass}, which cannot be changed. ` +
            "Remedy: take the manifest away and run pulumi up, which deletes Service and load balancer and releases " +
            "the address; then apply it for the other controller."
        );
    if (!hasSetting(live.metadata.annotations ?? {}, "preserveLbOnDelete")) return undefined;
    return (
        `Service ${subject} asks to preserve its load balancer, ` +
        `which is done by deleting the Service, not by changing its type to ${type}. ` +
        "Remedy: delete the Service, or first remove the annotation that preserves the instance, " +
        "run pulumi up, and only then change the type. " +
        'Source: Configure CLB using annotations, "Preserve the CLB instance when deleting a Service".'
    );
}
