import * as pulumi from "@pulumi/pulumi";
import { groupBackends } from "../../provider/backends";
import { openAccount } from "../../provider/cloud";
import { errorMessage } from "../../provider/net";
import * as takeover from "../../provider/plan/adoption";
import { buildClb, buildNlb, type ClbDesired, groupName, type NlbDesired } from "../../provider/plan/desired";
import type { Account } from "../../provider/schema/account";
import { defined } from "../../provider/schema/defined";
import type { ClusterFacts } from "../../provider/schema/facts";
import { LOAD_BALANCER_CLASSES, LOAD_BALANCER_NAMES, typeOfClass } from "../../provider/schema/load-balancer-type";
import type { Owner } from "../../provider/schema/names";
import { chosenType, CLASS_CHANGE_ANNOTATION, STACK_ANNOTATION } from "../../provider/service/controller";
import type { ServiceObject } from "../../provider/service/objects";
import { nodePortIn } from "../../provider/service/ports";
import type { Service } from "../../provider/service/service";
import { resolveAccount } from "../cluster/account";
import type { ServiceSource } from "../service/args";
import type { Cluster } from "../cluster/cluster";
import type { ServiceView } from "../cluster/reads";
import { promiseOf } from "../run/outputs";
import { knownName, readService } from "../service/read-service";
import type { FilledGroup } from "./comparison";
import { compareClb, compareNlb } from "./load-balancers";

/** Selects the load balancer to adopt. */
export interface AdoptArgs {
    /** Id of the instance. Default: found by the tag that the Cloud Controller Manager left on it. */
    readonly loadBalancerId?: string;
    /**
     * Allows differences between Service and cloud: the takeover changes backends, and the first run without `adopt`
     * changes settings to those of the Service. Default false: a difference is refused, with a table of all.
     */
    readonly allowChanges?: boolean;
}

/** Cluster, Service and cloud account of an adoption. */
export interface AdoptionSearch extends ServiceSource, AdoptArgs {
    readonly cluster: Cluster;
    /** Default: that of the cluster's account. */
    readonly region?: string;
    readonly allowEmpty?: boolean;
}

/**
 * Finds the load balancer of the Cloud Controller Manager for a Service, and compares it with the Service. Only
 * reads, in the cluster and in the cloud.
 *
 * @throws RunError with a table of everything that differs, if it cannot be taken over unchanged.
 */
export async function findAdoption(search: AdoptionSearch): Promise<takeover.Adoption> {
    const { cluster, region } = search;
    const { ids, known } = readService(search, cluster, "adopt");
    const account = resolveAccount(cluster.account, region, "adopt");
    await knownName(ids, cluster);
    const service = await promiseOf(known);
    const facts = await promiseOf(cluster.known);
    const view = await cluster.reads.view(service);
    const live = adoptable(service, view);
    const name = `${service.namespace}/${service.name}`;
    const { adoption, differences } = await compare(search, { facts, service, account, view, live });
    if (takeover.isRefused(differences, search.allowChanges ?? false))
        throw new pulumi.RunError(takeover.formatRefusal(name, adoption.loadBalancerId, differences));
    if (differences.length > 0)
        void pulumi.log.warn(
            `Service ${name} takes over load balancer ${adoption.loadBalancerId}.\n` +
                takeover.formatDifferences(differences),
        );
    return adoption;
}

/** Facts about a Service before any resource is registered. */
interface Known {
    readonly facts: ClusterFacts;
    readonly service: Service;
    readonly account: Account;
    readonly view: ServiceView;
    readonly live: ServiceObject;
}

/** Reads the load balancer of a Service, and compares it with the desired load balancer. */
async function compare(search: AdoptionSearch, known: Known): Promise<ReturnType<typeof compareClb>> {
    const { facts, service, account, live } = known;
    const { namespace, name, settings, loadBalancerType: type } = service;
    const owner = { namespace, name, clusterId: facts.clusterId };
    const uid = live.metadata.uid ?? "";
    const specOf = <Desired extends ClbDesired | NlbDesired>(desired: Desired) => ({
        service,
        facts,
        desired,
        references: search.references ?? {},
        uid,
        groups: desired.serverGroups.map((model) => groupOf(model, owner, known)),
        allowEmpty: search.allowEmpty ?? false,
    });
    const queryOf = ({ loadBalancer, serverGroups }: ClbDesired | NlbDesired) => ({
        uid,
        owner,
        withSourceRanges: loadBalancer.sourceRanges.length > 0,
        joined: serverGroups.flatMap(({ joined }) => joined ?? []),
        loadBalancerId: settings.id ?? search.loadBalancerId,
    });
    const cloud = openAccount(account);
    try {
        if (type === "nlb") {
            const desired = buildNlb(service, facts);
            return compareNlb(specOf(desired), await takeover.observeNlbForAdoption(cloud, queryOf(desired)));
        }
        const desired = buildClb(service, facts);
        return compareClb(specOf(desired), await takeover.observeClbForAdoption(cloud, queryOf(desired)));
    } catch (error) {
        throw new pulumi.RunError(`Service ${namespace}/${name} cannot be taken over: ${errorMessage(error)}`);
    }
}

function groupOf(
    model: (ClbDesired | NlbDesired)["serverGroups"][number],
    owner: Owner,
    { facts, service, view, live }: Known,
): FilledGroup {
    const [first] = model.ports;
    const nodePort = first && model.kind === "ecs" ? nodePortIn(live.spec?.ports, first) : undefined;
    const { backends } = groupBackends(service, model, facts, view);
    return defined({ model, name: groupName(model, nodePort, owner), nodePort, backends });
}

/**
 * Returns the Service in the cluster.
 *
 * @throws RunError if the Cloud Controller Manager cannot have created a load balancer for it.
 */
function adoptable(service: Service, { live }: ServiceView): ServiceObject {
    const refuse = (cause: string, remedy: string) =>
        new pulumi.RunError(
            `Service ${service.namespace}/${service.name} cannot be taken over: ${cause}. Remedy: ${remedy}.`,
        );
    const otherwise = "take it off the list of those to adopt";
    if (live === undefined) throw refuse("it is not in the cluster", `apply it first, or ${otherwise}`);
    const { metadata, spec } = live;
    const annotations = metadata.annotations ?? {};
    if (metadata.deletionTimestamp !== undefined)
        throw refuse(
            "it is being deleted, and its load balancer with it",
            "wait until it is gone, or remove its finalizer to keep the load balancer",
        );
    // A takeover that was interrupted while the class changed goes on.
    const changing = CLASS_CHANGE_ANNOTATION in annotations;
    if (spec?.type !== "LoadBalancer" && !changing)
        throw refuse(
            `it is of type ${spec?.type ?? "ClusterIP"} in the cluster`,
            "set its type to LoadBalancer again; CCM deleted its load balancer when the type changed",
        );
    const applied = annotations[STACK_ANNOTATION];
    if (applied !== undefined) throw refuse(`the stack ${applied} of this package applies it already`, otherwise);
    if (spec?.loadBalancerClass === LOAD_BALANCER_CLASSES.clb)
        throw refuse("it is this package's already, by its loadBalancerClass", otherwise);
    const asked = chosenType(annotations, {}) ?? typeOfClass(spec?.loadBalancerClass);
    if (!changing && asked !== service.loadBalancerType)
        throw refuse(
            asked === undefined
                ? `it is another controller's, by its loadBalancerClass "${spec?.loadBalancerClass ?? ""}"`
                : `it has ${LOAD_BALANCER_NAMES[asked]} in the cluster, ` +
                      `and its manifest asks for ${LOAD_BALANCER_NAMES[service.loadBalancerType]}`,
            `write the manifest as the Service is in the cluster, or ${otherwise}`,
        );
    return live;
}
