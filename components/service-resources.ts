/** The resources of a Service, in the order in which they are made. */
import * as pulumi from "@pulumi/pulumi";
import type { Diagnostic } from "../provider/diagnostics";
import { buildClb, buildNlb } from "../provider/plan/desired";
import { defined } from "../provider/schema/defined";
import { planClb } from "./clb/load-balancer";
import { planNlb } from "./nlb/load-balancer";
import { createBackends, readView } from "./service/backends";
import type { Component } from "./service/component";
import { createContract } from "./service/contract";
import { marksOf } from "./service/marks";
import { resourceGroupOf } from "./service/resource-group";
import { observeReusedInstance } from "./service/reuse";
import { acquireService, type ComponentService } from "./service/service";
import { createStatus } from "./service/status";
import { warnOf } from "./service/warnings";
import type { ServiceLoadBalancerArgs } from "./service-load-balancer-args";

/**
 * Creates the resources of a Service: contract, Service (undefined if it is followed), load balancer with its backends,
 * status.
 */
export function createResources(
    component: Component,
    specified: ComponentService,
    args: ServiceLoadBalancerArgs,
    warnings: readonly Diagnostic[],
    problems: pulumi.Output<readonly (string | undefined)[]>,
) {
    const { service, ids, cluster } = specified;
    const { references = {}, adopt: adoption, follow = false, handBack = false, allowEmpty = false } = args;
    const { allowReplacement: allowed = [], loadBalancer: shared } = args;
    const moves = allowed.includes("identity");
    const allowReplacement = allowed.filter((setting) => setting !== "identity");

    warnOf(component.subject, specified, warnings, follow);
    const reuse = observeReusedInstance(component, specified, references, allowed);
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
        follow,
        handBack,
        adoption,
        reuse,
        problems,
    });
    const { handle, held } = acquireService(component, specified, args, { follow, handBack }, contract);
    const view = readView(component, specified, contract, handle);
    const resources = plan.create({
        contract,
        handle,
        marks: marksOf(ids, handle.uid, cluster.ids.clusterId),
        dependsOn: [contract, ...held],
        fill: (groups, after) => createBackends(component, specified, groups, { view, allowEmpty, after, contract }),
    });
    const { instance, ingress, backends, listeners, listenerOptions, others } = resources;
    // The resources that no other depends on: a deletion then begins with the status, which detects another cluster.
    const [last = []] = [defined({ listenerOptions }), listeners, backends]
        .map((some): pulumi.Resource[] => Object.values(some))
        .filter(({ length }) => length > 0);
    const status = createStatus(component, specified, handle, instance.id, ingress, [...last, ...others]);
    return { ...resources, contract, service: handle.resource, status };
}
