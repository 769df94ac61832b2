import * as pulumi from "@pulumi/pulumi";
import type { Service } from "../../provider/service/service";
import type { Cluster } from "./cluster";
import type { LiveService } from "./context";
import { idFields } from "./cluster-args";
import { clusterFailure } from "./failures";
import { promiseOf, unknownFields } from "./outputs";

/** Reads the Service after the component's dependencies, which may apply it. */
export function readLive(
    cluster: Cluster,
    service: pulumi.Output<Service>,
    dependsOn: pulumi.ResourceOptions["dependsOn"],
): pulumi.Output<LiveService> {
    const done = pulumi
        .output(dependsOn as pulumi.Input<undefined>)
        .apply((resources: undefined | pulumi.Resource | pulumi.Resource[]) =>
            pulumi.all([resources ?? []].flat().map(({ urn }) => urn)),
        );
    return pulumi.all([service, cluster.connection.kubeconfig, done]).apply(async ([{ namespace, name }]) => {
        try {
            const live = await cluster.service(namespace, name);
            return live === undefined ? {} : { live };
        } catch (error) {
            return { failure: clusterFailure(error) };
        }
    });
}

interface GivenName {
    readonly namespace: pulumi.Input<string>;
    readonly name: pulumi.Input<string>;
    readonly cluster: Cluster;
}

/**
 * Returns the name of an existing Service that is read before the first resource is registered.
 *
 * @throws RunError if an Output of it, or of the cluster's id, is not known yet
 */
export async function knownName({ namespace, name, cluster }: GivenName): Promise<{ namespace: string; name: string }> {
    const unknown = await unknownFields({ namespace, name, ...idFields(cluster.ids) });
    if (unknown.length > 0) {
        throw new pulumi.RunError(
            `${unknown.join(" and ")} of a Service that is read before anything is registered ` +
                "cannot be known in this preview, because another resource of the program is still to be made. " +
                "Remedy: make that resource first, in a run of its own (pulumi up --target); " +
                "or describe the Service in the component itself (service, manifest), " +
                "where namespace, name and clusterId may be unknown.",
        );
    }
    return promiseOf(pulumi.output({ namespace, name }));
}
