import * as pulumi from "@pulumi/pulumi";
import { checkEdgeNodes, type ClusterView, isEdgeNode } from "../../provider/backends";
import { disruptiveFields } from "../../provider/plan/interruptions";
import type { RetakenService } from "../../provider/resources/handlers/contract";
import { formatSentences, isError } from "../../provider/diagnostics";
import type { NodeObject } from "../../provider/service/objects";
import { CCM_LABELS, ccmMarks, ignoredByCcm, STACK_ANNOTATION } from "../../provider/service/controller";
import { addressReleases } from "../../provider/plan/interruptions";
import { describeMove, otherClusterId, otherRegion, type StackIdentity } from "../../provider/plan/identity";
import { INTERRUPTION_REMEDY, interruptions } from "../../provider/plan/interruptions";
import { type ObservedService, otherStack } from "../../provider/plan/controller";
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

/** Settings that a contract compares with the established ones. */
export interface ContractBase {
    /** Create-only settings; references as their resolved ids. */
    readonly requested: Readonly<Record<string, pulumi.Input<string>>>;
    /** Values from the creation of the instance, used if the Service states none. */
    readonly initial: Readonly<Record<string, pulumi.Input<string>>>;
    /** Settings that determine a create-only one, unless it is only itself. */
    readonly askedBy: Readonly<Record<string, readonly string[]>>;
    /** Immutable settings that this run may change. */
    readonly allowReplacement: readonly string[];
    /** Undefined without a reused instance. */
    readonly reuse: pulumi.Output<Reuse> | undefined;
}

/** Creates the contract, which refuses impossible changes before any other resource of the Service. */
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
            origin: originOf(context.cluster, context.account, context),
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
            // The other children depend on the contract, so they wait too.
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

/** Collects the problems other than refused changes, each once: read errors, pods at the edge, wrong providers. */
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
            context.problems,
        ])
        .apply((found) => {
            const problems = new Set(found.flat().filter((problem) => problem !== undefined));
            return problems.size === 0 ? undefined : [...problems];
        });
}

/** Returns the observed instance; a read error is among the problems instead. */
function readable({ failure, clusterUid: _, ...reuse }: Reuse): Pick<Reuse, "request" | "found"> | undefined {
    return failure === undefined ? reuse : undefined;
}

/** Inputs of the contract that describe a change. */
interface ContractInputs {
    readonly established?: Readonly<Record<string, string>>;
    readonly requested?: Readonly<Record<string, string>>;
    readonly disruptive?: Readonly<Record<string, string>>;
    readonly disruptiveBefore?: Readonly<Record<string, string>>;
    readonly live?: ObservedService;
}

/** Names the addresses that a change releases: they cannot be obtained again. */
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

/** Hook that warns of interruptions and moves, also in a preview; one for all, as hook names are global in a run. */
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
                    `Service ${service}: this change interrupts traffic.\n` +
                        `${found.map((text) => `  ${text}.`).join("\n")}\nRemedy: ${INTERRUPTION_REMEDY}.`,
                );
            }
        },
        { onDryRun: true },
    ),
);

/** Returns controller marks and addresses of the live Service. For an adopted Service the former controller is CCM. */
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
        if (allowReplacement.length > 0) allowReplacementOf(addresses);
        return {
            labels: Object.fromEntries(Object.entries(labels).filter(([label]) => CCM_LABELS.includes(label))),
            finalizers,
            addresses,
        };
    });
    // Without facts the input is left out of the preview.
    const live = observed.apply((facts) =>
        Object.values(facts).every((some: object) => Object.keys(some).length === 0) ? undefined : facts,
    );
    const bound = observed.apply(({ addresses }) => addresses.length > 0);
    if (adoption === undefined) return { live, bound };
    return { retaken: found.apply((one) => retakenBy(one, service.loadBalancerType)), bound };
}

/** Describes a Service that the Cloud Controller Manager manages again, else undefined. */
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
 * Returns the problems of a Service that is new to the stack: its nodes are of another ACK cluster or region than the
 * program states, or another stack applies it.
 */
export function firstProblemsOf(context: AnyContext): pulumi.Output<readonly string[] | undefined> {
    const { live, known, cluster, account } = context;
    return pulumi.all([live, known, cluster.ids.clusterId]).apply(async ([found, service, clusterId]) => {
        const read = [cluster.ackIds(), cluster.edgeView(service).then(({ nodes }) => nodes)] as const;
        const [ids, nodes] = await Promise.all(read).catch(
            (error: unknown): [readonly string[], readonly NodeObject[]] => {
                // The contract refuses a cluster that cannot be read.
                clusterFailure(error);
                return [[], []];
            },
        );
        const problems = [
            otherClusterId(clusterId, ids),
            otherRegion(knownRegion(account.region), regionsOf(nodes)),
            otherStack(
                {
                    applying: found.live?.metadata.annotations?.[STACK_ANNOTATION],
                    serves: (found.live?.status?.loadBalancer?.ingress ?? []).length > 0,
                    component: context.name === context.subject ? undefined : context.name,
                },
                stackMark(),
            ),
        ].filter((problem) => problem !== undefined);
        return problems.length === 0 ? undefined : problems;
    });
}

const REGION_LABEL = "topology.kubernetes.io/region";

/** Regions of the nodes in the cloud; nodes at the edge may be in others. */
function regionsOf(nodes: readonly NodeObject[]): readonly string[] {
    const inCloud = nodes.filter((node) => !isEdgeNode(node));
    return [...new Set(inCloud.flatMap(({ metadata }) => metadata.labels?.[REGION_LABEL] ?? []))];
}

/** Logs warnings about nodes and pods at the edge. Returns errors for the contract, read errors too, or undefined. */
export function checkEdge(context: AnyContext): pulumi.Output<readonly string[] | undefined> {
    return pulumi.all([context.live, context.known]).apply(async ([{ failure }, service]) => {
        if (failure !== undefined) return [failure];
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
