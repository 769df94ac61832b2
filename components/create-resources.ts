import type * as pulumi from "@pulumi/pulumi";
import type { Diagnostic } from "../provider/diagnostics";
import { buildClb, buildNlb } from "../provider/plan/desired";
import { planClb } from "./clb";
import { planNlb } from "./nlb";
import type { ServiceLoadBalancerArgs } from "./service-load-balancer-args";
import { createBackends, readView } from "./service/backends";
import { acquireService } from "./service/claim";
import { type Component, marksOf, resourceGroupOf } from "./service/component";
import { createContract } from "./service/contract";
import { observeReusedInstance } from "./service/reuse";
import { type ComponentService, createStatus } from "./service/service";
import { warnOf } from "./service/warnings";

/** Findings about the arguments: warnings to log, and problems that the contract refuses. */
interface Findings {
    readonly warnings: readonly Diagnostic[];
    readonly problems: pulumi.Output<readonly (string | undefined)[]>;
}

/**
 * Creates the resources of a Service: contract, Service (undefined if it is followed), load balancer with its backends,
 * status.
 */
export function createResources(
    component: Component,
    specified: ComponentService,
    args: Omit<ServiceLoadBalancerArgs, "cluster">,
    { warnings, problems }: Findings,
) {
    const { service, ids, cluster } = specified;
    const { references = {}, adopt: adoption, follow = false, handBack = false, allowEmpty = false } = args;
    const { allowReplacement: allowed = [], loadBalancer: shared } = args;
    const moves = allowed.includes("identity");
    const allowReplacement = allowed.filter((setting) => setting !== "identity");

    warnOf(component.subject, specified, { warnings, follow });
    const reuse = observeReusedInstance(component, specified, references, moves);
    const resourceGroup = resourceGroupOf(cluster, service.settings, references.resourceGroupId);
    const spec = { service, references, cluster, resourceGroup, allowReplacement, adoption, reuse, shared };
    const plan =
        service.loadBalancerType === "nlb"
            ? planNlb(component, { ...spec, desired: buildNlb(service, cluster.facts) })
            : planClb(component, { ...spec, desired: buildClb(service, cluster.facts) });
    const contract = createContract(component, specified, {
        terms: plan.terms,
        allowReplacement,
        moves,
        adopted: adoption !== undefined,
        reuse,
        problems,
    });
    const { handle, held } = acquireService(component, specified, { follow, handBack }, contract);
    const view = readView(component, specified, contract, handle);
    const resources = plan.create({
        contract,
        handle,
        marks: marksOf(ids, handle.uid, cluster.ids.clusterId),
        dependsOn: [contract, ...held],
        fill: (groups, after) => createBackends(component, specified, groups, { view, allowEmpty, after }),
    });
    const { instance, ingress, backends, listeners, listenerOptions, others } = resources;
    // All resources that no other depends on: a deletion then begins with the status, which detects another cluster.
    const ready = [backends, listeners, listenerOptions, others].flatMap((some): pulumi.Resource[] =>
        Object.values(some),
    );
    const status = createStatus(component, specified, handle, instance.id, ingress, ready);
    return { ...resources, contract, service: handle.resource, status };
}
