import * as pulumi from "@pulumi/pulumi";
import { checkEdgeNodes, type ClusterView, isEdgeNode } from "../../provider/backend";
import { disruptiveFields } from "../../provider/builder";
import type { RetakenService } from "../../provider/deploy/handlers/contract";
import { formatSentences, isError } from "../../provider/diagnostics";
import type { NodeObject } from "../../provider/kubernetes";
import { CCM_LABELS, ccmMarks, ignoredByCcm, STACK_ANNOTATION } from "../../provider/kubernetes/service/controller";
import {
    addressReleases,
    describeMove,
    INTERRUPTION_REMEDY,
    interruptions,
    type ObservedService,
    otherClusterId,
    otherRegion,
    otherStack,
    type StackIdentity,
} from "../../provider/plan";
import { ServiceContract } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { knownRegion } from "./account";
import { noteContract } from "./order";
import { bindingsFailure } from "./backends";
import { type AnyContext, childName, type LiveService } from "./context";
import { clusterFailure } from "./failures";
import { allowReplacementOf, hooksSupported, retakeHook, stackMark } from "./hooks";
import { identityFailure, originOf } from "./identity";
import type { Reuse } from "./reuse";
import { perRun, resourceHook } from "./run";

/** What a contract is about. */
export interface ContractBase {
    /** The create-only settings; those that refer to resources as what they turn out to be. */
    readonly requested: Readonly<Record<string, pulumi.Input<string>>>;
    /** What holds where the Service states nothing, from the creation of its instance on. */
    readonly initial: Readonly<Record<string, pulumi.Input<string>>>;
    /** The settings that ask for the value of a create-only one, where that is not itself alone. */
    readonly askedBy: Readonly<Record<string, readonly string[]>>;
    /** Those that may change this time. */
    readonly allowReplacement: readonly string[];
    /** Undefined for a Service that uses no existing instance. */
    readonly reuse: pulumi.Output<Reuse> | undefined;
}

/** Refuses changes that a living instance cannot follow, before anything else of the Service is looked at. */
export function createContract(
    context: AnyContext,
    { requested, initial, askedBy, allowReplacement, reuse }: ContractBase,
): ServiceContract {
    const contract = new ServiceContract(
        childName(context),
        {
            service: context.subject,
            problems: problemsOf(context, reuse),
            firstProblems: firstProblemsOf(context),
            origin: originOf(context.cluster, context.account),
            requested,
            ...(Object.keys(initial).length === 0 ? {} : { initial }),
            ...(Object.keys(askedBy).length === 0 ? {} : { askedBy }),
            disruptive: disruptiveFields(context.service, context.cluster.facts),
            ...(allowReplacement.length === 0 ? {} : { allowReplacement: [...allowReplacement] }),
            ...defined({ reuse: reuse?.apply(readable) }),
            ...liveFacts(context, allowReplacement),
        },
        {
            parent: context.parent,
            // What the component waits for, everything of it waits for: its other children depend on the contract.
            ...defined({ dependsOn: context.dependsOn }),
            ...(hooksSupported()
                ? {
                      hooks: {
                          beforeUpdate: [
                              interruptionHook(),
                              ...(context.adoption === undefined ? [] : [retakeHook(context.cluster)]),
                          ],
                      },
                  }
                : {}),
        },
    );
    noteContract(context, contract);
    return contract;
}

/** What cannot work: a cluster or a cloud that cannot be read, pods at the edge, and providers of another cluster or account. Each is named once. */
function problemsOf(
    context: AnyContext,
    reuse: pulumi.Output<Reuse> | undefined,
): pulumi.Output<readonly string[] | undefined> {
    return pulumi
        .all([
            identityFailure(context.cluster),
            bindingsFailure(context),
            checkEdge(context),
            reuse?.apply(({ failure }) => failure),
            context.wrongProviders,
            context.wrongValues,
            context.cluster.idProblem,
        ])
        .apply((found) => {
            const problems = new Set(found.flat().filter((problem) => problem !== undefined));
            return problems.size === 0 ? undefined : [...problems];
        });
}

/** What was read of an instance; what could not be read is a problem of its own. */
function readable({ failure, clusterUid: _, ...reuse }: Reuse): Pick<Reuse, "request" | "found"> | undefined {
    return failure === undefined ? reuse : undefined;
}

/** What the contract's inputs say of a change. */
interface ContractInputs {
    readonly established?: Readonly<Record<string, string>>;
    readonly requested?: Readonly<Record<string, string>>;
    readonly disruptive?: Readonly<Record<string, string>>;
    readonly disruptiveBefore?: Readonly<Record<string, string>>;
    readonly live?: ObservedService;
}

/** An address that is released cannot be had again: that is said with the address. */
async function warnOfReleases(name: string, inputs: ContractInputs): Promise<void> {
    const { established = {}, requested = {}, disruptive = {}, disruptiveBefore = {}, live } = inputs;
    const released = addressReleases({
        established,
        requested,
        before: disruptiveBefore,
        after: disruptive,
        addresses: live?.addresses ?? [],
    });
    for (const { cause, remedy } of released) await pulumi.log.warn(`Service ${name}: ${cause}. Remedy: ${remedy}.`);
}

/** The hook that tells, at preview already, what a change interrupts and where a stack moves; one for all Services, because hook names are global in a run. */
const interruptionHook = perRun(() =>
    resourceHook(
        "ack-loadbalancer-interruptions",
        async ({ oldInputs, newInputs }) => {
            const { service, movedFrom, identity } = newInputs as {
                service: string;
                movedFrom?: StackIdentity;
                identity?: StackIdentity;
            };
            if (movedFrom !== undefined && identity !== undefined) {
                await pulumi.log.warn(`Service ${service}: ${describeMove(movedFrom, identity)}.`);
            }
            await warnOfReleases(service, newInputs as ContractInputs);
            const factsOf = (inputs: Record<string, unknown> | undefined) =>
                inputs?.["disruptive"] as Record<string, string> | undefined;
            const found = interruptions(factsOf(oldInputs), factsOf(newInputs));
            if (found.length > 0) {
                await pulumi.log.warn(
                    `Service ${service}: this change interrupts traffic.\n${found.map((text) => `  ${text}.`).join("\n")}\nRemedy: ${INTERRUPTION_REMEDY}.`,
                );
            }
        },
        { onDryRun: true },
    ),
);

/** What the cluster says of the Service at the moment: who serves it, and whether it has an address. Who has served one that is taken over is known. */
function liveFacts(
    { live: found, adoption, service }: AnyContext,
    allowReplacement: readonly string[],
): {
    live?: pulumi.Output<ObservedService | undefined>;
    retaken?: pulumi.Output<RetakenService | undefined>;
    bound: pulumi.Output<boolean>;
} {
    const observed = found.apply(({ live: service }): ObservedService => {
        const { labels = {}, finalizers = [] } = service?.metadata ?? {};
        const addresses = (service?.status?.loadBalancer?.ingress ?? []).flatMap(
            ({ ip, hostname }) => ip ?? hostname ?? [],
        );
        if (allowReplacement.length > 0) {
            allowReplacementOf(addresses);
        }
        return {
            labels: Object.fromEntries(Object.entries(labels).filter(([label]) => CCM_LABELS.includes(label))),
            finalizers,
            addresses,
        };
    });
    // A Service of which nothing is to be said is not spelled out in the preview.
    const live = observed.apply((facts) =>
        Object.values(facts).every((some: object) => Object.keys(some).length === 0) ? undefined : facts,
    );
    const bound = observed.apply(({ addresses }) => addresses.length > 0);
    if (adoption === undefined) return { live, bound };
    return { retaken: found.apply((one) => retakenBy(one, service.loadBalancerType)), bound };
}

/** A Service that is in the hands of the Cloud Controller Manager. */
function retakenBy({ live }: LiveService, loadBalancerType: LoadBalancerType): RetakenService | undefined {
    if (live === undefined || ignoredByCcm(live)) return undefined;
    const { namespace = "default", name, uid = "" } = live.metadata;
    const marks = ccmMarks(live.metadata);
    return {
        namespace,
        name,
        uid,
        loadBalancerType,
        marks: marks.length > 0 ? marks : ["nothing on it names another controller"],
    };
}

/**
 * Why a Service that is new to the stack cannot become the stack's: the cluster's nodes name another ACK cluster, or stand in another region, than the program says, or another
 * stack applies the Service.
 */
export function firstProblemsOf({
    live,
    known,
    cluster,
    outputs,
    account,
}: AnyContext): pulumi.Output<readonly string[] | undefined> {
    const said = outputs.fill({ facts: cluster.facts, account });
    return pulumi.all([live, known, said]).apply(async ([found, service, { facts, account: place }]) => {
        const read = [cluster.ackIds(), cluster.edgeView(service).then(({ nodes }) => nodes)] as const;
        const [ids, nodes] = await Promise.all(read).catch(
            (error: unknown): [readonly string[], readonly NodeObject[]] => {
                // The contract refuses a cluster that cannot be read.
                clusterFailure(error);
                return [[], []];
            },
        );
        const problems = [
            otherClusterId(facts.clusterId, ids),
            otherRegion(knownRegion(place.region), regionsOf(nodes)),
            otherStack(
                {
                    applying: found.live?.metadata.annotations?.[STACK_ANNOTATION],
                    serves: (found.live?.status?.loadBalancer?.ingress ?? []).length > 0,
                },
                stackMark(),
            ),
        ].filter((problem) => problem !== undefined);
        return problems.length === 0 ? undefined : problems;
    });
}

/** Label of nodes with their region. */
const REGION_LABEL = "topology.kubernetes.io/region";

/** Regions that nodes in the cloud name; a node at the edge may be a server of another one. */
function regionsOf(nodes: readonly NodeObject[]): readonly string[] {
    const inCloud = nodes.filter((node) => !isEdgeNode(node));
    return [...new Set(inCloud.flatMap(({ metadata }) => metadata.labels?.[REGION_LABEL] ?? []))];
}

/** Tells what nodes and pods at the edge mean for the Service, and gives what its contract has to refuse, a cluster that cannot be read among it; undefined if nothing. */
export function checkEdge(context: AnyContext): pulumi.Output<readonly string[] | undefined> {
    return pulumi.all([context.live, context.known]).apply(async ([{ failure }, service]) => {
        if (failure !== undefined) {
            return [failure];
        }
        let view: ClusterView;
        try {
            view = await context.cluster.edgeView(service);
        } catch (error) {
            return [clusterFailure(error)];
        }
        const diagnostics = checkEdgeNodes(service, context.cluster.facts, view);
        for (const diagnostic of diagnostics) {
            if (diagnostic.severity === "warning") {
                const text = formatSentences(diagnostic);
                void pulumi.log.warn(`Service ${context.subject}: ${text}`, context.parent);
            } else if (diagnostic.severity === "info") {
                void pulumi.log.info(`Service ${context.subject}: ${diagnostic.cause}`, context.parent);
            }
        }
        const errors = diagnostics.filter(isError).map(formatSentences);
        return errors.length === 0 ? undefined : errors;
    });
}
