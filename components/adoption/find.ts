import * as pulumi from "@pulumi/pulumi";
import { observeForAdoption } from "../../provider/observe/adoption";
import { groupBackends } from "../../provider/backend";
import { buildClb } from "../../provider/builder";
import type { ServiceObject } from "../../provider/kubernetes";
import type { Adoption } from "../../provider/model/adoption";
import { ownershipKey } from "../../provider/model/names";
import type { ClbServerGroup } from "../../provider/model/clb/server-group";
import type { Service } from "../../provider/kubernetes/service/service";
import type { Account } from "../../provider/schema/account";
import type { ClusterFacts } from "../../provider/schema/facts";
import { LOAD_BALANCER_CLASSES } from "../../provider/schema/load-balancer-type";
import { formatDifferences, formatRefusal, isRefused } from "../../provider/plan/adoption";
import { cloudOf, givenRegion, resolveAccount } from "../service/account";
import type { ServiceSource } from "../service/args";
import type { Cluster, ServiceView } from "../service/cluster";
import { knownName } from "../service/live";
import { GivenOutputs, promiseOf } from "../service/outputs";
import { readService } from "../service/read-service";
import { compareObserved } from "./compare";
import type { DesiredGroup } from "./spec";

/** What is to be taken over. */
export interface AdoptArgs {
    /** Id of the instance. Default: found by the tag that the Cloud Controller Manager left on it. */
    readonly loadBalancerId?: string;
    /**
     * Where Service and cloud differ, the Service counts. Settings are taken over as they are, and changed by the first run without `adopt`; backends are changed in the run
     * that takes over. Default false: a difference is refused, with a table of all of them.
     */
    readonly allowChanges?: boolean;
}

/** Where to look, and for whom. */
export interface AdoptionSearch extends ServiceSource, AdoptArgs {
    readonly cluster: Cluster;
    /** Default: that of the cluster's account. */
    readonly region?: pulumi.Input<string>;
    readonly allowEmpty?: boolean;
}

/**
 * Finds what the Cloud Controller Manager has made for a Service, and holds it against what the Service says. Reads alone, in the cluster and in the cloud.
 *
 * @throws RunError with a table of everything that differs, if it cannot be taken over unchanged.
 */
export async function findAdoption(search: AdoptionSearch): Promise<Adoption> {
    const { cluster } = search;
    const { facts, account, service } = await readKnown(search);
    const view = await cluster.view(service);
    const live = adoptable(service, view);
    const name = `${service.namespace}/${service.name}`;
    const identity = { namespace: service.namespace, name: service.name, clusterId: facts.clusterId };
    const desired = buildClb(service, facts);
    const models = desired.serverGroups.map((model) => ({ model, nodePort: nodePortOf(live, model) }));
    const groups = models.map(({ model, nodePort }): DesiredGroup => ({
        key: model.key,
        name: ownershipKey(nodePort ?? model.backendPort ?? "", identity),
        ...(nodePort === undefined ? {} : { nodePort }),
        backends: groupBackends(service, model, facts, view).backends,
    }));
    const uid = live.metadata.uid ?? "";
    const owner = ownershipKey(0, identity);
    const cloud = cloudOf(account)();
    const observed = await observeForAdoption(cloud, {
        uid,
        owner,
        withAcl: desired.loadBalancer.sourceRanges.length > 0,
        ...(search.loadBalancerId === undefined ? {} : { loadBalancerId: search.loadBalancerId }),
    }).catch((error: unknown) => {
        throw new pulumi.RunError(
            `Service ${name} cannot be taken over: ${error instanceof Error ? error.message : String(error)}`,
        );
    });
    const { adoption, differences } = compareObserved(
        {
            desired,
            references: search.references ?? {},
            uid,
            owner,
            clusterId: facts.clusterId,
            groups,
            ignoreWeights: service.settings.ignoreWeightUpdate === "on",
            allowEmpty: search.allowEmpty ?? false,
        },
        observed,
    );
    if (isRefused(differences, search.allowChanges ?? false)) {
        throw new pulumi.RunError(formatRefusal(name, adoption.loadBalancerId, differences));
    }
    if (differences.length > 0) {
        void pulumi.log.warn(
            `Service ${name} takes over load balancer ${adoption.loadBalancerId}.\n${formatDifferences(differences)}`,
        );
    }
    return adoption;
}

/** The Service with its cluster and account, all of which must be known: it is read before anything is registered. */
async function readKnown(
    search: AdoptionSearch,
): Promise<{ readonly service: Service; readonly facts: ClusterFacts; readonly account: Account }> {
    const { cluster, region } = search;
    const { service } = readService(search, cluster.facts, "adopt");
    const account = resolveAccount(cluster.account, givenRegion("adopt", region));
    const data = { service, facts: cluster.facts, account };
    const outputs = new GivenOutputs({ ...data, service: service.object });
    const { namespace, name } = outputs.fill(service);
    await knownName({ namespace, name, cluster });
    return promiseOf(outputs.fill(data));
}

/** The Service as it lives, if the Cloud Controller Manager can have made a load balancer for it. */
function adoptable(service: Service, { live }: ServiceView): ServiceObject {
    const refuse = (cause: string, remedy: string) =>
        new pulumi.RunError(
            `Service ${service.namespace}/${service.name} cannot be taken over: ${cause}. Remedy: ${remedy}.`,
        );
    if (live === undefined) {
        throw refuse(
            "it is not in the cluster, so that there is nothing to take over",
            "apply it first, or take it off the list of those to adopt",
        );
    }
    if (live.metadata.deletionTimestamp !== undefined) {
        throw refuse(
            "it is being deleted, and its load balancer with it",
            "wait until it is gone, or rescue the load balancer first",
        );
    }
    if (live.spec?.type !== "LoadBalancer") {
        throw refuse(
            `it is of type ${live.spec?.type ?? "ClusterIP"} in the cluster`,
            "make it one of type LoadBalancer again; its load balancer was deleted when it ceased to be one",
        );
    }
    if (service.loadBalancerType === "nlb") {
        throw refuse(
            "it has an NLB, and only a CLB can be",
            "leave it to the Cloud Controller Manager, or delete it and create it anew for this package",
        );
    }
    if (live.spec.loadBalancerClass === LOAD_BALANCER_CLASSES.clb) {
        throw refuse(
            "it is this package's already, by its loadBalancerClass",
            "take it off the list of those to adopt",
        );
    }
    if (service.settings.id !== undefined) {
        throw refuse(
            "it uses an instance of its owner's (loadbalancer-id), which no controller has made",
            "take it off the list of those to adopt",
        );
    }
    return live;
}

/** nodePort of a group whose backends are ECS instances. */
function nodePortOf(live: ServiceObject, { kind, ports }: ClbServerGroup): number | undefined {
    const [first] = ports;
    return kind === "ecs"
        ? live.spec?.ports?.find(({ port, protocol }) => port === first?.port && (protocol ?? "TCP") === first.protocol)
              ?.nodePort
        : undefined;
}
